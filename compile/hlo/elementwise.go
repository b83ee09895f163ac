package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// plain is the lowering of an operation that StableHLO has under some name,
// with operands and result of one type.
func plain(name string) Lowering {
	return func(p *Printer, n *dag.Node) { p.Bind(n, p.Same("stablehlo."+name, p.Ins(n)...)) }
}

var elementwiseLowerings = merged(functionLowerings, binaryLowerings, map[id.ID]Lowering{
	id.Negate: plain("negate"),
	id.Abs: func(p *Printer, n *dag.Node) {
		x := p.In(n, 0)
		if !x.Type.DType.IsUnsigned() { // which stablehlo.abs does not take
			x = p.Same("stablehlo.abs", x)
		}
		p.Bind(n, x)
	},
	id.Exp:      plain("exponential"),
	id.Log:      plain("log"),
	id.Sqrt:     plain("sqrt"),
	id.Rsqrt:    plain("rsqrt"),
	id.Tanh:     plain("tanh"),
	id.Logistic: plain("logistic"),
	id.Sine:     plain("sine"),
	id.Cosine:   plain("cosine"),
	id.Floor:    plain("floor"),
	id.Not:      plain("not"),
	id.Add:      plain("add"),
	id.Subtract: plain("subtract"),
	id.Multiply: plain("multiply"),
	id.Maximum:  plain("maximum"),
	id.Minimum:  plain("minimum"),
	id.Power:    plain("power"),
	id.And:      plain("and"),
	id.Or:       plain("or"),
	id.Erf:      func(p *Printer, n *dag.Node) { p.Bind(n, p.erf(p.In(n, 0))) },
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
	id.Convert: func(p *Printer, n *dag.Node) { p.Bind(n, p.Convert(p.In(n, 0), n.Attrs.DType("dtype"))) },
})

func (p *Printer) erf(x Value) Value {
	return p.Same("chlo.erf", x)
}

// Round returns v as the element type holds it, so that its literal is exact.
func Round(d dtype.DType, v float64) float64 {
	switch d {
	case dtype.F32:
		return float64(float32(v))
	case dtype.F16:
		return float64(tensor.F16ToF32(tensor.F32ToF16(float32(v))))
	case dtype.BF16:
		return float64(tensor.BF16ToF32(tensor.F32ToBF16(float32(v))))
	}
	return v
}
