package randgraph

import (
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var attentionRecipes = map[string]recipe{
	"attention": func(g *gen) *step {
		d, batch, groups := g.dtype(op.Float), g.between(1, 2), g.between(1, 2)
		heads, rows, keys, depth, width := groups*g.between(1, 2), g.size(0), g.size(1), g.between(1, 5), g.size(0)
		o := lang.AttentionOptions{Causal: g.chance(2)}
		if g.chance(3) {
			o.Window = g.between(1, 4)
		}
		if g.chance(3) {
			o.SoftCap = 4
		}
		if g.chance(3) {
			o.Offset = g.between(-2, 3)
		}
		in := []int{
			g.exactly(tensor.TypeOf(d, batch, heads, rows, depth), anything),
			g.exactly(tensor.TypeOf(d, batch, groups, keys, depth), anything),
			g.exactly(tensor.TypeOf(d, batch, groups, keys, width), anything),
		}
		if g.chance(2) {
			in = append(in, g.exactly(tensor.TypeOf(d, g.alike([]int64{batch, heads, rows, keys})...), anything))
		}
		return &step{in: in, build: func(_ *building, in []T) []T {
			o := o
			if len(in) == 4 {
				o.Mask = in[3]
			}
			return []T{in[0].Attention(in[1], in[2], o)}
		}}
	},
	"rotary": func(g *gen) *step {
		d, lead, rows := g.dtype(op.Float), g.sizes(0, 3, 0), g.size(0)
		depth := 2 * g.between(1, 4)
		x := g.exactly(tensor.TypeOf(d, append(append([]int64{}, lead...), rows, depth)...), anything)
		sizes := []int64{rows}
		if len(lead) > 0 && g.chance(2) {
			sizes = []int64{lead[0], rows}
		}
		p := g.exactly(tensor.TypeOf(dtype.I32, sizes...), style{high: 12, whole: true})
		o := lang.RotaryOptions{Interleaved: g.chance(2), Base: float64(g.between(10, 1000))}
		if g.chance(2) {
			o.Dims = 2 * g.between(1, depth/2)
		}
		return pair(x, p, func(x, p T) T { return x.Rotary(p, o) })
	},
	"gru_cell": func(g *gen) *step {
		d, batch, i, h, linear := g.dtype(op.Float), g.size(0), g.size(0), g.size(1), g.chance(2)
		in := []int{
			g.exactly(tensor.TypeOf(d, batch, i), anything), g.exactly(tensor.TypeOf(d, batch, h), anything),
			g.exactly(tensor.TypeOf(d, 3*h, i), anything), g.exactly(tensor.TypeOf(d, 3*h, h), anything), g.exactly(tensor.TypeOf(d, 6*h), anything),
		}
		return &step{in: in, build: func(_ *building, in []T) []T { return []T{in[0].GRUCell(in[1], in[2], in[3], in[4], linear)} }}
	},
	"lstm_cell": func(g *gen) *step {
		d, batch, i, h := g.dtype(op.Float), g.size(0), g.size(0), g.size(1)
		in := []int{
			g.exactly(tensor.TypeOf(d, batch, i), anything), g.exactly(tensor.TypeOf(d, batch, h), anything), g.exactly(tensor.TypeOf(d, batch, h), anything),
			g.exactly(tensor.TypeOf(d, 4*h, i), anything), g.exactly(tensor.TypeOf(d, 4*h, h), anything), g.exactly(tensor.TypeOf(d, 8*h), anything),
		}
		return &step{in: in, build: func(_ *building, in []T) []T {
			h, c := in[0].LSTMCell(in[1], in[2], in[3], in[4], in[5])
			return []T{h, c}
		}}
	},
}
