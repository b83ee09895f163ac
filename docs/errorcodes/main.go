// Command errorcodes writes the reference of error codes from Go sources.
//
//	errorcodes OUT.adoc FILE.go...
//
// A code is a constant of type errs.Code, or a word that is given to errs.New or
// errs.Wrap. What is said of it is the constant's comment; what is said of a
// package's codes is the part "Errors" of its documentation.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
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

// pkg is what one package says of its codes.
type pkg struct {
	codes  map[string]string // code -> comment, or ""
	errors string            // the part "Errors" of its documentation
}

// reference gives the page's text, by package and code.
func reference(files []string) ([]byte, error) {
	pkgs := map[string]*pkg{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p := pkgs[path.Dir(name)]
		if p == nil {
			p = &pkg{codes: map[string]string{}}
			pkgs[path.Dir(name)] = p
		}
		p.collect(f)
	}
	var page bytes.Buffer
	page.WriteString("// Made by //docs/errorcodes from the sources: ./bazelw run //docs:update\n")
	for _, dir := range sorted(pkgs) {
		if p := pkgs[dir]; len(p.codes) > 0 {
			p.write(&page, dir)
		}
	}
	return page.Bytes(), nil
}

func (p *pkg) collect(f *ast.File) {
	if text := errorsPart(f.Doc.Text()); text != "" {
		p.errors = text
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			p.constants(n)
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && isName(s.X, "errs") && (s.Sel.Name == "New" || s.Sel.Name == "Wrap") {
				p.add(n.Args[0], "")
			}
		}
		return true
	})
}

// constants takes the constants that are declared with the type errs.Code.
func (p *pkg) constants(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || d.Tok != token.CONST {
			continue
		}
		if t, ok := v.Type.(*ast.SelectorExpr); !ok || !isName(t.X, "errs") || t.Sel.Name != "Code" {
			continue
		}
		said := v.Comment.Text() + v.Doc.Text()
		if !d.Lparen.IsValid() {
			said += d.Doc.Text()
		}
		for _, value := range v.Values {
			p.add(value, said)
		}
	}
}

var code = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)

func (p *pkg) add(e ast.Expr, said string) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	word, err := strconv.Unquote(lit.Value)
	if err != nil || !code.MatchString(word) {
		return
	}
	said = strings.Join(strings.Fields(said), " ")
	if p.codes[word] == "" {
		p.codes[word] = said
	}
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// errorsPart gives the paragraphs below "# Errors".
func errorsPart(doc string) string {
	var parser comment.Parser
	var printer comment.Printer
	var part []string
	in := false
	for _, block := range parser.Parse(doc).Content {
		if h, ok := block.(*comment.Heading); ok {
			in = string(printer.Text(&comment.Doc{Content: h2p(h)})) == "Errors\n"
			continue
		}
		if in {
			text := string(printer.Text(&comment.Doc{Content: []comment.Block{block}}))
			part = append(part, strings.Join(strings.Fields(text), " "))
		}
	}
	return strings.Join(part, "\n\n")
}

// h2p is a heading's text as a paragraph, which prints without the "#".
func h2p(h *comment.Heading) []comment.Block {
	return []comment.Block{&comment.Paragraph{Text: h.Text}}
}

func (p *pkg) write(page *bytes.Buffer, dir string) {
	fmt.Fprintf(page, "\n== %s\n", dir)
	if p.errors != "" {
		fmt.Fprintf(page, "\n%s\n", literal(p.errors))
	}
	fmt.Fprintf(page, "\n[horizontal]\n")
	for _, c := range sorted(p.codes) {
		said := literal(p.codes[c])
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

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
