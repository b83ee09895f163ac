// Package errscan finds the error codes in Go sources, from their syntax alone.
//
// A code is a string in the form of one (upper-case words joined by "_") that is
//
//   - the value of a constant of type errs.Code,
//   - given to errs.New or errs.Wrap, or converted by errs.Code(...),
//   - given for a parameter of type errs.Code of a function of the same package,
//   - or stands for a field of type errs.Code of a struct of the same package.
//
// What is put together from parts is not seen.
//
// # Errors
//
// Those of the Go parser.
//
// # Determinism
//
// The result depends only on the files.
package errscan

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Package holds the codes in one folder's files.
type Package struct {
	Dir    string            // with slashes, as the files were named
	Errors string            // the part "Errors" of its documentation
	Codes  map[string]string // code -> the constant's comment, or ""

	constants map[string]bool // the codes that have one
	files     []*ast.File
	structs   map[string]map[string]int // type -> field of type errs.Code -> place
	funcs     map[string][]int          // function or method -> places of such parameters
}

// Names returns the codes in order.
func (p *Package) Names() []string { return slices.Sorted(maps.Keys(p.Codes)) }

// Inline returns the codes that no constant of the package has, in order.
func (p *Package) Inline() []string {
	return slices.DeleteFunc(p.Names(), func(c string) bool { return p.constants[c] })
}

// Scan reads files, except tests, and returns their packages in the order of their
// folders.
func Scan(files []string) ([]*Package, error) {
	pkgs := map[string]*Package{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		p := pkgs[dir]
		if p == nil {
			p = &Package{Dir: dir, Codes: map[string]string{}, constants: map[string]bool{}, structs: map[string]map[string]int{}, funcs: map[string][]int{}}
			pkgs[dir] = p
		}
		p.files = append(p.files, f)
	}
	var list []*Package
	for _, dir := range slices.Sorted(maps.Keys(pkgs)) {
		p := pkgs[dir]
		for _, f := range p.files {
			p.declarations(f)
		}
		for _, f := range p.files {
			p.uses(f)
		}
		list = append(list, p)
	}
	return list, nil
}

// declarations finds the docs of codes, the constants, and the fields and
// parameters that hold codes.
func (p *Package) declarations(f *ast.File) {
	if text := errorsPart(f.Doc.Text()); text != "" {
		p.Errors = text
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			p.declared(n)
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok {
				fields := map[string]int{}
				places(s.Fields, func(name string, i int) { fields[name] = i })
				p.structs[n.Name.Name] = fields
			}
		case *ast.FuncDecl:
			places(n.Type.Params, func(_ string, i int) { p.funcs[n.Name.Name] = append(p.funcs[n.Name.Name], i) })
		}
		return true
	})
}

// places calls see for each name in a list that has the type errs.Code.
func places(list *ast.FieldList, see func(name string, i int)) {
	i := 0
	for _, field := range list.List {
		names := field.Names
		if names == nil {
			names = []*ast.Ident{ast.NewIdent("")}
		}
		for _, name := range names {
			if isCode(field.Type) {
				see(name.Name, i)
			}
			i++
		}
	}
}

// declared takes the constants that are declared with the type errs.Code.
func (p *Package) declared(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || d.Tok != token.CONST || !isCode(v.Type) {
			continue
		}
		above := v.Doc.Text()
		if !d.Lparen.IsValid() {
			above += d.Doc.Text()
		}
		said := sentences(above, v.Comment.Text())
		for _, value := range v.Values {
			p.constants[p.add(value, said)] = true
		}
	}
}

// sentences joins the comment above a constant and the one behind it.
func sentences(above, behind string) string {
	above, behind = strings.TrimSpace(above), strings.TrimSpace(behind)
	if above == "" || behind == "" {
		return above + behind
	}
	if !strings.HasSuffix(above, ".") {
		above += "."
	}
	first, size := utf8.DecodeRuneInString(behind)
	return above + " " + string(unicode.ToUpper(first)) + behind[size:]
}

// uses finds the codes that are written where they are used.
func (p *Package) uses(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			p.call(n)
		case *ast.CompositeLit:
			p.literal(n)
		}
		return true
	})
}

func (p *Package) call(c *ast.CallExpr) {
	var takes []int
	switch f := c.Fun.(type) {
	case *ast.Ident:
		takes = p.funcs[f.Name]
	case *ast.SelectorExpr:
		takes = p.funcs[f.Sel.Name]
		if isName(f.X, "errs") {
			takes = []int{0}
		}
	}
	for _, i := range takes {
		if i < len(c.Args) {
			p.add(c.Args[i], "")
		}
	}
}

// literal takes codes from the fields of a struct, or of each in a list.
func (p *Package) literal(l *ast.CompositeLit) {
	switch t := l.Type.(type) {
	case *ast.Ident:
		p.fields(l, p.structs[t.Name])
	case *ast.ArrayType:
		p.each(l, t.Elt)
	case *ast.MapType:
		p.each(l, t.Value)
	}
}

func (p *Package) each(l *ast.CompositeLit, elem ast.Expr) {
	id, ok := elem.(*ast.Ident)
	if !ok || p.structs[id.Name] == nil {
		return
	}
	for _, e := range l.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil {
			p.fields(inner, p.structs[id.Name])
		}
	}
}

func (p *Package) fields(l *ast.CompositeLit, fields map[string]int) {
	for name, i := range fields {
		for j, e := range l.Elts {
			kv, keyed := e.(*ast.KeyValueExpr)
			switch {
			case keyed && isName(kv.Key, name):
				p.add(kv.Value, "")
			case !keyed && i == j:
				p.add(e, "")
			}
		}
	}
}

var code = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)

// add takes a code, if e is one, and returns it.
func (p *Package) add(e ast.Expr, said string) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	word, err := strconv.Unquote(lit.Value)
	if err != nil || !code.MatchString(word) {
		return ""
	}
	if p.Codes[word] == "" {
		p.Codes[word] = strings.Join(strings.Fields(said), " ")
	}
	return word
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func isCode(e ast.Expr) bool {
	t, ok := e.(*ast.SelectorExpr)
	return ok && isName(t.X, "errs") && t.Sel.Name == "Code"
}

// errorsPart returns the paragraphs below "# Errors".
func errorsPart(doc string) string {
	var parser comment.Parser
	var printer comment.Printer
	var part []string
	in := false
	for _, block := range parser.Parse(doc).Content {
		if h, ok := block.(*comment.Heading); ok {
			title := printer.Text(&comment.Doc{Content: []comment.Block{&comment.Paragraph{Text: h.Text}}})
			in = string(title) == "Errors\n"
			continue
		}
		if in {
			text := string(printer.Text(&comment.Doc{Content: []comment.Block{block}}))
			part = append(part, strings.Join(strings.Fields(text), " "))
		}
	}
	return strings.Join(part, "\n\n")
}
