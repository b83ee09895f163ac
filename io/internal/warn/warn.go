// Package warn words what conversion and packing lose and leave behind, a line each.
//
// # Errors
//
// None.
//
// # Determinism
//
// The lines depend on what is given alone.
package warn

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/internal/display"
)

// Loss gathers what changes of types lost.
type Loss struct {
	count    int
	overflow int64
	first    string
}

// Add notes one whose values changed, and how many became infinite.
func (l *Loss) Add(name, from, to string, overflow int64) {
	if l.count == 0 {
		l.first = fmt.Sprintf("%s (%s to %s)", display.Printable(name), from, to)
	}
	l.count++
	l.overflow += overflow
}

// Lines returns one line, or none where nothing was lost of so many things in all.
func (l *Loss) Lines(things string, all int) []string {
	if l.count == 0 {
		return nil
	}
	line := fmt.Sprintf("%d of %d %s lost precision, such as %s", l.count, all, things, l.first)
	if l.overflow > 0 {
		line += fmt.Sprintf("; %s became infinite", display.Counted(l.overflow, "value"))
	}
	return []string{line}
}

// Stale names what an earlier run wrote.
func Stale(files []string) []string {
	if len(files) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of an earlier run beside the output, such as %s; remove what is not needed any more",
		display.Counted(len(files), "file"), display.Printable(files[0]))}
}

// Dropped says which settings the output has no place for.
func Dropped(settings []string) []string {
	if len(settings) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the output has no place for %s, such as %s", display.Counted(len(settings), "setting"), display.Printable(settings[0]))}
}
