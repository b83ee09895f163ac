package randgraph

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var layoutRecipes = map[string]recipe{
	"reshape": reshape,
	"transpose": func(g *gen) *step {
		x := g.operand(op.Any, 0, 5, 0, anything)
		r := len(g.dims(x))
		perm := g.r.Perm(r)
		for i := range perm {
			if g.chance(3) {
				perm[i] -= r
			}
		}
		return single(x, func(x T) T { return x.Transpose(perm...) })
	},
	"broadcast_in_dim": func(g *gen) *step {
		x := g.operand(op.Any, 0, 5, 0, anything)
		sizes := g.dims(x)
		for i, n := range sizes {
			if n == 1 {
				sizes[i] = g.size(0)
			}
		}
		if len(sizes) < 5 {
			sizes = append(g.sizes(0, 5-len(sizes), 0), sizes...)
		}
		dims := g.named(sizes)
		return single(x, func(x T) T { return x.BroadcastOf(dims...) })
	},
	"concatenate": func(g *gen) *step {
		x := g.operand(op.Any, 1, 5, 0, anything)
		dim := g.axis(len(g.dims(x)))
		s := &step{in: []int{x}}
		for range g.r.IntN(3) {
			sizes := g.dims(x)
			sizes[(dim+len(sizes))%len(sizes)] = g.size(0)
			s.in = append(s.in, g.exactly(tensor.TypeOf(g.typ(x).DType, sizes...), anything))
		}
		g.r.Shuffle(len(s.in), func(i, j int) { s.in[i], s.in[j] = s.in[j], s.in[i] })
		s.build = func(b *building, in []T) []T { return []T{b.f.Concat(dim, in...)} }
		return s
	},
	"slice": func(g *gen) *step {
		x := g.operand(op.Any, 1, 5, 0, anything)
		dim := g.axis(len(g.dims(x)))
		n := g.dims(x)[(dim+len(g.dims(x)))%len(g.dims(x))]
		if g.chance(4) {
			at := g.between(0, n)
			return &step{in: []int{x}, build: func(_ *building, in []T) []T { return in[0].Split(dim, at, n-at) }}
		}
		start := g.between(0, n)
		limit, by := g.between(start, n), g.between(1, 3)
		if d := g.named([]int64{n})[0]; !d.IsStatic() {
			// A dynamic size is at least 1.
			from, to := shape.N(g.between(0, 1)), d.Minus(shape.N(g.between(0, 1)))
			if g.chance(3) {
				from, to = shape.N(0), shape.N(1)
			}
			return single(x, func(x T) T { return x.SliceOf(dim, from, to, by) })
		}
		return single(x, func(x T) T { return x.SliceBy(dim, start, limit, by) })
	},
	"pad": func(g *gen) *step {
		x := g.operand(op.Any, 1, 5, 0, anything)
		dim, low, high, v := g.axis(len(g.dims(x))), g.between(0, 3), g.between(0, 3), float64(g.r.IntN(2))
		return single(x, func(x T) T { return x.Pad(dim, low, high, v) })
	},
	"pad_extend": func(g *gen) *step {
		x := g.operand(op.Any, 1, 4, 0, anything)
		mode := one(g, []lang.PadMode{lang.Reflect, lang.Symmetric, lang.Edge, lang.Wrap})
		low, high := g.dims(x), g.dims(x)
		for i, n := range g.dims(x) {
			if mode == lang.Reflect {
				n = max(n-1, 0)
			}
			low[i], high[i] = g.between(0, min(n, 3)), g.between(0, min(n, 3))
		}
		return single(x, func(x T) T { return x.PadMode(mode, low, high) })
	},
	"reverse": func(g *gen) *step {
		x := g.operand(op.Any, 0, 5, 0, anything)
		dims := g.axes(len(g.dims(x)), 0)
		return single(x, func(x T) T { return x.Reverse(dims...) })
	},
	"tile": func(g *gen) *step {
		x := g.operand(op.Any, 0, 4, 0, anything)
		repeats := g.dims(x)
		for i := range repeats {
			repeats[i] = one(g, []int64{0, 1, 1, 1, 1, 2, 2, 3})
		}
		return single(x, func(x T) T { return x.Tile(repeats...) })
	},
	"roll": func(g *gen) *step {
		x := g.operand(op.Any, 1, 5, 0, anything)
		dim, by := g.axis(len(g.dims(x))), g.between(-12, 12)
		return single(x, func(x T) T { return x.Roll(by, dim) })
	},
	"dim_size": func(g *gen) *step {
		x := g.operand(op.Any, 1, 5, 0, anything)
		dim := g.axis(len(g.dims(x)))
		return single(x, func(x T) T { return x.Size(dim) })
	},
	"tril": triangle(T.Tril),
	"triu": triangle(T.Triu),
	"depth_to_space": func(g *gen) *step {
		b, order := g.between(1, 3), one(g, []lang.DepthOrder{lang.DCR, lang.CRD})
		sizes := []int64{g.size(0), g.between(1, 2) * b * b, g.size(0), g.size(0)}
		return single(g.exactly(tensor.TypeOf(g.dtype(op.Any), sizes...), anything), func(x T) T { return x.DepthToSpace(b, order) })
	},
	"space_to_depth": func(g *gen) *step {
		b, order := g.between(1, 3), one(g, []lang.DepthOrder{lang.DCR, lang.CRD})
		sizes := []int64{g.size(0), g.size(0), g.between(0, 2) * b, g.between(1, 2) * b}
		return single(g.exactly(tensor.TypeOf(g.dtype(op.Any), sizes...), anything), func(x T) T { return x.SpaceToDepth(b, order) })
	},
}

// reshape merges, splits, adds or drops dimensions.
func reshape(g *gen) *step {
	x := g.operand(op.Any, 0, 5, 0, anything)
	sizes := g.dims(x)
	r := len(sizes)
	switch g.r.IntN(5) {
	case 0:
		dim := g.axis(r + 1)
		return single(x, func(x T) T { return x.Unsqueeze(dim) })
	case 1:
		if i := slices.Index(sizes, 1); i >= 0 {
			return single(x, func(x T) T { return x.Squeeze(i - r) })
		}
	case 2:
		if r > 0 {
			first := g.r.IntN(r)
			last := first + g.r.IntN(r-first) - r
			return single(x, func(x T) T { return x.Flatten(first, last) })
		}
	case 3:
		if r > 1 {
			return single(x, func(x T) T { return x.SwapLast() })
		}
	}
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	to := []int64{}
	for rest := n; len(to) < 5 && (rest > 1 || g.chance(2)); {
		f := one(g, []int64{1, 2, 3, 4, 6, rest})
		if rest == 0 {
			to = append(to, one(g, []int64{0, 1, 2}))
			if !g.chance(3) {
				continue
			}
			to[len(to)-1] = 0
			break
		}
		if rest%f == 0 {
			to, rest = append(to, f), rest/f
		}
	}
	if product(to) != n {
		to = []int64{n}
	}
	if n > 0 && len(to) > 0 && g.chance(3) {
		to[g.r.IntN(len(to))] = -1
	}
	if dims := slices.Clone(g.c.values[x].shape); !dims.IsStatic() {
		g.r.Shuffle(len(dims), func(i, j int) { dims[i], dims[j] = dims[j], dims[i] })
		if len(dims) > 1 && g.chance(2) {
			dims = append(dims[2:], dims[0].Times(dims[1]))
		}
		return single(x, func(x T) T { return x.ReshapeOf(dims...) })
	}
	return single(x, func(x T) T { return x.Reshape(to...) })
}

func product(sizes []int64) int64 {
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	return n
}

func triangle(apply func(x T, k int64) T) recipe {
	return func(g *gen) *step {
		k := g.between(-3, 3)
		return single(g.operand(op.Any, 2, 5, 0, anything), func(x T) T { return apply(x, k) })
	}
}

var contractionRecipes = map[string]recipe{
	"dot_general": func(g *gen) *step {
		if g.chance(4) {
			return matmul(g)
		}
		x := g.operand(op.Numeric, 0, 4, 0, anything)
		sizes := g.dims(x)
		dims := g.r.Perm(len(sizes))
		batch := g.r.IntN(min(len(sizes), 2) + 1)
		contract := g.r.IntN(min(len(sizes)-batch, 2) + 1)
		free := g.sizes(0, 2, 0)
		// The other side has the same dimensions, in some order.
		var side []int64
		for _, d := range dims[:batch+contract] {
			side = append(side, sizes[d])
		}
		side = append(side, free...)
		order := g.r.Perm(len(side)) // dimension i of the other side is side[order[i]]
		other := make([]int64, len(side))
		where := make([]int, len(side))
		for i, o := range order {
			other[i], where[o] = side[o], i
			if g.chance(2) {
				where[o] = i - len(side)
			}
		}
		y := g.exactly(tensor.TypeOf(g.typ(x).DType, other...), anything)
		b := lang.Dims{LHS: dims[:batch], RHS: where[:batch]}
		c := lang.Dims{LHS: dims[batch : batch+contract], RHS: where[batch : batch+contract]}
		if g.chance(2) {
			return pair(x, y, func(x, y T) T { return x.Dot(y, b, c) })
		}
		b.LHS, b.RHS, c.LHS, c.RHS = b.RHS, b.LHS, c.RHS, c.LHS
		return pair(y, x, func(y, x T) T { return y.Dot(x, b, c) })
	},
}

func matmul(g *gen) *step {
	x := g.operand(op.Numeric, 2, 4, 0, anything)
	sizes := g.dims(x)
	r := len(sizes)
	sizes[r-2], sizes[r-1] = sizes[r-1], g.size(0)
	return pair(x, g.exactly(tensor.TypeOf(g.typ(x).DType, sizes...), anything), T.MatMul)
}
