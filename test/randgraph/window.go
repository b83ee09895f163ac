package randgraph

import (
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

var windowRecipes = map[string]recipe{
	"conv1d": func(g *gen) *step {
		d, c, k := g.dtype(op.Float), g.size(0), g.between(1, 3)
		x := g.exactly(tensor.TypeOf(d, g.size(0), c, g.between(3, 9)), anything)
		kernel := g.exactly(tensor.TypeOf(d, g.size(0), c, k), anything)
		stride, padding := g.between(1, 3), g.between(0, 2)
		return pair(x, kernel, func(x, k T) T { return x.Conv1D(k, stride, padding) })
	},
	"convolution": func(g *gen) *step {
		x, w, kernel := g.window(op.Float)
		w.Groups = g.between(1, 2)
		t := g.typ(x)
		// Channels are those of x if the number of groups divides them.
		c := t.Shape.Sizes()[1]
		if c%w.Groups != 0 {
			w.Groups = 1
		}
		sizes := append([]int64{g.between(0, 2) * w.Groups, c / w.Groups}, kernel...)
		y := g.exactly(tensor.TypeOf(t.DType, sizes...), anything)
		return pair(x, y, func(x, k T) T { return x.Conv(k, w) })
	},
	"conv_transpose": func(g *gen) *step {
		x, w, kernel := g.window(op.Float)
		w.Groups = g.between(1, 2)
		t := g.typ(x)
		c := t.Shape.Sizes()[1]
		if c%w.Groups != 0 {
			w.Groups = 1
		}
		if g.chance(3) {
			w.OutputPadding = make([]int64, len(kernel))
			for i := range w.OutputPadding {
				w.OutputPadding[i] = g.between(0, w.Strides[i]-1)
			}
		}
		y := g.exactly(tensor.TypeOf(t.DType, append([]int64{c, g.between(1, 2)}, kernel...)...), anything)
		return pair(x, y, func(x, k T) T { return x.ConvTranspose(k, w) })
	},
	"max_pool": func(g *gen) *step {
		x, w, kernel := g.window(op.Numeric)
		w.Ceil = g.chance(2)
		return single(x, func(x T) T { return x.MaxPool(kernel, w) })
	},
	"avg_pool": func(g *gen) *step {
		x, w, kernel := g.window(op.Float)
		w.Ceil, w.CountIncludePad = g.chance(2), g.chance(2)
		return single(x, func(x T) T { return x.AvgPool(kernel, w) })
	},
	"adaptive_max_pool": adaptive(op.Numeric, T.AdaptiveMaxPool),
	"adaptive_avg_pool": adaptive(op.Float, T.AdaptiveAvgPool),
	"global_max_pool":   func(g *gen) *step { return single(g.image(op.Numeric), T.GlobalMaxPool) },
	"global_avg_pool":   func(g *gen) *step { return single(g.image(op.Float), T.GlobalAvgPool) },
	"resize": func(g *gen) *step {
		o := lang.ResizeOptions{
			Mode:           one(g, []lang.ResizeMode{lang.Nearest, lang.Linear, lang.Cubic}),
			Coordinates:    one(g, []lang.ResizeCoordinates{lang.HalfPixel, lang.PyTorchHalfPixel, lang.AlignCorners, lang.Asymmetric}),
			Rounding:       one(g, []lang.ResizeRounding{lang.RoundPreferFloor, lang.RoundPreferCeil, lang.RoundFloor, lang.RoundCeil}),
			ExcludeOutside: g.chance(3),
		}
		c := op.Float
		if o.Mode == lang.Nearest {
			c = op.Numeric
		}
		x := g.operand(c, 1, 4, 0, anything)
		sizes := g.dims(x)
		for i, n := range sizes {
			if n > 0 && g.chance(2) {
				sizes[i] = g.size(1)
			}
		}
		return single(x, func(x T) T { return x.Resize(sizes, o) })
	},
}

// image chooses x [N, C, S...] with elements along S.
func (g *gen) image(c op.Class) int {
	if i := g.find(func(v *value) bool {
		r := v.typ.Shape.Rank()
		if !c.Has(v.typ.DType) || r < 3 || r > 5 {
			return false
		}
		return product(v.typ.Shape.Sizes()[2:]) > 0
	}); i >= 0 && g.chance(2) {
		return i
	}
	sizes := append([]int64{g.size(0), g.size(0)}, g.sizes(1, 3, 1)...)
	return g.leaf(tensor.TypeOf(g.dtype(c), sizes...), anything)
}

// window chooses an image and a window that fits it.
func (g *gen) window(c op.Class) (x int, w lang.WindowOptions, kernel []int64) {
	x = g.image(c)
	for _, n := range g.dims(x)[2:] {
		dilation := g.between(1, 2)
		low, high := g.between(0, 1), g.between(0, 2)
		k := g.between(1, 3)
		if dilation*(k-1)+1 > n+low+high {
			k = 1
		}
		low, high = min(low, k-1), min(high, k-1)
		if dilation*(k-1)+1 > n+low+high {
			k, low, high = 1, 0, 0
		}
		kernel = append(kernel, k)
		w.Low, w.High = append(w.Low, low), append(w.High, high)
		w.Strides, w.Dilation = append(w.Strides, g.between(1, 3)), append(w.Dilation, dilation)
	}
	return x, w, kernel
}

func adaptive(c op.Class, apply func(x T, sizes ...int64) T) recipe {
	return func(g *gen) *step {
		x := g.image(c)
		sizes := g.dims(x)[2:]
		for i := range sizes {
			sizes[i] = g.between(1, 4)
		}
		return single(x, func(x T) T { return apply(x, sizes...) })
	}
}
