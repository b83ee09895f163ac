package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/skainet-dev/skainet-go/backend/typed"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// taken are the names that the package declares for itself: of types and functions, and of
// the methods of Model.
var taken = struct{ types, methods []string }{
	[]string{"Model", "Open"}, []string{"Close", "Contract", "Executable", "Session"},
}

// file is what the template shows.
type file struct {
	Label, Package, Program string
	Entries                 []entry
	Values                  bool // whether a value of a type without a Go type is passed
}

type entry struct {
	Name, Method  string
	State         bool
	In, Out       string // the structs, or "" where the one value is passed itself
	Args, Results []value
	Sizes         []size
	Fields        bool // whether sizes have fields
}

type value struct {
	Field, Local string
	Doc          string // "x: f32[3]"
	Go           string // the type: []float32
	Pass, Take   string // the functions of package typed
}

// size is a size that a call gives: of a field, or of an argument's length, in a struct or
// not.
type size struct{ Name, Field, Expr, Local, Doc string }

// goTypes are the Go types of the element types; others are typed.IsRounded, or passed as
// a tensor.Value.
var goTypes = map[dtype.DType]string{
	dtype.F32: "float32", dtype.F64: "float64", dtype.Bool: "bool",
	dtype.I8: "int8", dtype.I16: "int16", dtype.I32: "int32", dtype.I64: "int64",
	dtype.U8: "uint8", dtype.U16: "uint16", dtype.U32: "uint32", dtype.U64: "uint64",
}

// generate returns the package's source.
func generate(label, pkg string, c *contract.Contract) ([]byte, error) {
	if !token.IsIdentifier(pkg) || pkg == "_" {
		return nil, errs.New(CodePackage, "%q is not a valid Go package name", pkg).On(label).
			Hint("set package, or an importpath whose last element has only letters, digits and _")
	}
	f := file{Label: label, Package: pkg, Program: c.Name}
	types, methods := names{}, names{}
	for _, n := range taken.types {
		types.once(n)
	}
	for _, n := range taken.methods {
		methods.once(n)
	}
	for i := range c.Entries {
		e := describe(&c.Entries[i], types, methods)
		for _, v := range slices.Concat(e.Args, e.Results) {
			f.Values = f.Values || strings.HasSuffix(v.Go, "tensor.Value")
		}
		f.Entries = append(f.Entries, e)
	}
	var b bytes.Buffer
	if err := source.Execute(&b, f); err != nil {
		return nil, errs.Wrap(CodePackage, err, "the package cannot be written").On(label)
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return nil, errs.Wrap(CodePackage, err, "the package cannot be written").On(label)
	}
	return text, nil
}

func describe(e *contract.Entry, types, methods names) entry {
	out := entry{Name: e.Name, Method: methods.exported(e.Name), State: e.State}
	fields := names{}
	for _, a := range e.Args {
		out.Args = append(out.Args, valueOf(a, fields.exported(a.Name)))
	}
	out.Sizes = sizesOf(e, out.Args, fields)
	own := 0
	for i, z := range out.Sizes {
		if z.Field != "" {
			own++
		} else {
			out.Sizes[i].Expr = strings.Replace(z.Expr, "len(", "len(in.", 1)
		}
	}
	out.Fields = own > 0
	results := names{}
	for _, r := range e.Results {
		out.Results = append(out.Results, valueOf(r, results.exported(r.Name)))
	}
	if len(out.Args)+own > 1 {
		out.In = types.once(out.Method + "In")
	}
	if len(out.Results) > 1 {
		out.Out = types.once(out.Method + "Out")
	}
	return out
}

// valueOf describes an argument or a result.
func valueOf(n contract.Named, field string) value {
	v := value{Field: field, Local: local(n.Name), Doc: printable(n.Name + ": " + n.Type().String())}
	scalar := n.Shape.Rank() == 0
	goType, ok := goTypes[n.DType]
	switch {
	case ok && scalar:
		v.Pass, v.Take = "Scalar", "Element["+goType+"]"
	case ok:
		v.Pass, v.Take = "Slice", "Elements["+goType+"]"
	case typed.IsRounded(n.DType) && scalar:
		goType, v.Pass, v.Take = "float32", "RoundedScalar", "WidenedElement"
	case typed.IsRounded(n.DType):
		goType, v.Pass, v.Take = "float32", "Rounded", "Widened"
	default:
		v.Go, v.Pass, v.Take = "tensor.Value", "Value", "Result"
		return v
	}
	if v.Go = goType; !scalar {
		v.Go = "[]" + goType
	}
	return v
}

// sizesOf returns the sizes that a call gives, in the order of the arguments: those that the
// length of an argument tells, and those that have a field. A tensor.Value has sizes of its
// own.
func sizesOf(e *contract.Entry, args []value, fields names) (list []size) {
	told := map[string]bool{}
	passed := func(a contract.Named) bool { return goTypes[a.DType] != "" || typed.IsRounded(a.DType) }
	for i, a := range e.Args {
		name, expr := fromLength(a)
		if passed(a) && name != "" && !told[name] {
			told[name] = true
			list = append(list, size{Name: name, Expr: fmt.Sprintf(expr, args[i].Field), Local: fmt.Sprintf(expr, args[i].Local)})
		}
	}
	for _, a := range e.Args {
		if !passed(a) {
			continue
		}
		for i, d := range a.Shape {
			needed := d.Names()
			if !d.IsKnown() {
				needed = []string{typed.SizeName(a, i)}
			}
			for _, name := range needed {
				if !told[name] {
					told[name] = true
					field := fields.exported(name)
					list = append(list, size{name, field, "in." + field, "", printable(name)})
				}
			}
		}
	}
	return list
}

// fromLength returns the size that an argument's length tells, and how: the product of its
// other sizes is a number.
func fromLength(a contract.Named) (name, expr string) {
	product := int64(1)
	for i, d := range a.Shape {
		switch {
		case d.IsStatic():
			if product *= d.Size; d.Size < 1 || product > math.MaxInt32 {
				return "", ""
			}
		case name != "" || d.IsKnown() && !d.IsName():
			return "", ""
		case d.IsKnown():
			name = d.Name
		default:
			name = typed.SizeName(a, i)
		}
	}
	if product == 1 {
		return name, "int64(len(%s))"
	}
	return name, fmt.Sprintf("int64(len(%%s)) / %d", product)
}

// printable returns a text that fits in a line of a comment.
func printable(text string) string {
	q := strconv.Quote(text)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

var source = template.Must(template.New("package").Funcs(template.FuncMap{"quote": strconv.Quote, "printable": printable}).Parse(`// Code generated by skainet_go_library from {{printable .Label}}. DO NOT EDIT.

// Package {{.Package}} calls the compiled program {{printable .Program}}:
//
//	m, err := {{.Package}}.Open(program.Options{})
//	if err != nil {
//		return err
//	}
//	defer m.Close()
//
// Slices hold elements in row-major order. An element type that Go does not have, f16 or
// bf16, is float32 here: arguments are rounded to nearest even, results are exact.
//
// # Errors
//
// BACKEND_BAD_ARGUMENT for arguments that do not fit the entry point; LAUNCH_RUNFILES and
// LAUNCH_DEVICE from Open, as in package backend/program; IREE_* of the runtime.
package {{.Package}}

import (
	"context"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/backend/typed"
	"github.com/skainet-dev/skainet-go/compile/contract"
	{{- if .Values}}
	"github.com/skainet-dev/skainet-go/tensor"
	{{- end}}
)

// parts says where the build put the program; the same target sets it.
var parts program.Parts

// Model is a session of the program: its weights, and the state that calls leave for later
// ones. One goroutine uses it at a time.
type Model struct{ x backend.Executable }

// Open loads the program that the build made. The zero options run it on all cores of the
// CPU.
func Open(o program.Options) (*Model, error) {
	x, err := typed.Open(parts, o)
	if err != nil {
		return nil, err
	}
	return &Model{x}, nil
}

// Session opens another session, with state of its own; the program and the weights are in
// memory once. The scopes in archives, such as an adapter's, have these .irpa files; nil
// leaves all as they are. Either session may be closed first.
func (m *Model) Session(archives map[string][]string) (*Model, error) {
	x, err := typed.Session(m.x, archives)
	if err != nil {
		return nil, err
	}
	return &Model{x}, nil
}

// Contract describes the entry points.
func (m *Model) Contract() *contract.Contract { return m.x.Contract() }

// Executable returns the program itself, for what has no method here.
func (m *Model) Executable() backend.Executable { return m.x }

// Close frees what the session has.
func (m *Model) Close() error { return m.x.Close() }
{{range $e := .Entries}}
{{- if .In}}
// {{.In}} are the arguments of {{.Method}}.
type {{.In}} struct {
	{{- range .Args}}
	{{.Field}} {{.Go}} // {{.Doc}}
	{{- end}}
{{if .Fields}}
	// Sizes of dimensions, each 1 or more.
	{{- range .Sizes}}{{if .Field}}
	{{.Field}} int64 // {{.Doc}}
	{{- end}}{{end}}
{{end -}}
}
{{end}}
{{- if .Out}}
// {{.Out}} are the results of {{.Method}}.
type {{.Out}} struct {
	{{- range .Results}}
	{{.Field}} {{.Go}} // {{.Doc}}
	{{- end}}
}
{{end}}
// {{.Method}} calls the entry point {{printable .Name}}.
{{- if .State}} It continues from the session's earlier calls.{{end}}
{{- if not .In}}{{range .Args}} The argument is {{.Doc}}.{{end}}{{end}}
{{- if not .Out}}{{range .Results}} The result is {{.Doc}}.{{end}}{{end}}
func (m *Model) {{.Method}}(ctx context.Context
	{{- if .In}}, in {{.In}}{{else}}{{range .Args}}, {{.Local}} {{.Go}}{{end}}{{end}}) (
	{{- if .Out}}out {{.Out}}, {{else}}{{range .Results}}out {{.Go}}, {{end}}{{end}}err error) {
	c := typed.Begin(m.x, {{quote .Name}}, {{if .Sizes}}typed.Sizes{ {{- range .Sizes}}{{quote .Name}}: {{if $e.In}}{{.Expr}}{{else}}{{.Local}}{{end}}, {{end -}} }{{else}}nil{{end}})
	{{- range .Args}}
	typed.{{.Pass}}(c, {{if $e.In}}in.{{.Field}}{{else}}{{.Local}}{{end}})
	{{- end}}
	c.Run(ctx)
	{{- if .Out}}
	{{- range .Results}}
	out.{{.Field}} = typed.{{.Take}}(c)
	{{- end}}
	{{- else}}{{range .Results}}
	out = typed.{{.Take}}(c)
	{{- end}}{{end}}
	return {{if .Results}}out, {{end}}c.Err()
}
{{end}}`))
