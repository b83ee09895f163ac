package kernels

import (
	"fmt"
	"strings"
)

// writer prefixes each line with indent. The contents of braces are not indented
// further: kernels are most of the text of a language model, and two spaces per level
// were a tenth of them.
type writer struct {
	b      strings.Builder
	indent string
}

func (w *writer) line(format string, args ...any) {
	w.b.WriteString(w.indent)
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *writer) open(format string, args ...any) { w.line(format, args...) }

func (w *writer) close() { w.line("}") }
