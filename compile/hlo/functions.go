package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// functionLowerings are formulas for functions that StableHLO lacks.
var functionLowerings = map[id.ID]Lowering{
	id.Square: formula(func(p *Printer, x Value) Value { return p.Mul(x, x) }),
	id.Sign: formula(func(p *Printer, x Value) Value {
		if x.Type.DType.IsUnsigned() { // stablehlo.sign accepts no unsigned type
			return p.Same("stablehlo.minimum", x, p.Number(x, 1))
		}
		return p.Same("stablehlo.sign", x)
	}),
	id.Trunc: formula(func(p *Printer, x Value) Value {
		return p.Select(p.Compare("LT", x, p.Number(x, 0)), p.Same("stablehlo.ceil", x), p.Same("stablehlo.floor", x))
	}),
	id.Log2:        formula(func(p *Printer, x Value) Value { return p.Mul(p.Same("stablehlo.log", x), p.Number(x, math.Log2E)) }),
	id.Log10:       formula(func(p *Printer, x Value) Value { return p.Mul(p.Same("stablehlo.log", x), p.Number(x, math.Log10E)) }),
	id.Reciprocal:  formula(func(p *Printer, x Value) Value { return p.Div(p.Number(x, 1), x) }),
	id.Relu:        formula(func(p *Printer, x Value) Value { return p.Same("stablehlo.maximum", x, p.Number(x, 0)) }),
	id.Relu6:       formula(func(p *Printer, x Value) Value { return p.Between(x, 0, 6) }),
	id.Silu:        formula(func(p *Printer, x Value) Value { return p.Mul(x, p.Same("stablehlo.logistic", x)) }),
	id.Softplus:    formula((*Printer).softplus),
	id.Mish:        formula(func(p *Printer, x Value) Value { return p.Mul(x, p.Same("stablehlo.tanh", p.softplus(x))) }),
	id.Hardsigmoid: formula((*Printer).hardsigmoid),
	id.Hardswish:   formula(func(p *Printer, x Value) Value { return p.Mul(x, p.hardsigmoid(x)) }),
	id.Selu: formula(func(p *Printer, x Value) Value {
		above := p.Mul(p.Number(x, op.SELUScale), x)
		return p.Select(p.Compare("GT", x, p.Number(x, 0)), above, p.Mul(p.Number(x, op.SELUScale*op.SELUAlpha), p.below(x)))
	}),
	id.GeluTanh: formula(func(p *Printer, x Value) Value {
		cube := p.Mul(p.Number(x, 0.044715), p.Mul(x, p.Mul(x, x)))
		y := p.Mul(p.Number(x, 2*math.Sqrt(2/math.Pi)), p.Same("stablehlo.add", x, cube))
		return p.Mul(x, p.Same("stablehlo.logistic", y)) // (1 + tanh y)/2 is the logistic of 2y
	}),
	id.LeakyRelu: func(p *Printer, n *dag.Node) {
		x := p.wideIn(n)
		y := p.Select(p.Compare("LT", x, p.Number(x, 0)), p.Mul(p.Number(x, n.Attrs.Float("slope")), x), x)
		p.Bind(n, p.Convert(y, n.Outputs[0].Type.DType))
	},
	id.Elu: func(p *Printer, n *dag.Node) {
		x := p.wideIn(n)
		y := p.Select(p.Compare("GT", x, p.Number(x, 0)), x, p.Mul(p.Number(x, n.Attrs.Float("alpha")), p.below(x)))
		p.Bind(n, p.Convert(y, n.Outputs[0].Type.DType))
	},
	id.IsNan:    func(p *Printer, n *dag.Node) { x := p.In(n, 0); p.Bind(n, p.Compare("NE", x, x)) },
	id.IsFinite: magnitude("LT"),
	id.IsInf:    magnitude("EQ"),
}

// magnitude compares |x| with infinity.
func magnitude(direction string) Lowering {
	return func(p *Printer, n *dag.Node) {
		x := p.In(n, 0)
		p.Bind(n, p.Compare(direction, p.Same("stablehlo.abs", x), p.Number(x, math.Inf(1))))
	}
}

// formula computes narrow floats in f32 and rounds once.
func formula(f func(p *Printer, x Value) Value) Lowering {
	return func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Convert(f(p, p.wideIn(n)), n.Outputs[0].Type.DType))
	}
}

func (p *Printer) wideIn(n *dag.Node) Value {
	x := p.In(n, 0)
	return p.Convert(x, Wide(x.Type).DType)
}

// Mul prints an elementwise multiplication.
func (p *Printer) Mul(a, b Value) Value { return p.Same("stablehlo.multiply", a, b) }

// Add prints an elementwise addition.
func (p *Printer) Add(a, b Value) Value { return p.Same("stablehlo.add", a, b) }

// Sub prints an elementwise subtraction.
func (p *Printer) Sub(a, b Value) Value { return p.Same("stablehlo.subtract", a, b) }

// Div prints an elementwise division.
func (p *Printer) Div(a, b Value) Value { return p.Same("stablehlo.divide", a, b) }

// Number returns a constant with the type of x.
func (p *Printer) Number(x Value, v float64) Value {
	return p.Fill(x.Type, tensor.Round(x.Type.DType, v), x)
}

func plainCompare(p *Printer, direction string, a, b Value) Value {
	t := tensor.Type{DType: dtype.Bool, Shape: a.Type.Shape}
	return p.Def(t, "stablehlo.compare %s, %s, %s, %s : (%s) -> %s",
		direction, a.Name, b.Name, comparison(a.Type.DType), p.Types([]Value{a, b}), p.Type(t))
}

// Select returns the elements of a where c is true, of b elsewhere.
func (p *Printer) Select(c, a, b Value) Value {
	return p.Def(a.Type, "stablehlo.select %s : %s, %s", Names([]Value{c, a, b}), p.Type(c.Type), p.Type(a.Type))
}

// Between returns min(max(x, low), high).
func (p *Printer) Between(x Value, low, high float64) Value {
	return p.Same("stablehlo.minimum", p.Same("stablehlo.maximum", x, p.Number(x, low)), p.Number(x, high))
}

// below returns e^min(x, 0) - 1, whose exponential does not overflow for values that
// are not used.
func (p *Printer) below(x Value) Value {
	return p.Same("stablehlo.exponential_minus_one", p.Same("stablehlo.minimum", x, p.Number(x, 0)))
}

func (p *Printer) softplus(x Value) Value {
	e := p.Same("stablehlo.exponential", p.Same("stablehlo.negate", p.Same("stablehlo.abs", x)))
	return p.Same("stablehlo.add", p.Same("stablehlo.maximum", x, p.Number(x, 0)), p.Same("stablehlo.log_plus_one", e))
}

func (p *Printer) hardsigmoid(x Value) Value {
	return p.Between(p.Same("stablehlo.add", p.Mul(x, p.Number(x, 1.0/6)), p.Number(x, 0.5)), 0, 1)
}
