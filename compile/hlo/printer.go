package hlo

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// ssa is a printed value: its name and the type under which it was defined.
// Every use takes its type from here, so text and types cannot part.
type ssa struct {
	name string
	typ  tensor.Type
}

type printer struct {
	g          *dag.Graph
	buf        bytes.Buffer
	indent     int
	next       int // number of the next unnamed value of the function
	values     map[*dag.Value]ssa
	scope      scope
	external   map[*dag.Node]bool           // constants that live in an archive
	calls      map[*dag.Node]call           // nodes that kernels compute
	skipped    map[*dag.Node]bool           // conversions that only those products use
	apart      map[*dag.Value]bool          // stored before others read them: see longRows, slicedWidenings, transposedProducts
	uses       map[*dag.Value]int           // how many take a value; see shared
	inState    map[*dag.Node]map[int]string // what loops keep in state variables
	fused      bool                         // reductions may be fused with what uses them
	integerF16 bool                         // see Options
	without    map[string]bool              // see Options
	node       *dag.Node                    // being lowered, for errors
	err        error                        // the first one
}

func newPrinter(g *dag.Graph) *printer {
	return &printer{g: g, values: map[*dag.Value]ssa{}, scope: newScope(), external: map[*dag.Node]bool{}, calls: map[*dag.Node]call{}, skipped: map[*dag.Node]bool{}, without: map[string]bool{}}
}

func (p *printer) line(format string, args ...any) {
	for range p.indent {
		p.buf.WriteString("  ")
	}
	fmt.Fprintf(&p.buf, format, args...)
	p.buf.WriteByte('\n')
}

func (p *printer) fail(code errs.Code, what string, args ...any) {
	if p.err != nil {
		return
	}
	path := p.g.Name
	if p.node != nil {
		path = p.node.Path
	}
	p.err = errs.New(code, what, args...).On(path)
}

// typ spells a tensor type.
func (p *printer) typ(t tensor.Type) string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, d := range t.Shape {
		if d.Size < 0 {
			b.WriteString("?x")
			continue
		}
		b.WriteString(strconv.FormatInt(d.Size, 10) + "x")
	}
	if t.DType.Bits() < 8 {
		p.fail(CodeDType, "%s cannot be an element type of a program", t.DType)
	}
	// Unsigned types keep their name (ui8): the input conversion takes from it
	// what divide, maximum and convert mean.
	d := t.DType
	if p.byBits(d) {
		d = dtype.I16
	}
	b.WriteString(d.MLIR() + ">")
	return b.String()
}

func (p *printer) typesOf(vs []ssa) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = p.typ(v.typ)
	}
	return strings.Join(parts, ", ")
}

// fresh names a value. Arguments of a function have the names of the model, which
// are letters, digits and "_"; those of regions have a "." too.
func (p *printer) fresh(t tensor.Type) ssa {
	v := ssa{"%" + strconv.Itoa(p.next), t}
	p.next++
	return v
}

// def prints "%n = text" and gives the value.
func (p *printer) def(t tensor.Type, format string, args ...any) ssa {
	v := p.fresh(t)
	p.line("%s = %s", v.name, fmt.Sprintf(format, args...))
	return v
}

// same prints an operation whose operands and result have one type.
func (p *printer) same(name string, vs ...ssa) ssa {
	return p.def(vs[0].typ, "%s %s : %s", name, names(vs), p.typ(vs[0].typ))
}

// to prints an operation with "(operand types) -> result type".
func (p *printer) to(t tensor.Type, name, extra string, vs ...ssa) ssa {
	return p.def(t, "%s %s%s : (%s) -> %s", name, names(vs), extra, p.typesOf(vs), p.typ(t))
}

func names(vs []ssa) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.name
	}
	return strings.Join(parts, ", ")
}

// ints prints "[1, 2]".
func ints(v []int64) string {
	parts := make([]string, len(v))
	for i, n := range v {
		parts[i] = strconv.FormatInt(n, 10)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// symbol spells a symbol reference; names with dots or slashes are quoted.
func symbol(name string) string {
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return "@" + quote(name)
		}
	}
	return "@" + name
}

// quote spells a string attribute: MLIR escapes bytes as \HH.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			fmt.Fprintf(&b, "\\%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// in gives the printed operand i of the node being lowered.
func (p *printer) in(n *dag.Node, i int) ssa { return p.values[n.Inputs[i]] }

func (p *printer) ins(n *dag.Node) []ssa {
	vs := make([]ssa, len(n.Inputs))
	for i := range vs {
		vs[i] = p.in(n, i)
	}
	return vs
}

// scalar is the type of one element of t.
func scalar(t tensor.Type) tensor.Type { return tensor.Type{DType: t.DType} }

// comparison is the kind that stablehlo.compare takes for an element type.
func comparison(d dtype.DType) string {
	switch {
	case d.IsFloat():
		return "FLOAT"
	case d.IsSigned():
		return "SIGNED"
	}
	return "UNSIGNED"
}
