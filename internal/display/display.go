// Package display formats the output of commands: tables with aligned columns, untrusted
// names, counts, JSON.
//
// # Errors
//
// CLI_JSON for a value that JSON cannot hold.
//
// # Determinism
//
// The text depends on the values alone.
package display

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodeJSON is for values that JSON cannot hold; smallest input: a NaN.
const CodeJSON errs.Code = "CLI_JSON"

// JSON returns indented JSON with one trailing newline; names stay readable.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return nil, errs.Wrap(CodeJSON, err, "cannot encode the output as JSON")
	}
	return b.Bytes(), nil
}

// Grid writes a table with aligned columns, or nothing if fill adds no line.
func Grid(b *bytes.Buffer, head []string, fill func(line func(cells ...string))) {
	var cells bytes.Buffer
	t := tabwriter.NewWriter(&cells, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(head, "\t"))
	lines := 0
	fill(func(cells ...string) {
		lines++
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	})
	t.Flush()
	if lines == 0 {
		return
	}
	for line := range strings.Lines(cells.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n") // an empty last cell is padded with spaces
	}
}

// Counted returns "1 thing" or "2 things".
func Counted[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Printable quotes a text that could move a terminal's cursor or break a row.
func Printable(s string) string {
	if !utf8.ValidString(s) {
		return strconv.Quote(s)
	}
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
