package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

var normLowerings = map[id.ID]Lowering{
	id.Softmax: func(p *Printer, n *dag.Node) {
		x, dim := p.In(n, 0), n.Attrs.Int("dim")
		wide := p.Convert(x, Wide(x.Type).DType)
		top := p.Along(p.Reduce(wide, "maximum", math.Inf(-1), []int64{dim}), wide, dim)
		e := p.form.Reused(p, p.Same("stablehlo.exponential", p.Same("stablehlo.subtract", wide, top)))
		sum := p.Along(p.Reduce(e, "add", 0, []int64{dim}), wide, dim)
		p.Bind(n, p.Convert(p.Same("stablehlo.divide", e, sum), x.Type.DType))
	},
	// The variance is computed from the centred values: the difference of
	// squares loses all digits if the mean is large.
	id.LayerNorm: func(p *Printer, n *dag.Node) {
		d := Wide(n.Inputs[0].Type).DType
		x, gamma, beta := p.Convert(p.In(n, 0), d), p.Convert(p.In(n, 1), d), p.Convert(p.In(n, 2), d)
		last := int64(x.Type.Shape.Rank() - 1)
		total := p.Reduce(x, "add", 0, []int64{last})
		size := p.Extent(x, int(last), total)
		mean := p.Same("stablehlo.divide", total, size)
		centred := p.Same("stablehlo.subtract", x, p.Along(mean, x, last))
		square := p.Same("stablehlo.multiply", centred, centred)
		variance := p.Same("stablehlo.divide", p.Reduce(square, "add", 0, []int64{last}), size)
		epsilon := p.Number(variance, n.Attrs.Float("epsilon"))
		scale := p.Same("stablehlo.rsqrt", p.Same("stablehlo.add", variance, epsilon))
		y := p.Same("stablehlo.multiply", centred, p.Along(scale, x, last))
		y = p.Same("stablehlo.multiply", y, p.Broadcast(gamma, x.Type, []int64{last}, x))
		y = p.Same("stablehlo.add", y, p.Broadcast(beta, x.Type, []int64{last}, x))
		p.Bind(n, p.Convert(y, n.Outputs[0].Type.DType))
	},
}

// Extent returns the size of a dimension of x as a tensor like another.
func (p *Printer) Extent(x Value, dim int, like Value) Value {
	if d := x.Type.Shape[dim]; d.IsStatic() {
		return p.Number(like, float64(d.Size))
	}
	n := p.Convert(p.Dimension(x, dim), like.Type.DType)
	return p.Broadcast(n, like.Type, nil, like)
}
