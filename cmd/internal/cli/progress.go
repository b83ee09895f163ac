package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/skainet-dev/skainet-go/backend/open"
)

// progressOn shows on stderr what takes long: a line for a program that is compiled, with a
// clock on a terminal, and a bar for an archive.
func progressOn(stderr io.Writer) open.Progress {
	return open.Progress{
		Compiling: func(name, target string) func() { return clock(stderr, "compiling "+name+" for "+target) },
		Packing:   packing(stderr),
	}
}

// packing draws a bar until all is written.
func packing(stderr io.Writer) func(written, all int64) {
	bar := newMeter(stderr, "packing weights")
	return func(written, all int64) {
		bar.report(written, all)
		if written >= all {
			bar.close()
		}
	}
}

// tick is how often a clock is drawn.
const tick = 100 * time.Millisecond

// clock says what is done now; on a terminal it shows for how long already, until done.
func clock(stderr io.Writer, what string) (done func()) {
	m := newMeter(stderr, what)
	if !m.draws {
		fmt.Fprintln(stderr, "skainet:", what)
		return func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish())
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		t := time.NewTicker(tick)
		defer t.Stop()
		for {
			select {
			case <-stop:
				return
			case <-t.C:
				_ = bar.Add(1) // failing to draw is harmless
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		_ = bar.Finish()
	}
}
