package kernels

import (
	"fmt"
	"strings"
)

// step is what a level is indented by: kernels are most of the text of a language
// model, and two spaces were a tenth of them.
const step = " "

// writer indents what it is given.
type writer struct {
	b      strings.Builder
	indent string
}

func (w *writer) line(format string, args ...any) {
	w.b.WriteString(w.indent)
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *writer) open(format string, args ...any) {
	w.line(format, args...)
	w.indent += step
}

func (w *writer) close() {
	w.indent = strings.TrimSuffix(w.indent, step)
	w.line("}")
}
