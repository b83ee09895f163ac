//go:build !unix

package main

import "os"

// peakMemory returns false: this system does not tell it.
func peakMemory(*os.ProcessState) (int64, bool) { return 0, false }
