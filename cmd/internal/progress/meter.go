// Package progress shows on standard error what takes long: a bar of bytes, or a clock.
//
// # Errors
//
// None: failing to draw is harmless.
//
// # Determinism
//
// On a terminal the output depends on the time; elsewhere a bar draws nothing, and a clock
// is one line.
package progress

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Meter shows the progress of a long copy, only on a terminal: in a log
// it would be noise.
type Meter struct {
	out   io.Writer
	what  string
	draws bool
	bar   *progressbar.ProgressBar
	total int64
}

// NewMeter returns a meter that draws on stderr, since results go to stdout.
func NewMeter(stderr io.Writer, what string) *Meter {
	f, ok := stderr.(*os.File)
	return &Meter{out: stderr, what: what, draws: ok && term.IsTerminal(int(f.Fd()))}
}

// Report shows that done of total bytes are done.
func (m *Meter) Report(done, total int64) {
	if !m.draws {
		return
	}
	if m.bar == nil || m.total != total {
		m.total = total
		m.bar = progressbar.NewOptions64(max(total, 1),
			progressbar.OptionSetWriter(m.out),
			progressbar.OptionSetDescription(m.what),
			progressbar.OptionShowBytes(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	_ = m.bar.Set64(done) // failing to draw the bar is harmless
}

// Close erases the bar.
func (m *Meter) Close() {
	if m.bar != nil {
		_ = m.bar.Clear()
	}
}
