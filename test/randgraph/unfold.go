package randgraph

import (
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

var unfoldRecipes = map[string]recipe{
	"unfold": func(g *gen) *step {
		x := g.operand(op.Any, 1, 4, 1, anything)
		dim, n := g.indexed(x)
		size, by := g.between(1, min(n, 4)), g.between(1, 3)
		return single(x, func(x T) T { return x.Unfold(dim, size, by) })
	},
	"im2col": func(g *gen) *step {
		x, w, kernel := g.window(op.Numeric)
		return single(x, func(x T) T { return x.Im2Col(kernel, w) })
	},
	// Columns are laid out as by im2col.
	"col2im": func(g *gen) *step {
		image, w, kernel := g.window(op.Numeric)
		t := g.typ(image)
		sizes := t.Shape.Sizes()[2:]
		windows := int64(1)
		for i, k := range kernel {
			windows *= (sizes[i]+w.Low[i]+w.High[i]-w.Dilation[i]*(k-1)-1)/w.Strides[i] + 1
		}
		columns := tensor.TypeOf(t.DType, g.size(0), g.between(0, 2)*product(kernel), windows)
		return single(g.exactly(columns, anything), func(x T) T { return x.Col2Im(sizes, kernel, w) })
	},
	"pad_interior": func(g *gen) *step {
		x := g.operand(op.Any, 1, 4, 0, anything)
		low, high, interior := g.dims(x), g.dims(x), g.dims(x)
		for i := range low {
			low[i], high[i], interior[i] = g.between(0, 2), g.between(0, 2), g.between(0, 2)
		}
		v := float64(g.r.IntN(2))
		return single(x, func(x T) T { return x.PadInterior(v, low, high, interior) })
	},
	"integer_power": func(g *gen) *step {
		x := g.operand(op.Int, 0, 5, 0, anything)
		s := style{high: 9, whole: true}
		if g.typ(x).DType.IsSigned() {
			s.low = -2
		}
		return pair(x, g.partner(x, s), T.Pow)
	},
}
