package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// spelled returns the lowering of an operation that StableHLO or CHLO has, with operands and
// result of the same type.
func spelled(s op.Spelling) Lowering {
	if s.Wide {
		return formula(func(p *Printer, x Value) Value { return p.Same(s.Name, x) })
	}
	return func(p *Printer, n *dag.Node) { p.Bind(n, p.Same(s.Name, p.Ins(n)...)) }
}

var elementwiseLowerings = merged(functionLowerings, binaryLowerings, map[id.ID]Lowering{
	id.Abs: func(p *Printer, n *dag.Node) {
		x := p.In(n, 0)
		if !x.Type.DType.IsUnsigned() { // stablehlo.abs does not accept unsigned types
			x = p.Same("stablehlo.abs", x)
		}
		p.Bind(n, x)
	},
	id.Gelu: func(p *Printer, n *dag.Node) {
		x := p.In(n, 0)
		half := p.Number(x, 0.5)
		root := p.Number(x, math.Sqrt2/2)
		one := p.Number(x, 1)
		e := p.erf(p.Same("stablehlo.multiply", x, root))
		p.Bind(n, p.Same("stablehlo.multiply", p.Same("stablehlo.multiply", x, half), p.Same("stablehlo.add", e, one)))
	},
	id.Compare: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Compare(n.Attrs.String("direction"), p.In(n, 0), p.In(n, 1)))
	},
	id.Select: func(p *Printer, n *dag.Node) {
		c, a, b := p.In(n, 0), p.In(n, 1), p.In(n, 2)
		p.Bind(n, p.Def(a.Type, "stablehlo.select %s : %s, %s", Names([]Value{c, a, b}), p.Type(c.Type), p.Type(a.Type)))
	},
	id.Bitcast: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Bitcast(p.In(n, 0), n.Attrs.DType("dtype")))
	},
	id.Convert: func(p *Printer, n *dag.Node) {
		x, d := p.In(n, 0), n.Attrs.DType("dtype")
		if x.Type.DType.IsFloat() && d.IsInt() {
			p.Bind(n, p.integers(x, d, Interval(n.Inputs[0], 8)))
			return
		}
		p.Bind(n, p.Convert(x, d))
	},
})

func (p *Printer) erf(x Value) Value {
	return p.Same("chlo.erf", x)
}
