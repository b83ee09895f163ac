package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/op"
)

//go:embed families.json
var data []byte

// families are the files that may list operations, each a column of the table.
type families struct {
	// Module is the path that imports begin with.
	Module string
	Files  []struct {
		Folder string
		Names  []string // patterns of path.Match
		Holds  string   // what the column is
	}
}

func read(data []byte) (*families, error) {
	p := &families{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("families.json: %w", err)
	}
	return p, nil
}

// has reports whether the file is one of a family, or a test.
func (p *families) has(file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return true
	}
	for _, f := range p.Files {
		if path.Dir(file) != f.Folder {
			continue
		}
		for _, pattern := range f.Names {
			if ok, err := path.Match(pattern, path.Base(file)); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// unmatched lists the patterns that no file has.
func (p *families) unmatched(files []string) []string {
	var stale []string
	for _, f := range p.Files {
		for _, pattern := range f.Names {
			if !slices.ContainsFunc(files, func(file string) bool {
				ok, err := path.Match(path.Join(f.Folder, pattern), file)
				return ok && err == nil
			}) {
				stale = append(stale, path.Join(f.Folder, pattern))
			}
		}
	}
	return stale
}

// names recognises operations in a file's source. Strings that are also operations count only
// if graphs or the table are imported.
type names struct {
	strings bool
	ids     string // the name under which the package of IDs is imported
}

// check lists the names of operations in lists.
func (p *families) check(file string, source []byte) ([]string, error) {
	if p.has(file) {
		return nil, nil
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, source, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	n := names{}
	for _, i := range f.Imports {
		at, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		switch strings.TrimPrefix(at, p.Module+"/") {
		case "compile/op", "compile/dag":
			n.strings = true
		case "compile/op/id":
			n.strings, n.ids = true, "id"
			if i.Name != nil {
				n.ids = i.Name.Name
			}
		}
	}
	if !n.strings {
		return nil, nil
	}
	var faults []string
	add := func(what string, found ...ast.Expr) {
		for _, e := range found {
			faults = append(faults, fmt.Sprintf("%s: operation %s in %s", set.Position(e.Pos()), n.of(e), what))
		}
	}
	inner := map[ast.Expr]bool{} // parts of a condition that was already checked
	ast.Inspect(f, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.CaseClause:
			add("a switch", n.all(x.List)...)
			add("conditions", n.inRow(x.Body, inner)...)
		case *ast.SwitchStmt:
			if x.Tag == nil {
				var conditions []ast.Expr
				for _, c := range x.Body.List {
					conditions = append(conditions, c.(*ast.CaseClause).List...)
				}
				add("a switch", n.several(conditions, inner)...)
			}
		case *ast.BlockStmt:
			add("conditions", n.inRow(x.List, inner)...)
		case *ast.CompositeLit:
			if isList(x.Type) {
				n.elements(x, add)
			}
		case *ast.CallExpr:
			if found := n.all(x.Args); len(found) > 1 {
				add("arguments", found...)
			}
		case *ast.BinaryExpr:
			if !inner[x] {
				if found := n.compared(x, inner); len(found) > 1 {
					add("a condition", found...)
				}
			}
		}
		return true
	})
	return faults, nil
}

func isList(t ast.Expr) bool {
	switch t.(type) {
	case *ast.ArrayType, *ast.MapType:
		return true
	}
	return false
}

// elements checks the elements and keys of a list, and of rows in it without a type of their
// own.
func (n names) elements(list *ast.CompositeLit, add func(what string, found ...ast.Expr)) {
	for _, e := range list.Elts {
		parts := []ast.Expr{e}
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			parts = []ast.Expr{kv.Key, kv.Value}
		}
		add("a list", n.all(parts)...)
		for _, part := range parts {
			if row, ok := part.(*ast.CompositeLit); ok && row.Type == nil {
				n.elements(row, add)
			}
		}
	}
}

// compared lists the operations that the parts of a condition compare something with.
func (n names) compared(e ast.Expr, inner map[ast.Expr]bool) []ast.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return n.compared(x.X, inner)
	case *ast.BinaryExpr:
		inner[x] = true
		switch x.Op {
		case token.LOR, token.LAND:
			return append(n.compared(x.X, inner), n.compared(x.Y, inner)...)
		case token.EQL, token.NEQ:
			return n.all([]ast.Expr{x.X, x.Y})
		}
	}
	return nil
}

// inRow lists the operations that conditions of one chain, or of statements that follow
// each other, ask for.
func (n names) inRow(list []ast.Stmt, inner map[ast.Expr]bool) []ast.Expr {
	var found, conditions []ast.Expr
	for _, s := range append(list, nil) {
		i, ok := s.(*ast.IfStmt)
		if !ok {
			found = append(found, n.several(conditions, inner)...)
			conditions = nil
			continue
		}
		for ok {
			conditions = append(conditions, i.Cond)
			i, ok = i.Else.(*ast.IfStmt)
		}
	}
	return found
}

// several lists the operations that conditions compare something with, where they are
// more than one.
func (n names) several(conditions []ast.Expr, inner map[ast.Expr]bool) []ast.Expr {
	var found []ast.Expr
	different := map[string]bool{}
	for _, c := range conditions {
		for _, e := range n.compared(c, inner) {
			found = append(found, e)
			different[n.of(e)] = true
		}
	}
	if len(different) < 2 {
		return nil
	}
	return found
}

func (n names) all(list []ast.Expr) []ast.Expr {
	var found []ast.Expr
	for _, e := range list {
		if n.of(e) != "" {
			found = append(found, e)
		}
	}
	return found
}

// of returns the operation that e names, or "".
func (n names) of(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return n.of(x.X)
	case *ast.BasicLit:
		if s, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
			if _, err := op.Lookup(s); err == nil {
				return s
			}
		}
	case *ast.SelectorExpr:
		if from, ok := x.X.(*ast.Ident); ok && n.ids != "" && from.Name == n.ids && x.Sel.IsExported() && !functions[x.Sel.Name] {
			return x.Sel.Name
		}
	}
	return ""
}

// functions are what the package of IDs has besides operations.
var functions = map[string]bool{"Of": true, "Count": true, "ID": true, "Unknown": true}
