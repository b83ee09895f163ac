// Command goreference writes parts of the reference from Go sources.
//
//	goreference fields OUT.adoc FILE.go       the structs of a JSON document, field by field
//	goreference packages OUT.adoc FILE.go...  the public packages, with the first sentence of each
//
// What is said of a field or a package is its comment in the source; one without is an error.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

func main() {
	modes := map[string]func([]string) ([]byte, error){"fields": fields, "packages": packages}
	if len(os.Args) < 4 || modes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: goreference fields|packages OUT.adoc FILE.go...")
		os.Exit(2)
	}
	page, err := modes[os.Args[1]](os.Args[3:])
	if err == nil {
		err = atomicfile.WriteFile(os.Args[2], page)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "goreference:", err)
		os.Exit(1)
	}
}

const made = "// Made by //docs/goreference from the sources: ./bazelw run //docs:update\n"

// fields returns a section for each struct with JSON fields and for each list of string
// constants of a type of the files, in their order.
func fields(files []string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(made)
	for _, name := range files {
		f, err := parse(name)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			if err := values(&b, g); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, s := range g.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if err := structure(&b, t, g.Doc.Text()); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return b.Bytes(), nil
}

func structure(b *bytes.Buffer, t *ast.TypeSpec, comment string) error {
	s, ok := t.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	var rows []string
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return err
		}
		key, option, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if key == "" {
			continue
		}
		what := said(f.Names, f.Doc, f.Comment)
		if what == "" {
			return fmt.Errorf("field %s of %s has no comment", key, t.Name.Name)
		}
		if option == "omitempty" {
			what = strings.TrimSuffix(what, ".") + " (left out if it is empty)"
		}
		rows = append(rows, fmt.Sprintf("|`%s` |%s |%s\n", key, typeName(f.Type), literal(what)))
	}
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n== %s\n\n%s\n\n[cols=\"2,2,5\"]\n|===\n|Field |Type |What it is\n\n%s|===\n", t.Name.Name, literal(comment), strings.Join(rows, ""))
	}
	return nil
}

// said returns what a comment says of a field or a constant, without its name in Go.
func said(names []*ast.Ident, comments ...*ast.CommentGroup) string {
	var text string
	for _, c := range comments {
		text += c.Text()
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, n := range names {
		text = strings.TrimPrefix(text, n.Name+" is ")
	}
	return text
}

func typeName(e ast.Expr) string {
	if list, ok := e.(*ast.ArrayType); ok {
		return "list of " + typeName(list.Elt)
	}
	return "`" + types.ExprString(e) + "`"
}

// values writes the string constants of a named type, which a document has as values.
func values(b *bytes.Buffer, g *ast.GenDecl) error {
	var rows []string
	of := ""
	for _, s := range g.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok || v.Type == nil || g.Tok != token.CONST || len(v.Values) != 1 {
			continue
		}
		name, ok := v.Type.(*ast.Ident)
		value, isText := v.Values[0].(*ast.BasicLit)
		if !ok || !isText || value.Kind != token.STRING {
			continue
		}
		what := said(v.Names, v.Doc, v.Comment)
		if what == "" {
			return fmt.Errorf("constant %s has no comment", v.Names[0].Name)
		}
		of = name.Name
		rows = append(rows, fmt.Sprintf("|`%s` |%s\n", value.Value, literal(what)))
	}
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n== %s\n\n[cols=\"1,4\"]\n|===\n|Value |What it says\n\n%s|===\n", of, strings.Join(rows, ""))
	}
	return nil
}

// hidden are the folders whose packages are no part of the Go API; schema is generated and for package onnx.
var hidden = []string{"bench", "cmd", "docs", "e2e", "examples", "interop", "io/onnx/schema", "models/zoo", "rules", "test", "tools"}

// packages returns a table of the packages that another module may import.
func packages(files []string) ([]byte, error) {
	synopses := map[string]string{}
	for _, name := range files {
		dir := filepath.ToSlash(filepath.Dir(name))
		if strings.HasSuffix(name, "_test.go") || slices.Contains(strings.Split(dir, "/"), "internal") ||
			slices.ContainsFunc(hidden, func(h string) bool { return dir == h || strings.HasPrefix(dir, h+"/") }) {
			continue
		}
		f, err := parse(name)
		if err != nil {
			return nil, err
		}
		if f.Name.Name == "main" {
			continue
		}
		if text := synopsis(f.Doc.Text()); text != "" || synopses[dir] == "" {
			synopses[dir] = text
		}
	}
	var b bytes.Buffer
	b.WriteString(made + "[cols=\"1,3\"]\n|===\n|Package |What it is\n\n")
	for _, dir := range slices.Sorted(maps.Keys(synopses)) {
		if synopses[dir] == "" {
			return nil, fmt.Errorf("%s: the package has no comment", dir)
		}
		fmt.Fprintf(&b, "|`%s` |%s\n", dir, literal(synopses[dir]))
	}
	b.WriteString("|===\n")
	return b.Bytes(), nil
}

// synopsis returns the first sentence, which "et al." does not end.
func synopsis(text string) string {
	const dot = "et al.\u00a0"
	text = regexp.MustCompile(`et al\.\s`).ReplaceAllString(text, dot)
	return strings.ReplaceAll(new(doc.Package).Synopsis(text), dot, "et al. ")
}

func parse(name string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
}

// literal returns text as AsciiDoc that shows it as it is, in a cell.
func literal(text string) string {
	return "pass:c[" + strings.NewReplacer("]", `\]`, "|", `\|`).Replace(strings.Join(strings.Fields(text), " ")) + "]"
}
