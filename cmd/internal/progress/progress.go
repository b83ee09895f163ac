package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/skainet-dev/skainet-go/backend/open"
)

// On shows on stderr what a program is compiled and run by, a line, and what takes long: a
// line for a program that is compiled, with a clock on a terminal, and a bar for an archive.
func On(stderr io.Writer) open.Progress {
	return open.Progress{
		Using: using(stderr),
		Compiling: func(name, target string) func() {
			return clock(stderr, "compiling "+name+" for "+target, "which may take minutes, also for a small file")
		},
		Unfit: func(entry string, why error) {
			fmt.Fprintf(stderr, "skainet: %s is compiled for each size, without buckets: %v\n", entry, why)
		},
		Fetching: func(file string) func() { return clock(stderr, "fetching "+file, "once: tens of megabytes") },
		Packing:  packing(stderr),
	}
}

// using writes a line, once for the same files.
func using(stderr io.Writer) func(target, compiler, runtime string) {
	said := ""
	return func(target, compiler, runtime string) {
		line := "skainet: " + target + ", compiled by " + compiler + ", run by " + runtime
		if compiler == runtime {
			line = "skainet: " + target + ", compiled and run by " + runtime
		}
		if line != said {
			fmt.Fprintln(stderr, line)
		}
		said = line
	}
}

// packing draws a bar until all is written.
func packing(stderr io.Writer) func(written, all int64) {
	bar := NewMeter(stderr, "packing weights")
	return func(written, all int64) {
		bar.Report(written, all)
		if written >= all {
			bar.Close()
		}
	}
}

// tick is how often a clock is drawn.
const tick = 100 * time.Millisecond

// clock says what is done now, and what to expect of it; on a terminal it shows instead for how
// long already, until done.
func clock(stderr io.Writer, what, expect string) (done func()) {
	m := NewMeter(stderr, what)
	if !m.draws {
		fmt.Fprintf(stderr, "skainet: %s, %s\n", what, expect)
		return func() {}
	}
	return m.clock()
}

// clock draws the time that passes, until done.
func (m *Meter) clock() (done func()) {
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(m.out), progressbar.OptionSetDescription(m.what),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish())
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		t := time.NewTicker(tick)
		defer t.Stop()
		for {
			_ = bar.Add(1) // failing to draw is harmless
			select {
			case <-stop:
				return
			case <-t.C:
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		_ = bar.Finish()
	}
}
