package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var gatherRules = map[string]rule{
	"Scatter":         func(n *node) []*dag.Value { return one(n.scatterAlong()) },
	"ScatterElements": func(n *node) []*dag.Value { return one(n.scatterAlong()) },
	"ScatterND": func(n *node) []*dag.Value {
		if y := n.restored(n.in(0), n.in(1), n.in(2)); y != nil {
			return one(y)
		}
		if y := n.restoredAlong(n.in(0), n.in(1), n.in(2)); y != nil {
			return one(y)
		}
		if start := n.corner(n.in(0), n.in(1), n.in(2)); start != nil {
			return one(n.overwritten(n.in(0), n.in(2), start))
		}
		at := n.wrapped(n.in(1), n.in(0), 0)
		return one(n.add("scatter_nd", op.Attrs{"mode": n.mode()}, n.in(0), at, n.in(2)))
	},
	"GatherND": func(n *node) []*dag.Value {
		x, at, batch := n.in(0), n.in(1), n.int("batch_dims", 0)
		if batch < 0 || batch >= int64(min(rank(x), rank(at))) {
			n.malformed("the attribute batch_dims=%d of GatherND of tensors of %d and %d dimensions", batch, rank(x), rank(at))
		}
		if y := n.compacted(x, at, batch); y != nil {
			return one(y)
		}
		at = n.wrapped(at, x, batch)
		// Batching dimensions become additional coordinates, which are iotas.
		s := slices.Clone(dims(at))
		s[len(s)-1] = shape.N(1)
		parts := []*dag.Value{}
		for i := range batch {
			parts = append(parts, n.iotaTo(dtype.I64, i, s...))
		}
		if batch > 0 {
			at = n.add("concatenate", op.Attrs{"dim": int64(len(s) - 1)}, append(parts, at)...)
		}
		return one(n.add("gather_nd", nil, x, at))
	},
	"TopK": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", -1), rank(x))
		if n.has(1) && !dims(x)[a].IsStatic() {
			if k, ok := single(n.session.numbers(n.in(1))).size(); ok && k.Same(dims(x)[a]) {
				return n.ordered(x, a, n.int("largest", 1) == 1)
			}
		}
		k, ok := n.ints("k", 1)
		if a, is := n.Attributes["k"]; is { // of version 1
			k, ok = []int64{a.Int}, true
		}
		if !ok || len(k) != 1 {
			n.malformed("TopK of %d numbers k: it takes one", len(k))
		}
		out := n.outputs("top_k", op.Attrs{"dim": a, "k": k[0], "largest": n.int("largest", 1) == 1}, x)
		return []*dag.Value{out[0], n.convert(out[1], dtype.I64)}
	},
	"ReverseSequence": func(n *node) []*dag.Value {
		x, lens := n.in(0), n.in(1)
		batch, time := n.axis(n.int("batch_axis", 1), rank(x)), n.axis(n.int("time_axis", 0), rank(x))
		to := slices.Repeat(shape.Of(1), rank(x))
		to[batch] = dims(x)[batch]
		lens = n.spreadTo(n.reshapeTo(lens, to...), dims(x))
		at := n.iotaTo(dtype.I64, time, dims(x)...)
		back := n.binary("subtract", n.plus(lens, -1), at)
		return one(n.add("take_along", op.Attrs{"dim": time}, x, n.choose(n.compare("LT", at, lens), back, at)))
	},
	"TensorScatter": (*node).written,
	"MaxUnpool": func(n *node) []*dag.Value {
		x, at := n.in(0), n.in(1)
		kernel, _ := n.ints("kernel_shape", -1)
		w := n.window2(x, kernel)
		to := slices.Clone(sizes(x)[:2])
		for i, k := range kernel {
			to = append(to, (sizes(x)[2+i]-1)*w.strides[i]-w.low[i]-w.high[i]+k)
		}
		count := product(sizes(x))
		y := n.add("scatter", nil, n.splatOf(x.Type.DType, 0, product(to)), n.reshape(at, count), n.reshape(x, count))
		y = n.reshape(y, to...)
		if n.has(2) {
			wanted, _ := n.ints("output_shape", 2)
			n.perDimension("the input 2, output_shape,", wanted, rank(x))
			low, high := make([]int64, len(to)), make([]int64, len(to))
			for i := range to {
				high[i] = wanted[i] - to[i]
			}
			y = n.add("pad", op.Attrs{"low": low, "high": high}, y, n.splatOf(x.Type.DType, 0))
		}
		return one(y)
	},
	"Compress": func(n *node) []*dag.Value {
		x, flags := n.in(0), n.in(1)
		if _, ok := n.Attributes["axis"]; !ok {
			x = n.reshape(x, product(sizes(x)))
		}
		return one(n.takeAlong(x, n.chosen(flags), n.axis(n.int("axis", 0), rank(x))))
	},
	"NonZero": func(n *node) []*dag.Value {
		x := n.in(0)
		if at := n.everywhere(x); at != nil {
			return one(at)
		}
		if at := n.choosing(x); at != nil {
			return one(at)
		}
		at := n.convert(n.chosen(n.reshape(n.cast(x, dtype.Bool), product(sizes(x)))), dtype.I64)
		var rows []*dag.Value
		step := int64(1)
		for i := rank(x) - 1; i >= 0; i-- {
			row := n.binary("remainder", n.binary("divide", at, n.splatOf(dtype.I64, float64(step))), n.splatOf(dtype.I64, float64(sizes(x)[i])))
			rows = append(rows, n.reshape(row, 1, sizes(row)[0]))
			step *= sizes(x)[i]
		}
		slices.Reverse(rows)
		return one(n.add("concatenate", op.Attrs{"dim": int64(0)}, rows...))
	},
	"Det": func(n *node) []*dag.Value { return one(n.det(n.in(0))) },
	"ai.onnx.ml.ArrayFeatureExtractor": func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.takeAlong(x, n.reshape(n.in(1), product(sizes(n.in(1)))), int64(rank(x)-1)))
	},
	"ai.onnx.ml.Binarizer": func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.convert(n.compare("GT", x, n.splat(x, n.float("threshold", 0))), x.Type.DType))
	},
}

// wrapped returns coordinates [..., K] into the dimensions of x from first on; negative
// ones count from the end.
func (n *node) wrapped(at, x *dag.Value, first int64) *dag.Value {
	k := extent(at, int64(rank(at)-1))
	if first+k > int64(rank(x)) {
		n.malformed("%s with indices of %d coordinates, of a tensor [%s]", n.Op, k, dims(x))
	}
	for i, index := range n.session.numbers(at) {
		n.within(index, dims(x)[first+int64(i)%k])
	}
	ends := n.shapeOf(x, first, first+k)
	at = n.convert(at, dtype.I64)
	return n.choose(n.compare("LT", at, n.splat(at, 0)), n.binary("add", at, ends), at)
}

// mode of a scatter.
func (n *node) mode() string {
	if m := n.str("reduction", "none"); m != "none" {
		return m
	}
	return op.ScatterSet
}

func (n *node) scatterAlong() *dag.Value {
	x := n.in(0)
	a := n.axis(n.int("axis", 0), rank(x))
	at := n.counted(n.in(1), x, a)
	// Updates may be fewer than x in other dimensions too: those of x after them stay.
	part := x
	for i, s := range dims(at) {
		if int64(i) != a && !s.Same(dims(x)[i]) {
			part = n.windowTo(part, int64(i), shape.N(0), s, 1)
		}
	}
	y := n.add("scatter_along", op.Attrs{"dim": a, "mode": n.mode()}, part, at, n.in(2))
	if dims(y).Same(dims(x)) {
		return y
	}
	start := n.splatOf(dtype.I64, 0)
	in := []*dag.Value{x, y}
	for range rank(x) {
		in = append(in, start)
	}
	return n.add("dynamic_update_slice", nil, in...)
}

// everywhere returns the places of all elements of a list whose elements are one number
// that is not zero, as exporters count; else nil.
func (n *node) everywhere(x *dag.Value) *dag.Value {
	v := x
	for v.Node != nil && v.Node.Op.ID == id.BroadcastInDim {
		v = v.Node.Inputs[0]
	}
	if list := n.session.numbers(v); rank(x) != 1 || len(list) != 1 || !list[0].known || list[0].n == 0 {
		return nil
	}
	return n.iotaTo(dtype.I64, 1, shape.N(1), dims(x)[0])
}

// chosen returns the indices of the true flags, in order. Their number is known from the
// test's inputs.
func (n *node) chosen(flags *dag.Value) *dag.Value {
	count := int64(0)
	for _, b := range n.value(flags).Bytes {
		count += int64(b)
	}
	order := n.add("argsort", op.Attrs{"dim": int64(0), "descending": true}, n.convert(flags, dtype.I32))
	return n.window(order, 0, 0, count, 1)
}

// det expands matrices [..., K, K] along their first row.
func (n *node) det(x *dag.Value) *dag.Value {
	r := int64(rank(x))
	k, outer := sizes(x)[r-1], sizes(x)[:r-2]
	if k == 1 {
		return n.reshape(x, outer...)
	}
	var sum *dag.Value
	below := n.window(x, r-2, 1, k, 1)
	for c := range k {
		minor := n.along(below, r-1, func(size int64) []int64 {
			var list []int64
			for i := range size {
				if i != c {
					list = append(list, i)
				}
			}
			return list
		})
		head := n.reshape(n.window(n.window(x, r-2, 0, 1, 1), r-1, c, c+1, 1), outer...)
		term := n.binary("multiply", head, n.det(minor))
		switch {
		case sum == nil:
			sum = term
		case c%2 == 1:
			sum = n.binary("subtract", sum, term)
		default:
			sum = n.binary("add", sum, term)
		}
	}
	return sum
}

// ordered returns the elements along a dimension in order, and their places as i64: TopK of
// as many as there are, as torch.sort is exported.
func (n *node) ordered(x *dag.Value, a int64, descending bool) []*dag.Value {
	attrs := op.Attrs{"dim": a, "descending": descending}
	return []*dag.Value{n.add("sort", attrs, x), n.convert(n.add("argsort", attrs, x), dtype.I64)}
}
