package cli

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// listing is what inspect shows of a file; its JSON form is stable.
type listing struct {
	Format   string            `json:"format"`
	Size     int64             `json:"size"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Scalars  map[string]int64  `json:"scalars,omitempty"`
	Aliases  map[string]string `json:"aliases,omitempty"`
	Tensors  []row             `json:"tensors"`
}

// row is a tensor, or an entry of an archive, which has a kind in place of a
// type and a shape.
type row struct {
	Name     string `json:"name"`
	Kind     string `json:"kind,omitempty"`
	DType    string `json:"dtype,omitempty"`
	Shape    string `json:"shape,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Bytes    int64  `json:"bytes"`
	Offset   *int64 `json:"offset,omitempty"` // in the file; of an external entry, in the other file
	Pattern  string `json:"pattern,omitempty"`
	Path     string `json:"path,omitempty"`
}

func list(w *weights.File) (*listing, error) {
	l := &listing{Format: w.Format(), Size: w.Size(), Tensors: []row{}}
	if a := w.Archive(); a != nil {
		for _, e := range a.Entries() {
			l.Tensors = append(l.Tensors, entryRow(e))
		}
		return l, nil
	}
	x, err := w.Index()
	if err != nil {
		return nil, err
	}
	l.Metadata, l.Scalars, l.Aliases = x.Metadata, x.Scalars, x.Aliases
	for _, t := range x.Tensors {
		at, err := w.Offset(t.Name)
		if err != nil {
			return nil, err
		}
		l.Tensors = append(l.Tensors, row{
			Name: t.Name, DType: t.DType.String(), Shape: t.Shape.String(), Encoding: t.Encoding.String(), Bytes: t.Bytes, Offset: &at,
		})
	}
	return l, nil
}

func entryRow(e irpa.Entry) row {
	r := row{Name: e.Name, Kind: e.Type.String(), Bytes: e.Length, Path: e.Path, Pattern: hex.EncodeToString(e.Pattern)}
	if e.Type != irpa.Splat {
		r.Offset = &e.Offset
	}
	return r
}

// table gives the listing for people.
func (l *listing) table() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "format: %s\nsize: %d bytes\n", l.Format, l.Size)
	for _, k := range slices.Sorted(maps.Keys(l.Metadata)) {
		fmt.Fprintf(&b, "%s: %s\n", k, printable(l.Metadata[k]))
	}
	b.WriteByte('\n')
	var cells bytes.Buffer
	t := tabwriter.NewWriter(&cells, 0, 0, 2, ' ', 0)
	if l.Format == irpa.Format {
		fmt.Fprint(t, "KEY\tKIND\tBYTES\tOFFSET\tCONTENT\n")
	} else {
		fmt.Fprint(t, "TENSOR\tTYPE\tSHAPE\tENCODING\tBYTES\tOFFSET\n")
	}
	total := int64(0)
	for _, r := range l.Tensors {
		total += r.Bytes
		at := "-"
		if r.Offset != nil {
			at = strconv.FormatInt(*r.Offset, 10)
		}
		if l.Format == irpa.Format {
			fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\n", printable(r.Name), r.Kind, r.Bytes, at, content(r))
		} else {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\n", printable(r.Name), r.DType, r.Shape, r.Encoding, r.Bytes, at)
		}
	}
	t.Flush()
	for line := range strings.Lines(cells.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n") // an empty last cell is filled with blanks
	}
	fmt.Fprintf(&b, "\n%d tensors, %d bytes\n", len(l.Tensors), total)
	for _, k := range slices.Sorted(maps.Keys(l.Scalars)) {
		fmt.Fprintf(&b, "scalar %s = %d\n", printable(k), l.Scalars[k])
	}
	for _, k := range slices.Sorted(maps.Keys(l.Aliases)) {
		fmt.Fprintf(&b, "alias %s -> %s\n", printable(k), printable(l.Aliases[k]))
	}
	return b.Bytes()
}

func content(r row) string {
	switch {
	case r.Pattern != "":
		return "0x" + r.Pattern + " repeated"
	case r.Path != "":
		return "in " + printable(r.Path)
	}
	return ""
}

// printable quotes a text that could move a terminal's cursor or break a row.
func printable(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
