//go:build !js

package interrupt

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyHangup sends SIGHUP to signals, unless it is ignored, as under nohup.
func notifyHangup(signals chan<- os.Signal) {
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
}
