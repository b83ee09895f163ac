package convert

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/io/internal/warn"
)

// Warnings says in a line each what was lost, left behind and not given.
func (r *Report) Warnings() []string {
	var l warn.Loss
	for _, t := range r.Tensors {
		if !t.Exact {
			l.Add(t.Name, t.From.String(), t.To.String(), t.Overflow)
		}
	}
	lines := append(l.Lines("tensors", len(r.Tensors)), warn.Dropped(r.Dropped)...)
	for _, key := range r.Lacks {
		lines = append(lines, fmt.Sprintf("the output has no %s, without which programs that run models refuse it; the input says nothing of it", key))
	}
	return append(lines, warn.Stale(r.Stale)...)
}
