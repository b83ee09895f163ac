package cli

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize"

	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/io/inspect"
)

// table returns a listing for people.
func table(l *inspect.Listing) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "format: %s\nsize: %s\n", l.Format, size(l.Size))
	if len(l.Metadata) > 0 {
		b.WriteByte('\n') // a key may be named format
	}
	for _, s := range l.Metadata {
		fmt.Fprintf(&b, "%s: %s\n", display.Printable(s.Key), line(s))
	}
	if len(l.Tensors) > 0 {
		b.WriteByte('\n')
	}
	c := columnsOf(l)
	display.Grid(&b, c.head(), func(row func(cells ...string)) {
		for _, r := range l.Tensors {
			row(c.cells(r)...)
		}
	})
	total := l.Bytes()
	if len(l.Encodings) > 0 {
		b.WriteByte('\n')
	}
	display.Grid(&b, []string{"ENCODING", "TENSORS", "ELEMENTS", "BYTES", "PART"}, func(row func(cells ...string)) {
		for _, s := range l.Encodings {
			elements := "-"
			if s.DType != "" {
				elements = strconv.FormatInt(s.Elements, 10)
			}
			row(display.Printable(s.Name()), strconv.Itoa(s.Tensors), elements, strconv.FormatInt(s.Bytes, 10), part(s.Bytes, total))
		}
	})
	fmt.Fprintf(&b, "\n%s, %s\n", display.Counted(len(l.Tensors), "tensor"), size(total))
	for _, k := range slices.Sorted(maps.Keys(l.Scalars)) {
		fmt.Fprintf(&b, "scalar %s = %d\n", display.Printable(k), l.Scalars[k])
	}
	for _, k := range slices.Sorted(maps.Keys(l.Aliases)) {
		fmt.Fprintf(&b, "alias %s -> %s\n", display.Printable(k), display.Printable(l.Aliases[k]))
	}
	return b.Bytes()
}

// columns are the optional columns of a listing: an archive has
// kinds, and types only if they were stored with its entries.
type columns struct{ kinds, typed, contents bool }

// columnsOf looks through the tensors, which may be many, once for all lines.
func columnsOf(l *inspect.Listing) columns {
	some := func(has func(r inspect.Tensor) bool) bool { return slices.ContainsFunc(l.Tensors, has) }
	return columns{
		kinds:    some(func(r inspect.Tensor) bool { return r.Kind != "" }),
		typed:    some(func(r inspect.Tensor) bool { return r.DType != "" }),
		contents: some(func(r inspect.Tensor) bool { return content(r) != "" }),
	}
}

func (c columns) head() []string {
	head := []string{"TENSOR"}
	if !c.typed && c.kinds {
		head[0] = "KEY"
	}
	if c.kinds {
		head = append(head, "KIND")
	}
	if c.typed {
		head = append(head, "TYPE", "SHAPE", "ENCODING")
	}
	head = append(head, "BYTES", "OFFSET")
	if c.contents {
		head = append(head, "CONTENT")
	}
	return head
}

func (c columns) cells(r inspect.Tensor) []string {
	cells := []string{display.Printable(r.Name)}
	if c.kinds {
		cells = append(cells, r.Kind)
	}
	if c.typed {
		cells = append(cells, r.DType, r.Shape, display.Printable(r.Encoding))
	}
	at := "-"
	if r.Offset != nil {
		at = strconv.FormatInt(*r.Offset, 10)
	}
	cells = append(cells, strconv.FormatInt(r.Bytes, 10), at)
	if c.contents {
		cells = append(cells, content(r))
	}
	return cells
}

func content(r inspect.Tensor) string {
	switch {
	case r.Pattern != "":
		return "0x" + r.Pattern + " repeated"
	case r.Path != "":
		return "in " + display.Printable(r.Path)
	}
	return ""
}

// size returns a number of bytes, with a rounded form if it is large.
func size(n int64) string {
	if n < 10_000 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d bytes (%s)", n, humanize.IBytes(uint64(n)))
}

// part returns n as a percentage of total.
func part(n, total int64) string {
	if total == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(total))
}
