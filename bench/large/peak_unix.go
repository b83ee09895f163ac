//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the most bytes that a process had in memory at once.
func peakMemory(p *os.ProcessState) (int64, bool) {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	unit := int64(1 << 10)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit = 1 // bytes there, kibibytes elsewhere
	}
	return int64(usage.Maxrss) * unit, true //nolint:unconvert // 32 bits on some systems
}
