package hlo

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Value is a printed value: its name and the type with which it was defined.
// Every use takes its type from here, so text and types cannot diverge.
type Value struct {
	Name string
	Type tensor.Type
}

// Printer prints the functions of a graph. Its methods print operations of
// StableHLO in order and return their results.
type Printer struct {
	form     *Form
	g        *dag.Graph
	buf      bytes.Buffer
	indent   int
	next     int // number of the next unnamed value of the function
	values   map[*dag.Value]Value
	scope    scope
	external map[*dag.Node]bool    // constants in an archive
	unfused  map[*dag.Value]bool   // after a barrier: see Separate
	uses     map[*dag.Value]int    // number of uses of a value; see Takers
	access   map[*dag.Func]access  // additional arguments and results of functions
	inside   *dag.Func             // being printed
	lies     map[string]*dag.Value // see Argument
	node     *dag.Node             // being lowered, for errors
	written  written               // functions of registered operations
	taken    map[string]string     // symbols, and what has them
	err      error                 // the first one
}

func newPrinter(g *dag.Graph, f *Form) *Printer {
	return &Printer{form: f, g: g, values: map[*dag.Value]Value{}, scope: newScope(), external: map[*dag.Node]bool{}, unfused: map[*dag.Value]bool{}}
}

// Graph returns the graph as it is printed.
func (p *Printer) Graph() *dag.Graph { return p.g }

// Form returns the form in which p prints.
func (p *Printer) Form() *Form { return p.form }

// Value returns the printed value of a value of the graph.
func (p *Printer) Value(v *dag.Value) Value { return p.values[v] }

// Set sets the printed value of a value of the graph.
func (p *Printer) Set(v *dag.Value, printed Value) { p.values[v] = printed }

// Argument returns the argument of the function that is printed, or of a loop in it, in
// whose memory v lies: v is the argument itself, or the same bits in another shape or
// type. It returns nil for what was computed or loaded.
func (p *Printer) Argument(v Value) *dag.Value { return p.lies[v.Name] }

// same records that v has the bits of x.
func (p *Printer) same(v, x Value) Value {
	if a := p.lies[x.Name]; a != nil {
		p.lies[v.Name] = a
	}
	return v
}

// With prints body with another value instead of one of the graph.
func (p *Printer) With(v *dag.Value, printed Value, body func()) {
	before := p.values[v]
	p.values[v] = printed
	body()
	p.values[v] = before
}

// Separate puts the value of a node behind an optimization barrier, so that it is not
// fused with its uses.
func (p *Printer) Separate(v *dag.Value) { p.unfused[v] = true }

// IsSeparate reports whether the value is behind a barrier.
func (p *Printer) IsSeparate(v *dag.Value) bool { return p.unfused[v] }

// Text adds lines unchanged.
func (p *Printer) Text(lines string) { p.buf.WriteString(lines) }

// Line prints a line, indented for the region.
func (p *Printer) Line(format string, args ...any) {
	for range p.indent {
		p.buf.WriteString("  ")
	}
	fmt.Fprintf(&p.buf, format, args...)
	p.buf.WriteByte('\n')
}

// Fail records an error at the node that is being printed; the first error is kept.
func (p *Printer) Fail(code errs.Code, what string, args ...any) {
	if p.err != nil {
		return
	}
	path := p.g.Name
	if p.node != nil {
		path = p.node.Path
	}
	p.err = errs.New(code, what, args...).On(path)
}

// Type spells a tensor type.
func (p *Printer) Type(t tensor.Type) string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, d := range t.Shape {
		if d.Size < 0 && p.form.Most != nil {
			d = shape.N(p.mostOf(d))
		}
		if d.Size < 0 {
			b.WriteString("?x")
			continue
		}
		b.WriteString(strconv.FormatInt(d.Size, 10) + "x")
	}
	if t.DType.Bits() < 8 {
		p.Fail(CodeDType, "%s cannot be an element type of a program", t.DType)
	}
	// Unsigned types keep their name (ui8), which determines the semantics of divide,
	// maximum and convert.
	b.WriteString(p.form.Element(t.DType).MLIR() + ">")
	return b.String()
}

// Types spells the types of values.
func (p *Printer) Types(vs []Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = p.Type(v.Type)
	}
	return strings.Join(parts, ", ")
}

// Fresh returns a value with a name. Arguments of a function have the model's names,
// of letters, digits and "_"; those of regions also contain a ".".
func (p *Printer) Fresh(t tensor.Type) Value {
	v := Value{"%" + strconv.Itoa(p.next), t}
	p.next++
	return v
}

// Def prints "%n = text" and returns the value.
func (p *Printer) Def(t tensor.Type, format string, args ...any) Value {
	v := p.Fresh(t)
	p.Line("%s = %s", v.Name, fmt.Sprintf(format, args...))
	return v
}

func plainOp(p *Printer, name string, vs ...Value) Value {
	if strings.HasPrefix(name, "chlo.") {
		t := p.Type(vs[0].Type)
		return p.Def(vs[0].Type, "%s %s : %s -> %s", name, Names(vs), t, t)
	}
	return p.Def(vs[0].Type, "%s %s : %s", name, Names(vs), p.Type(vs[0].Type))
}

// To prints an operation with "(operand types) -> result type".
func (p *Printer) To(t tensor.Type, name, extra string, vs ...Value) Value {
	return p.Def(t, "%s %s%s : (%s) -> %s", name, Names(vs), extra, p.Types(vs), p.Type(t))
}

// Names joins the names of values.
func Names(vs []Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.Name
	}
	return strings.Join(parts, ", ")
}

// Ints formats integers as "[1, 2]".
func Ints(v []int64) string {
	parts := make([]string, len(v))
	for i, n := range v {
		parts[i] = strconv.FormatInt(n, 10)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Symbol spells a symbol reference; names with dots or slashes are quoted.
func Symbol(name string) string {
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return "@" + Quote(name)
		}
	}
	return "@" + name
}

// Quote spells a string attribute.
func Quote(s string) string { return `"` + op.Escaped(s) + `"` }

// In returns the printed operand i of the node being lowered.
func (p *Printer) In(n *dag.Node, i int) Value { return p.values[n.Inputs[i]] }

// Ins returns the printed operands of n.
func (p *Printer) Ins(n *dag.Node) []Value {
	vs := make([]Value, len(n.Inputs))
	for i := range vs {
		vs[i] = p.In(n, i)
	}
	return vs
}

// Scalar returns the type of one element of t.
func Scalar(t tensor.Type) tensor.Type { return tensor.Type{DType: t.DType} }

// comparison returns the comparison kind of stablehlo.compare for an element type.
func comparison(d dtype.DType) string {
	switch {
	case d.IsFloat():
		return "FLOAT"
	case d.IsSigned():
		return "SIGNED"
	}
	return "UNSIGNED"
}
