package fromhlo

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var layoutRules = map[string]rule{
	"stablehlo.reshape": func(c *call) []*dag.Value { return one(c.reshape(c.in[0], c.staticOut(0)...)) },
	"stablehlo.transpose": func(c *call) []*dag.Value {
		return one(c.transpose(c.in[0], c.integers("dims", "permutation")...))
	},
	"stablehlo.reverse": func(c *call) []*dag.Value {
		return one(c.add("reverse", op.Attrs{"dims": c.integers("dims", "dimensions")}, c.in[0]))
	},
	"stablehlo.broadcast_in_dim": func(c *call) []*dag.Value {
		return one(c.broadcast(c.in[0], c.staticOut(0), c.integers("dims", "broadcast_dimensions")))
	},
	"stablehlo.iota": func(c *call) []*dag.Value {
		v := c.iota(c.dtype(c.Out[0]), c.number(0, "dim", "iota_dimension"), c.staticOut(0)...)
		if n := c.Out[0].Dims; len(n) == 1 && n[0] <= maxNumbers {
			var list []number
			for i := range n[0] {
				list = append(list, numberOf(i))
			}
			c.known(v, list)
		}
		return one(v)
	},
	"stablehlo.concatenate": func(c *call) []*dag.Value {
		dim := int(c.number(0, "dim", "dimension"))
		for _, v := range c.in[1:] {
			for d := range v.Type.Shape {
				if d != dim {
					c.same(v.Type.Shape[d], c.in[0].Type.Shape[d])
				}
			}
		}
		out := c.concat(dim, c.in...)
		if rank(out) == 1 {
			var list []number
			for _, v := range c.in {
				list = append(list, c.elements(v)...)
			}
			if len(list) <= maxNumbers {
				c.known(out, list)
			}
		}
		return one(out)
	},
	"stablehlo.slice": func(c *call) []*dag.Value {
		start, limit, strides := c.ranges()
		out := c.slice(c.in[0], start, limit, strides)
		if list := c.elements(c.in[0]); rank(out) == 1 && len(list) > 0 {
			var part []number
			for i := start[0]; i < limit[0]; i += strides[0] {
				part = append(part, list[i])
			}
			c.known(out, part)
		}
		return one(out)
	},
	"stablehlo.pad": func(c *call) []*dag.Value {
		low, high := c.integers("low", "edge_padding_low"), c.integers("high", "edge_padding_high")
		return one(c.padded(c.in[0], c.in[1], low, high, c.integers("interior", "interior_padding")))
	},
}

// staticOut returns the sizes that the text states for a result; a size ? there is an error.
func (c *call) staticOut(i int) shape.Shape {
	t := c.typeOf(c.Out[i])
	if !t.Shape.IsStatic() {
		c.refuse(CodeSize, hintSize, "a result of %s", c.Out[i])
	}
	return t.Shape
}

// broadcast also spreads dimensions of size 1, and of a name whose size is the result's.
func (im *importer) broadcast(v *dag.Value, to shape.Shape, dims []int64) *dag.Value {
	if len(dims) != rank(v) {
		im.refuse(CodeForm, hintForm, "%d dimensions for an operand of rank %d", len(dims), rank(v))
	}
	for i, d := range dims {
		if d < 0 || d >= int64(len(to)) {
			im.refuse(CodeForm, hintForm, "dimension %d of %s", d, to)
		}
		if n := v.Type.Shape[i]; n.Size != 1 {
			im.same(n, to[d])
		}
	}
	out := im.spread(v, to, dims...)
	if list := im.elements(v); len(list) == 1 {
		if n, err := to.Elements(); err == nil && n <= maxNumbers {
			im.known(out, slices.Repeat(list, int(n)))
		}
	} else if rank(out) == 1 {
		im.known(out, list)
	}
	return out
}

// ranges returns the ranges of a slice in either form.
func (c *call) ranges() (start, limit, strides []int64) {
	if len(c.Words) == 0 {
		start, limit = c.integers("start_indices"), c.integers("limit_indices")
		return start, limit, c.optional(len(start), 1, "strides")
	}
	for _, r := range c.Words[0].Items {
		by := int64(1)
		if len(r.Items) > 2 {
			by = r.Items[2].N
		}
		start, limit, strides = append(start, r.Items[0].N), append(limit, r.Items[1].N), append(strides, by)
	}
	return start, limit, strides
}

// padded surrounds v with x, and separates its elements; negative widths take away.
func (im *importer) padded(v, x *dag.Value, low, high, interior []int64) *dag.Value {
	if !slices.ContainsFunc(slices.Concat(low, high, interior), func(n int64) bool { return n != 0 }) {
		return v
	}
	clip := func(list []int64) []int64 {
		out := slices.Clone(list)
		for i := range out {
			out[i] = max(out[i], 0)
		}
		return out
	}
	if slices.ContainsFunc(interior, func(n int64) bool { return n != 0 }) {
		v = im.add("pad_interior", op.Attrs{"low": clip(low), "high": clip(high), "interior": interior}, v, x)
	} else {
		v = im.add("pad", op.Attrs{"low": clip(low), "high": clip(high)}, v, x)
	}
	for i := range low {
		if low[i] < 0 || high[i] < 0 {
			end := v.Type.Shape[i].Minus(shape.N(max(-high[i], 0)))
			v = im.part(v, i, shape.N(max(-low[i], 0)), end, 1)
		}
	}
	return v
}

// optionalOf returns a list of n integers of a dictionary, or n times usual.
func (im *importer) optionalOf(of verify.Attr, n int, usual int64, keys ...string) []int64 {
	a := of.Get(keys...)
	if a.Kind == verify.AttrDense && len(a.Items) == 1 && a.Items[0].Kind == verify.AttrInt {
		return repeat(n, a.Items[0].N)
	}
	list, ok := a.Ints()
	if a.Kind != verify.AttrNone && (!ok || len(list) != n) {
		im.refuse(CodeForm, hintForm, "%s is not a list of %d integers", keys[0], n)
	}
	if a.Kind == verify.AttrNone {
		return repeat(n, usual)
	}
	return list
}

// pairsOf returns [[low, high], ...] of a dictionary, each as its own list.
func (im *importer) pairsOf(of verify.Attr, n int, keys ...string) (low, high []int64) {
	a := of.Get(keys...)
	if a.Kind == verify.AttrDense && len(a.Items) == 1 {
		a = a.Items[0]
	}
	switch {
	case a.Kind == verify.AttrNone:
		return repeat(n, 0), repeat(n, 0)
	case a.Kind == verify.AttrInt:
		return repeat(n, a.N), repeat(n, a.N)
	}
	for _, item := range a.Items {
		pair, ok := item.Ints()
		if !ok || len(pair) != 2 {
			break
		}
		low, high = append(low, pair[0]), append(high, pair[1])
	}
	if len(low) != n {
		im.refuse(CodeForm, hintForm, "%s is not a pair for each of %d dimensions", keys[0], n)
	}
	return low, high
}
