package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// meter shows the progress of a long copy, only on a terminal: in a log
// it would be noise.
type meter struct {
	out   io.Writer
	what  string
	draws bool
	bar   *progressbar.ProgressBar
	total int64
}

// newMeter returns a meter that draws on stderr, since results go to stdout.
func newMeter(stderr io.Writer, what string) *meter {
	f, ok := stderr.(*os.File)
	return &meter{out: stderr, what: what, draws: ok && term.IsTerminal(int(f.Fd()))}
}

// report shows that done of total bytes are done.
func (m *meter) report(done, total int64) {
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

// close erases the bar.
func (m *meter) close() {
	if m.bar != nil {
		_ = m.bar.Clear()
	}
}
