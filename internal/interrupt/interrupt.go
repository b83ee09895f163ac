// Package interrupt ends programs on SIGINT, SIGTERM and SIGHUP: gracefully if the work
// checks its context, and soon in any case.
//
// # Errors
//
// None. A program that is ended here has the exit status 130, "NAME: interrupted" as
// its last line on stderr, and no temporary files of internal/atomicfile left.
//
// # Determinism
//
// What is done depends on when signals come.
package interrupt

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// ExitStatus is a shell's status for a program killed by SIGINT.
const ExitStatus = 130

// grace is how long the program may take to exit by itself.
const grace = 2 * time.Second

// Context returns a context that the first signal to the program of that name cancels. If the program still
// runs 2 s later, or at a second signal, it is ended. After stop signals have
// their usual effect again, unless one came already: that one still ends the
// program when its time is up.
func Context(parent context.Context, name string) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	notifyHangup(signals)
	stopped := make(chan struct{})
	go func() {
		select {
		case <-stopped:
			return
		case <-signals:
		}
		cancel()
		select {
		case <-signals:
		case <-time.After(grace):
		}
		atomicfile.Abandon()
		fmt.Fprintf(os.Stderr, "%s: interrupted\n", name)
		os.Exit(ExitStatus)
	}()
	return ctx, sync.OnceFunc(func() {
		signal.Stop(signals)
		close(stopped)
		cancel()
	})
}
