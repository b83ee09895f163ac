package randgraph

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var cachedRecipes = map[string]recipe{
	"cached_attention": func(g *gen) *step {
		groups, rows, depth := g.between(1, 2), g.between(1, 9), g.between(1, 5)
		heads, tokens := groups*g.between(1, 2), g.size(0)
		d := []dtype.DType{dtype.F32, dtype.F16}[g.between(0, 1)]
		o := lang.AttentionOptions{}
		if g.chance(2) {
			o.Window = g.between(1, 4)
		}
		if g.chance(3) {
			o.SoftCap = 4
		}
		cache := tensor.TypeOf(d, rows, groups, depth)
		in := []int{
			g.exactly(tensor.TypeOf(dtype.F32, tokens, heads, depth), anything), g.exactly(cache, anything), g.exactly(cache, anything),
			g.exactly(tensor.TypeOf(dtype.I32), style{low: -2, high: float64(rows + 1), whole: true}),
		}
		return &step{in: in, build: func(_ *building, in []T) []T {
			return []T{in[0].CachedAttention(in[1], in[2], in[3], o)}
		}}
	},
}
