package randgraph

import (
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
)

var reductionRecipes = map[string]recipe{
	"reduce_sum": reduction("reduce_sum", 0, T.Sum), "reduce_max": reduction("reduce_max", 0, T.ReduceMax),
	"reduce_min": reduction("reduce_min", 0, T.ReduceMin), "reduce_prod": reduction("reduce_prod", 0, T.Prod),
	"reduce_any": reduction("reduce_any", 0, T.Any), "reduce_all": reduction("reduce_all", 0, T.All),
	"reduce_mean": reduction("reduce_mean", 1, T.Mean), "reduce_log_sum_exp": reduction("reduce_log_sum_exp", 1, T.LogSumExp),
	"reduce_variance": func(g *gen) *step {
		x := g.operand(op.Float, 1, 5, 1, anything)
		dims, keep, correction := g.axes(len(g.dims(x)), 1), g.chance(2), g.between(0, 1)
		return single(x, func(x T) T { return x.Variance(correction, keep, dims...) })
	},
	"argmax":  along("argmax", 1, T.ArgMax),
	"argmin":  along("argmin", 1, T.ArgMin),
	"cumsum":  scan(T.CumSum),
	"cumprod": scan(T.CumProd),
	"argsort": sorting(T.ArgSort),
	"sort":    sorting(T.Sort),
	"top_k": func(g *gen) *step {
		x := g.operand(op.Numeric, 1, 5, 0, anything)
		r := len(g.dims(x))
		dim, largest := g.axis(r), g.chance(2)
		k := g.between(0, g.dims(x)[(dim+r)%r])
		return &step{in: []int{x}, build: func(_ *building, in []T) []T {
			v, i := in[0].TopK(k, dim, largest)
			return []T{v, i}
		}}
	},
	"softmax":     along("softmax", 0, T.Softmax),
	"log_softmax": along("log_softmax", 0, T.LogSoftmax),
	"l2_normalize": func(g *gen) *step {
		x := g.operand(op.Float, 1, 5, 0, anything)
		dim := g.axis(len(g.dims(x)))
		return single(x, func(x T) T { return x.L2Normalize(dim, 1e-6) })
	},
}

func reduction(name string, least int64, apply func(x T, keep bool, dims ...int) T) recipe {
	return func(g *gen) *step {
		x := g.operand(class(name, 0), 0, 5, least, anything)
		dims, keep := g.axes(len(g.dims(x)), 0), g.chance(2)
		return single(x, func(x T) T { return apply(x, keep, dims...) })
	}
}

func along(name string, least int64, apply func(x T, dim int) T) recipe {
	return func(g *gen) *step {
		x := g.operand(class(name, 0), 1, 5, least, anything)
		dim := g.axis(len(g.dims(x)))
		return single(x, func(x T) T { return apply(x, dim) })
	}
}

func scan(apply func(x T, dim int, s lang.ScanOptions) T) recipe {
	return func(g *gen) *step {
		x := g.operand(op.Numeric, 1, 5, 0, anything)
		dim, s := g.axis(len(g.dims(x))), lang.ScanOptions{Exclusive: g.chance(2), Reverse: g.chance(2)}
		return single(x, func(x T) T { return apply(x, dim, s) })
	}
}

func sorting(apply func(x T, dim int, descending bool) T) recipe {
	return func(g *gen) *step {
		x := g.operand(op.Numeric, 1, 5, 0, anything)
		dim, descending := g.axis(len(g.dims(x))), g.chance(2)
		return single(x, func(x T) T { return apply(x, dim, descending) })
	}
}
