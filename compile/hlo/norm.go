package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
)

var normLowerings = map[string]lowering{
	// The exponentials are used twice, by the sum and by the quotient. Fused with
	// the sum they are computed twice and without vector instructions (IREE
	// 3.13.0: 15 times slower on x86-64), so they are kept apart.
	"softmax": func(p *printer, n *dag.Node) {
		x, dim := p.in(n, 0), n.Attrs.Int("dim")
		wide := p.convert(x, f32(x.typ).DType)
		top := p.along(p.reduce(wide, "maximum", math.Inf(-1), []int64{dim}), wide, dim)
		e := p.barrier(p.same("stablehlo.exponential", p.same("stablehlo.subtract", wide, top)))
		sum := p.along(p.reduce(e, "add", 0, []int64{dim}), wide, dim)
		p.bind(n, p.convert(p.same("stablehlo.divide", e, sum), x.typ.DType))
	},
	// The variance is taken from the centred values: the difference of squares
	// loses all digits where the mean is large.
	"layer_norm": func(p *printer, n *dag.Node) {
		d := f32(n.Inputs[0].Type).DType
		x, gamma, beta := p.convert(p.in(n, 0), d), p.convert(p.in(n, 1), d), p.convert(p.in(n, 2), d)
		last := int64(x.typ.Shape.Rank() - 1)
		total := p.reduce(x, "add", 0, []int64{last})
		size := p.extent(x, int(last), total)
		mean := p.same("stablehlo.divide", total, size)
		centred := p.same("stablehlo.subtract", x, p.along(mean, x, last))
		square := p.same("stablehlo.multiply", centred, centred)
		variance := p.same("stablehlo.divide", p.reduce(square, "add", 0, []int64{last}), size)
		epsilon := p.number(variance, n.Attrs.Float("epsilon"))
		scale := p.same("stablehlo.rsqrt", p.same("stablehlo.add", variance, epsilon))
		y := p.same("stablehlo.multiply", centred, p.along(scale, x, last))
		y = p.same("stablehlo.multiply", y, p.broadcast(gamma, x.typ, []int64{last}, x))
		y = p.same("stablehlo.add", y, p.broadcast(beta, x.typ, []int64{last}, x))
		p.bind(n, p.convert(y, n.Outputs[0].Type.DType))
	},
}

// extent gives the size of a dimension of x as a tensor like another.
func (p *printer) extent(x ssa, dim int, like ssa) ssa {
	if d := x.typ.Shape[dim]; d.IsStatic() {
		return p.number(like, float64(d.Size))
	}
	n := p.convert(p.dimension(x, dim), like.typ.DType)
	return p.broadcast(n, like.typ, nil, like)
}
