// Command errorcodes writes the reference of error codes from Go sources.
//
//	errorcodes OUT.adoc FILE.go...
//
// A code is described by the comment of its constant, the codes of a package by the
// part "Errors" of its documentation. See tools/errcodes/errscan for what is a code.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tools/errcodes/errscan"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: errorcodes OUT.adoc FILE.go...")
		os.Exit(2)
	}
	page, err := reference(os.Args[2:])
	if err == nil {
		err = atomicfile.WriteFile(os.Args[1], page)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "errorcodes:", err)
		os.Exit(1)
	}
}

// reference returns the page's text, by package and code. A code that has no constant,
// whose comment would describe it, is an error.
func reference(files []string) ([]byte, error) {
	pkgs, err := errscan.Scan(files)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	page.WriteString("// Made by //docs/errorcodes from the sources: ./bazelw run //docs:update\n")
	for _, p := range pkgs {
		if inline := p.Inline(); len(inline) > 0 {
			return nil, fmt.Errorf("%s has no constants of type errs.Code for %s", p.Dir, strings.Join(inline, ", "))
		}
		if len(p.Codes) > 0 {
			write(&page, p)
		}
	}
	return page.Bytes(), nil
}

func write(page *bytes.Buffer, p *errscan.Package) {
	fmt.Fprintf(page, "\n== %s\n", p.Dir)
	if p.Errors != "" {
		fmt.Fprintf(page, "\n%s\n", literal(p.Errors))
	}
	fmt.Fprintf(page, "\n[horizontal]\n")
	for _, c := range p.Names() {
		said := literal(p.Codes[c])
		if said == "" {
			said = "{empty}"
		}
		fmt.Fprintf(page, "`%s`:: %s\n", c, said)
	}
}

// literal keeps AsciiDoc from reading marks in text as its own; the paragraphs
// stay apart.
func literal(text string) string {
	if text == "" {
		return ""
	}
	parts := strings.Split(text, "\n\n")
	for i := range parts {
		parts[i] = "pass:c[" + strings.ReplaceAll(parts[i], "]", `\]`) + "]"
	}
	return strings.Join(parts, "\n\n")
}
