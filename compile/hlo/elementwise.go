package hlo

import (
	"maps"
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// plain is the lowering of an operation that StableHLO has under some name,
// with operands and result of one type.
func plain(name string) lowering {
	return func(p *printer, n *dag.Node) { p.bind(n, p.same("stablehlo."+name, p.ins(n)...)) }
}

var elementwiseLowerings = merged(functionLowerings, binaryLowerings, map[string]lowering{
	"negate": plain("negate"),
	"abs": func(p *printer, n *dag.Node) {
		x := p.in(n, 0)
		if !x.typ.DType.IsUnsigned() { // which stablehlo.abs does not take
			x = p.same("stablehlo.abs", x)
		}
		p.bind(n, x)
	},
	"exp":      plain("exponential"),
	"log":      plain("log"),
	"sqrt":     plain("sqrt"),
	"rsqrt":    plain("rsqrt"),
	"tanh":     unary("tanh"),
	"logistic": plain("logistic"),
	"sine":     unary("sine"),
	"cosine":   unary("cosine"),
	"floor":    plain("floor"),
	"not":      plain("not"),
	"add":      plain("add"),
	"subtract": cancelling("subtract"),
	"multiply": plain("multiply"),
	"maximum":  plain("maximum"),
	"minimum":  plain("minimum"),
	"power":    plain("power"),
	"and":      plain("and"),
	"or":       plain("or"),
	"erf":      func(p *printer, n *dag.Node) { p.bind(n, p.erf(p.in(n, 0))) },
	"gelu": func(p *printer, n *dag.Node) {
		x := p.in(n, 0)
		half := p.number(x, 0.5)
		root := p.number(x, math.Sqrt2/2)
		one := p.number(x, 1)
		e := p.erf(p.same("stablehlo.multiply", x, root))
		p.bind(n, p.same("stablehlo.multiply", p.same("stablehlo.multiply", x, half), p.same("stablehlo.add", e, one)))
	},
	"compare": func(p *printer, n *dag.Node) {
		p.bind(n, p.compare(n.Attrs.String("direction"), p.in(n, 0), p.in(n, 1)))
	},
	"select": func(p *printer, n *dag.Node) {
		c, a, b := p.in(n, 0), p.in(n, 1), p.in(n, 2)
		p.bind(n, p.def(a.typ, "stablehlo.select %s : %s, %s", names([]ssa{c, a, b}), p.typ(c.typ), p.typ(a.typ)))
	},
	"bitcast": func(p *printer, n *dag.Node) {
		p.bind(n, p.as(p.in(n, 0), n.Attrs.DType("dtype")))
	},
	"convert": func(p *printer, n *dag.Node) {
		x, d := p.in(n, 0), n.Attrs.DType("dtype")
		if (d.IsUnsigned() || d == dtype.F64) && x.typ.Shape.Rank() < 2 && len(p.scope.origins) > 0 {
			x = p.barrier(x) // of a number made of sizes the compiler makes none of these types (IREE 3.13.0)
		}
		if x.typ.DType == dtype.F32 && d == dtype.BF16 && ofIntegers(n.Inputs[0], 8) {
			// The compiler joins both conversions where integers are small, and programs
			// lack what results (IREE 3.13.0).
			y := p.roundedBF16(x)
			p.bind(n, p.choose(p.compare("NE", x, x), p.number(y, math.NaN()), y))
			return
		}
		p.bind(n, p.convert(x, d))
	},
})

// unary is plain of what has a form of its own in f64.
func unary(name string) lowering {
	return func(p *printer, n *dag.Node) { p.bind(n, p.unary(name, p.in(n, 0))) }
}

// cancelling is plain of what gives 0 of one value twice.
func cancelling(name string) lowering {
	return func(p *printer, n *dag.Node) {
		a, b := p.in(n, 0), p.in(n, 1)
		if itself(a, b) {
			p.bind(n, p.number(a, 0))
			return
		}
		p.bind(n, p.same("stablehlo."+name, a, b))
	}
}

func merged(families ...map[string]lowering) map[string]lowering {
	all := map[string]lowering{}
	for _, m := range families {
		maps.Copy(all, m)
	}
	return all
}

func (p *printer) erf(x ssa) ssa {
	return p.def(x.typ, "chlo.erf %s : %s -> %s", x.name, p.typ(x.typ), p.typ(x.typ))
}

func (p *printer) convert(x ssa, d dtype.DType) ssa {
	if x.typ.DType == d {
		return x
	}
	if p.byBits(x.typ.DType) {
		return p.convert(p.widenedF16(x), d)
	}
	if p.byBits(d) {
		return p.roundedF16(p.convert(x, dtype.F32))
	}
	if d == dtype.BF16 && !x.typ.DType.IsFloat() { // of which programs lack the conversion (IREE 3.13.0)
		return p.roundedBF16(p.convert(x, dtype.F32))
	}
	if p.isMisread(x.typ.DType, d) {
		return p.widenedUnsigned(x, d)
	}
	return p.to(tensor.Type{DType: d, Shape: x.typ.Shape}, "stablehlo.convert", "", x)
}

// round gives v as the element type holds it, so that its literal is exact.
func round(d dtype.DType, v float64) float64 {
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
