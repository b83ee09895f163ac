package randgraph

import (
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

const epsilon = 1e-3

var normRecipes = map[string]recipe{
	"layer_norm": func(g *gen) *step {
		x := g.operand(op.Float, 1, 5, 1, anything)
		v := g.vector(x, -1)
		return triple(x, v(anything), v(anything), func(x, a, b T) T { return x.LayerNorm(a, b, epsilon) })
	},
	"rms_norm": func(g *gen) *step {
		x := g.operand(op.Float, 1, 5, 1, anything)
		offset := float64(g.r.IntN(2))
		return pair(x, g.vector(x, -1)(anything), func(x, a T) T { return x.RMSNorm(a, epsilon, offset) })
	},
	"batch_norm": func(g *gen) *step {
		x := g.operand(op.Float, 2, 5, 0, anything)
		v := g.vector(x, 1)
		in := []int{x, v(anything), v(anything), v(anything), v(style{low: 0.25, high: 9})}
		return &step{in: in, build: func(_ *building, in []T) []T {
			return []T{in[0].BatchNorm(in[1], in[2], in[3], in[4], epsilon)}
		}}
	},
	"instance_norm": func(g *gen) *step {
		x := g.operand(op.Float, 3, 5, 1, anything)
		v := g.vector(x, 1)
		return triple(x, v(anything), v(anything), func(x, a, b T) T { return x.InstanceNorm(a, b, epsilon) })
	},
	"group_norm": func(g *gen) *step {
		x := g.operand(op.Float, 3, 5, 1, anything)
		v := g.vector(x, 1)
		groups := g.between(1, 2)
		if g.dims(x)[1]%groups != 0 {
			groups = 1
		}
		return triple(x, v(anything), v(anything), func(x, a, b T) T { return x.GroupNorm(groups, a, b, epsilon) })
	},
	"quantize_linear": func(g *gen) *step {
		x := g.operand(op.Float, 0, 5, 0, anything)
		sizes, axis := g.perAxis(x)
		scale := g.leaf(tensor.TypeOf(g.typ(x).DType, sizes...), style{low: 0.25, high: 2})
		zero := g.exactly(tensor.TypeOf(one(g, []dtype.DType{dtype.I8, dtype.U8, dtype.I16, dtype.U16}), sizes...), style{high: 9, whole: true})
		return triple(x, scale, zero, func(x, s, z T) T { return x.QuantizeLinear(s, z, axis) })
	},
	"dequantize_linear": func(g *gen) *step {
		d := one(g, []dtype.DType{dtype.I8, dtype.U8, dtype.I16, dtype.U16, dtype.I32})
		x := g.find(func(v *value) bool { return v.typ.DType == d })
		if x < 0 {
			x = g.leaf(tensor.TypeOf(d, g.sizes(0, 5, 0)...), anything)
		}
		sizes, axis := g.perAxis(x)
		scale := g.exactly(tensor.TypeOf(g.dtype(op.Float), sizes...), style{low: 0.1, high: 2})
		zero := g.exactly(tensor.TypeOf(d, sizes...), style{high: 9, whole: true})
		return triple(x, scale, zero, func(x, s, z T) T { return x.DequantizeLinear(s, z, axis) })
	},
}

// vector makes operands as long as a dimension of x.
func (g *gen) vector(x, dim int) func(s style) int {
	sizes := g.dims(x)
	n := sizes[(dim+len(sizes))%len(sizes)]
	return func(s style) int { return g.exactly(tensor.TypeOf(g.typ(x).DType, n), s) }
}

// perAxis returns the sizes of scales: scalars, or one for each place along axis.
func (g *gen) perAxis(x int) (sizes []int64, axis int) {
	if r := len(g.dims(x)); r > 0 && g.chance(2) {
		axis = g.axis(r)
		return []int64{g.dims(x)[(axis+r)%r]}, axis
	}
	return nil, 0
}
