//go:build !linux

package main

import (
	"os"

	"github.com/skainet-dev/skainet-go/errs"
)

func dropPages(*os.File) error { return onlyLinux() }

func room(string, int64) error { return onlyLinux() }

func peakMiB(*os.ProcessState) float64 { return 0 }

func diskMiB(string) int64 { return -1 }

func onlyLinux() error {
	return errs.New(codeFile, "this part runs on Linux only").Hint("use --only=open,unpack")
}
