//go:build unix

package harness

import (
	"syscall"
	"time"
)

// CPU returns the seconds of user and system time that this process has used, on
// all its threads.
func CPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for arguments that are not these
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
