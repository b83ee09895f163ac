package optable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// JSON returns the rows as a list, with one trailing newline.
func JSON() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(Operations()); err != nil {
		panic(err) // strings, numbers and element types of the table: a bug of this package, found by any test
	}
	return b.Bytes()
}

// Markdown returns a table for each family.
func Markdown() []byte {
	var b bytes.Buffer
	for i, f := range families() {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\n| operation | operands | attributes | result |\n| --- | --- | --- | --- |\n", f.name)
		for _, o := range f.rows {
			var attrs []string
			for _, a := range o.Attributes {
				attrs = append(attrs, "`"+a.Name+"` ("+inTable(a.text())+"): "+inTable(a.Doc))
			}
			if len(attrs) == 0 {
				attrs = []string{"none"}
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", o.Name, inTable(o.operands()), strings.Join(attrs, "<br>"), inTable(strings.TrimSpace(o.Doc+" "+o.notes())))
		}
	}
	return b.Bytes()
}

// inTable escapes text for a cell of a Markdown table.
func inTable(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", " ", "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "[", `\[`, "]", `\]`).Replace(s)
}

// AsciiDoc returns a section for each family, for the reference page.
func AsciiDoc() []byte {
	return AsciiDocFrom("`skainet ops --asciidoc` from compile/op: ./bazelw run //docs:update")
}

// AsciiDocFrom is AsciiDoc for a page that is made by something else.
func AsciiDocFrom(by string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Made by %s\n", by)
	for _, f := range families() {
		fmt.Fprintf(&b, "\n== %s\n", f.name)
		for _, o := range f.rows {
			fmt.Fprintf(&b, "\n[#%s]\n=== %s\n\npass:c[%s]\n", o.Name, o.Name, inPass(strings.TrimSpace(o.Doc+" "+o.notes())))
			fmt.Fprintf(&b, "\nOperands: pass:c[%s].\n", inPass(o.operands()))
			if len(o.Attributes) == 0 {
				continue
			}
			b.WriteString("\n[horizontal]\n")
			for _, a := range o.Attributes {
				fmt.Fprintf(&b, "`%s`:: pass:c[%s: %s]\n", a.Name, inPass(a.text()), inPass(a.Doc))
			}
		}
	}
	return b.Bytes()
}

// inPass escapes text for pass:c[], which ends at an unescaped bracket.
func inPass(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "]", `\]`) }
