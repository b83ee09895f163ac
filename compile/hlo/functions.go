package hlo

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// functionLowerings are those of one operand beyond the plain ones: a function
// that StableHLO or CHLO has, or its formula.
var functionLowerings = map[string]lowering{
	"ceil":   plain("ceil"),
	"round":  plain("round_nearest_even"),
	"cbrt":   widened("cbrt"),
	"expm1":  widened("exponential_minus_one"),
	"log1p":  widened("log_plus_one"),
	"tan":    widened("tan"),
	"asin":   chlo("asin"),
	"acos":   chlo("acos"),
	"atan":   chlo("atan"),
	"sinh":   chlo("sinh"),
	"cosh":   chlo("cosh"),
	"asinh":  chlo("asinh"),
	"acosh":  chlo("acosh"),
	"atanh":  chlo("atanh"),
	"erfc":   chlo("erfc"),
	"square": formula(func(p *printer, x ssa) ssa { return p.mul(x, x) }),
	"sign": formula(func(p *printer, x ssa) ssa {
		if x.typ.DType.IsUnsigned() { // stablehlo.sign takes no unsigned type
			return p.same("stablehlo.minimum", x, p.number(x, 1))
		}
		return p.same("stablehlo.sign", x)
	}),
	"trunc": formula(func(p *printer, x ssa) ssa {
		return p.choose(p.compare("LT", x, p.number(x, 0)), p.same("stablehlo.ceil", x), p.same("stablehlo.floor", x))
	}),
	"log2":        formula(func(p *printer, x ssa) ssa { return p.mul(p.same("stablehlo.log", x), p.number(x, math.Log2E)) }),
	"log10":       formula(func(p *printer, x ssa) ssa { return p.mul(p.same("stablehlo.log", x), p.number(x, math.Log10E)) }),
	"reciprocal":  formula(func(p *printer, x ssa) ssa { return p.div(p.number(x, 1), x) }),
	"relu":        formula(func(p *printer, x ssa) ssa { return p.same("stablehlo.maximum", x, p.number(x, 0)) }),
	"relu6":       formula(func(p *printer, x ssa) ssa { return p.between(x, 0, 6) }),
	"silu":        formula(func(p *printer, x ssa) ssa { return p.mul(x, p.same("stablehlo.logistic", x)) }),
	"softplus":    formula((*printer).softplus),
	"mish":        formula(func(p *printer, x ssa) ssa { return p.mul(x, p.unary("tanh", p.softplus(x))) }),
	"hardsigmoid": formula((*printer).hardsigmoid),
	"hardswish":   formula(func(p *printer, x ssa) ssa { return p.mul(x, p.hardsigmoid(x)) }),
	"selu": formula(func(p *printer, x ssa) ssa {
		above := p.mul(p.number(x, op.SELUScale), x)
		return p.choose(p.compare("GT", x, p.number(x, 0)), above, p.mul(p.number(x, op.SELUScale*op.SELUAlpha), p.below(x)))
	}),
	"gelu_tanh": formula(func(p *printer, x ssa) ssa {
		cube := p.mul(p.number(x, 0.044715), p.mul(x, p.mul(x, x)))
		y := p.mul(p.number(x, 2*math.Sqrt(2/math.Pi)), p.same("stablehlo.add", x, cube))
		return p.mul(x, p.same("stablehlo.logistic", y)) // (1 + tanh y)/2 is the logistic of 2y
	}),
	"leaky_relu": func(p *printer, n *dag.Node) {
		x := p.wideIn(n)
		y := p.choose(p.compare("LT", x, p.number(x, 0)), p.mul(p.number(x, n.Attrs.Float("slope")), x), x)
		p.bind(n, p.convert(y, n.Outputs[0].Type.DType))
	},
	"elu": func(p *printer, n *dag.Node) {
		x := p.wideIn(n)
		y := p.choose(p.compare("GT", x, p.number(x, 0)), x, p.mul(p.number(x, n.Attrs.Float("alpha")), p.below(x)))
		p.bind(n, p.convert(y, n.Outputs[0].Type.DType))
	},
	"is_nan":    func(p *printer, n *dag.Node) { x := p.in(n, 0); p.bind(n, p.compare("NE", x, x)) },
	"is_finite": magnitude("LT"),
	"is_inf":    magnitude("EQ"),
}

// magnitude compares |x| with infinity.
func magnitude(direction string) lowering {
	return func(p *printer, n *dag.Node) {
		x := p.in(n, 0)
		p.bind(n, p.compare(direction, p.same("stablehlo.abs", x), p.number(x, math.Inf(1))))
	}
}

// angles are functions whose form for f64 is used for f32 too: see atan2.
var angles = []string{"asin", "acos", "atan"}

func chlo(name string) lowering {
	return formula(func(p *printer, x ssa) ssa {
		if f := functions64[name]; f != nil && (x.typ.DType == dtype.F64 || slices.Contains(angles, name)) {
			return f(p, x)
		}
		return p.def(x.typ, "chlo.%s %s : %s -> %s", name, x.name, p.typ(x.typ), p.typ(x.typ))
	})
}

func widened(name string) lowering {
	return formula(func(p *printer, x ssa) ssa { return p.unary(name, x) })
}

// formula computes narrow floats in f32 and rounds once.
func formula(f func(p *printer, x ssa) ssa) lowering {
	return func(p *printer, n *dag.Node) {
		p.bind(n, p.convert(f(p, p.wideIn(n)), n.Outputs[0].Type.DType))
	}
}

func (p *printer) wideIn(n *dag.Node) ssa {
	x := p.in(n, 0)
	return p.convert(x, f32(x.typ).DType)
}

func (p *printer) mul(a, b ssa) ssa { return p.same("stablehlo.multiply", a, b) }

func (p *printer) div(a, b ssa) ssa { return p.same("stablehlo.divide", a, b) }

// number is a constant like x.
func (p *printer) number(x ssa, v float64) ssa { return p.fill(x.typ, round(x.typ.DType, v), x) }

func (p *printer) compare(direction string, a, b ssa) ssa {
	t := tensor.Type{DType: dtype.Bool, Shape: a.typ.Shape}
	if itself(a, b) {
		equal := 0.0
		if direction == "EQ" || direction == "LE" || direction == "GE" {
			equal = 1
		}
		return p.fill(t, equal, a)
	}
	return p.def(t, "stablehlo.compare %s, %s, %s, %s : (%s) -> %s",
		direction, a.name, b.name, comparison(a.typ.DType), p.typesOf([]ssa{a, b}), p.typ(t))
}

// itself says whether a and b are one dynamic value of integers or bools: of what
// it computes from them the pinned compiler makes a constant of a dynamic type,
// which it then refuses (IREE 3.13.0).
func itself(a, b ssa) bool {
	return a.name == b.name && !a.typ.DType.IsFloat() && !a.typ.Shape.IsStatic()
}

func (p *printer) choose(c, a, b ssa) ssa {
	return p.def(a.typ, "stablehlo.select %s : %s, %s", names([]ssa{c, a, b}), p.typ(c.typ), p.typ(a.typ))
}

// between gives min(max(x, low), high).
func (p *printer) between(x ssa, low, high float64) ssa {
	return p.same("stablehlo.minimum", p.same("stablehlo.maximum", x, p.number(x, low)), p.number(x, high))
}

// below gives e^min(x, 0) - 1: the exponential does not overflow where its value
// is not used.
func (p *printer) below(x ssa) ssa {
	return p.unary("exponential_minus_one", p.same("stablehlo.minimum", x, p.number(x, 0)))
}

func (p *printer) softplus(x ssa) ssa {
	e := p.same("stablehlo.exponential", p.same("stablehlo.negate", p.same("stablehlo.abs", x)))
	return p.same("stablehlo.add", p.same("stablehlo.maximum", x, p.number(x, 0)), p.unary("log_plus_one", e))
}

func (p *printer) hardsigmoid(x ssa) ssa {
	return p.between(p.same("stablehlo.add", p.mul(x, p.number(x, 1.0/6)), p.number(x, 0.5)), 0, 1)
}

// roundedBF16 converts numbers of f32 by their bits, to the nearest even.
func (p *printer) roundedBF16(x ssa) ssa {
	bits := p.as(x, dtype.I32)
	right := func(v ssa) ssa { return p.same("stablehlo.shift_right_logical", v, p.number(v, 16)) }
	even := p.same("stablehlo.and", right(bits), p.number(bits, 1))
	half := p.same("stablehlo.add", p.number(bits, 0x7FFF), even)
	return p.as(p.convert(right(p.same("stablehlo.add", bits, half)), dtype.I16), dtype.BF16)
}

// ofIntegers says whether v may be integers that were converted: what nodes at most
// depth steps away give.
func ofIntegers(v *dag.Value, depth int) bool {
	n := v.Node
	if n == nil || depth == 0 {
		return false
	}
	if n.Op.ID == id.Convert && !n.Inputs[0].Type.DType.IsFloat() {
		return true
	}
	switch n.Op.Family {
	case op.Elementwise, op.Layout:
		return slices.ContainsFunc(n.Inputs, func(v *dag.Value) bool { return ofIntegers(v, depth-1) })
	}
	return false
}
