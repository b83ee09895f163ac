package randgraph

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var indexingRecipes = map[string]recipe{
	"take": func(g *gen) *step {
		x := g.operand(op.Any, 1, 5, 0, anything)
		return pair(x, g.indices(g.sizes(0, 2, 0), g.dims(x)[0]), T.Take)
	},
	"gather": func(g *gen) *step {
		x := g.operand(op.Any, 1, 4, 0, anything)
		dim, n := g.indexed(x)
		return pair(x, g.indices(g.sizes(0, 2, 0), n), func(x, i T) T { return x.Gather(i, dim) })
	},
	"take_along": func(g *gen) *step {
		x := g.operand(op.Any, 1, 5, 0, anything)
		dim, n := g.indexed(x)
		sizes := g.dims(x)
		sizes[(dim+len(sizes))%len(sizes)] = g.size(0)
		return pair(x, g.indices(sizes, n), func(x, i T) T { return x.TakeAlong(i, dim) })
	},
	"gather_nd": func(g *gen) *step {
		x := g.operand(op.Any, 1, 4, 0, anything)
		k := 1 + g.r.IntN(len(g.dims(x)))
		sizes := append(g.sizes(0, 2, 0), int64(k))
		return pair(x, g.indices(sizes, slices.Max(g.dims(x)[:k])), T.GatherND)
	},
	"one_hot": func(g *gen) *step {
		depth, d := g.size(0), g.dtype(op.Any)
		return single(g.indices(g.sizes(0, 4, 0), depth), func(i T) T { return i.OneHot(depth, d) })
	},
	"dynamic_slice": func(g *gen) *step {
		x := g.operand(op.Any, 0, 5, 0, anything)
		sizes := g.dims(x)
		s := &step{in: append([]int{x}, g.corner(sizes)...)}
		for i, n := range sizes {
			sizes[i] = g.between(0, n)
		}
		dims := g.named(sizes)
		s.build = func(_ *building, in []T) []T { return []T{in[0].DynamicSliceOf(dims, in[1:]...)} }
		return s
	},
	"dynamic_update_slice": func(g *gen) *step {
		x := g.operand(op.Any, 0, 5, 0, anything)
		sizes := g.dims(x)
		starts := g.corner(sizes)
		for i, n := range sizes {
			sizes[i] = g.between(0, n)
		}
		u := g.exactly(tensor.TypeOf(g.typ(x).DType, sizes...), anything)
		return &step{in: append([]int{x, u}, starts...), build: func(_ *building, in []T) []T {
			return []T{in[0].Update(in[1], in[2:]...)}
		}}
	},
}

// indexed names a dimension and its size.
func (g *gen) indexed(x int) (dim int, n int64) {
	sizes := g.dims(x)
	dim = g.axis(len(sizes))
	return dim, sizes[(dim+len(sizes))%len(sizes)]
}

// indices makes indices into n places, some of them outside.
func (g *gen) indices(sizes []int64, n int64) int {
	d := g.dtype(op.Int)
	s := style{low: -2, high: float64(n + 1), whole: true}
	if d.IsUnsigned() {
		s.low = 0
	}
	return g.exactly(tensor.TypeOf(d, sizes...), s)
}

// corner makes one scalar index a dimension.
func (g *gen) corner(sizes []int64) []int {
	d := g.dtype(op.Int)
	at := make([]int, len(sizes))
	for i, n := range sizes {
		s := style{low: -2, high: float64(n + 1), whole: true}
		if d.IsUnsigned() {
			s.low = 0
		}
		at[i] = g.exactly(tensor.TypeOf(d), s)
	}
	return at
}

var modes = []lang.ScatterMode{lang.ScatterSet, lang.ScatterAdd, lang.ScatterMul, lang.ScatterMin, lang.ScatterMax}

var scatterRecipes = map[string]recipe{
	"scatter": func(g *gen) *step {
		x, mode := g.operand(op.Numeric, 1, 4, 0, anything), one(g, modes)
		sizes := g.dims(x)
		at := g.places(g.sizes(0, 2, 0), sizes[0], mode)
		u := g.exactly(tensor.TypeOf(g.typ(x).DType, append(g.dims(at), sizes[1:]...)...), anything)
		return triple(x, at, u, func(x, i, u T) T { return x.Scatter(mode, i, u) })
	},
	"scatter_along": func(g *gen) *step {
		x, mode := g.operand(op.Numeric, 1, 4, 0, anything), one(g, modes)
		dim, n := g.indexed(x)
		sizes := g.dims(x)
		a := (dim + len(sizes)) % len(sizes)
		var at int
		if mode == lang.ScatterSet {
			// With one index per line, each element is updated once.
			sizes[a] = 1
			at = g.indices(sizes, n)
		} else {
			sizes[a] = g.size(0)
			at = g.indices(sizes, n)
		}
		u := g.exactly(tensor.TypeOf(g.typ(x).DType, sizes...), anything)
		return triple(x, at, u, func(x, i, u T) T { return x.ScatterAlong(mode, dim, i, u) })
	},
	"scatter_nd": func(g *gen) *step {
		x, mode := g.operand(op.Numeric, 1, 4, 0, anything), one(g, modes)
		sizes := g.dims(x)
		k := 1 + g.r.IntN(len(sizes))
		outer := g.sizes(0, 2, 0)
		if mode == lang.ScatterSet {
			outer = nil
		}
		at := g.indices(append(outer, int64(k)), slices.Max(sizes[:k]))
		u := g.exactly(tensor.TypeOf(g.typ(x).DType, append(g.dims(at)[:len(outer)], sizes[k:]...)...), anything)
		return triple(x, at, u, func(x, i, u T) T { return x.ScatterND(mode, i, u) })
	},
}

// places makes indices of rows: for a set, which may meet each row once, distinct
// ones.
func (g *gen) places(sizes []int64, rows int64, mode lang.ScatterMode) int {
	if mode != lang.ScatterSet {
		return g.indices(sizes, rows)
	}
	for i := range sizes {
		sizes[i] = min(sizes[i], 3)
	}
	if product(sizes) > rows {
		sizes = []int64{g.between(0, rows)}
	}
	order := g.r.Perm(int(rows))
	at := make([]float64, product(sizes))
	for i := range at {
		at[i] = float64(order[i])
	}
	return g.given(valueOf(tensor.TypeOf(dtype.I32, sizes...), at))
}
