package fromhlo

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var productRules = map[string]rule{
	"stablehlo.dot": func(c *call) []*dag.Value {
		return one(c.product(nil, nil, []int64{int64(rank(c.in[0]) - 1)}, []int64{0}))
	},
	"stablehlo.dot_general": func(c *call) []*dag.Value {
		if n := c.Attrs.Get("dot_dimension_numbers"); n.Kind == verify.AttrDict {
			list := func(key string) []int64 { v, _ := n.Get(key).Ints(); return v }
			return one(c.product(list("lhs_batching_dimensions"), list("rhs_batching_dimensions"), list("lhs_contracting_dimensions"), list("rhs_contracting_dimensions")))
		}
		lb, rb := c.pair("batching_dims")
		lc, rc := c.pair("contracting_dims")
		return one(c.product(lb, rb, lc, rc))
	},
}

// pair returns the two lists of "[0] x [1]".
func (c *call) pair(key string) (left, right []int64) {
	if a := c.Attrs.Get(key); len(a.Items) == 2 {
		left, _ = a.Items[0].Ints()
		right, _ = a.Items[1].Ints()
	}
	return left, right
}

// product sums in the element type that the text states.
func (c *call) product(lb, rb, lc, rc []int64) *dag.Value {
	a, b := c.widened(c.in[0]), c.widened(c.in[1])
	for i := range lb {
		c.same(a.Type.Shape[lb[i]], b.Type.Shape[rb[i]])
	}
	for i := range lc {
		c.same(a.Type.Shape[lc[i]], b.Type.Shape[rc[i]])
	}
	list := func(v []int64) []int64 { return append([]int64{}, v...) }
	out := c.add("dot_general", op.Attrs{
		"lhs_batching": list(lb), "rhs_batching": list(rb), "lhs_contracting": list(lc), "rhs_contracting": list(rc),
	}, a, b)
	return c.convert(out, c.dtype(c.Out[0]))
}

// widened converts an operand to the type of the result where that holds more: the sums of
// narrow operands are wider in the text.
func (c *call) widened(v *dag.Value) *dag.Value {
	d, to := v.Type.DType, c.dtype(c.Out[0])
	if d == dtype.Bool || to.Holds(d) {
		return c.convert(v, to)
	}
	return v
}

var convRules = map[string]rule{
	"stablehlo.convolution": func(c *call) []*dag.Value { return one(c.convolution()) },
}

// places is where the dimensions of an operand of a convolution are.
type places struct {
	first, second int64 // batch and feature, or output and input feature
	spatial       []int64
}

// order returns the permutation to the order of the table: first, second, spatial.
func (p places) order() []int64 { return append([]int64{p.first, p.second}, p.spatial...) }

// inverse returns the permutation back.
func inverse(order []int64) []int64 {
	out := make([]int64, len(order))
	for i, d := range order {
		out[d] = int64(i)
	}
	return out
}

func (c *call) placesOf(a verify.Attr, first string) places {
	p := places{spatial: make([]int64, len(a.Items)-2)}
	for i, item := range a.Items {
		switch {
		case item.Kind == verify.AttrInt:
			p.spatial[item.N] = int64(i)
		case item.Text == first:
			p.first = int64(i)
		default:
			p.second = int64(i)
		}
	}
	return p
}

// convolution brings operands to [N, C, S...] and [O, C/groups, K...].
func (c *call) convolution() *dag.Value {
	numbers := c.Attrs.Get("dim_numbers", "dimension_numbers")
	px, pk, po := c.placesOf(numbers.Items[0], "b"), c.placesOf(numbers.Items[1], "o"), c.placesOf(numbers.Items[2], "b")
	n := len(px.spatial)
	w := c.Attrs.Get("window")
	if w.Kind == verify.AttrNone {
		w = c.Attrs
	}
	strides, dilation := c.optionalOf(w, n, 1, "stride", "window_strides"), c.optionalOf(w, n, 1, "rhs_dilate", "rhs_dilation")
	base := c.optionalOf(w, n, 1, "lhs_dilate", "lhs_dilation")
	low, high := c.pairsOf(w, n, "pad", "padding")
	groups, batches := c.number(1, "feature_group_count"), c.number(1, "batch_group_count")

	to := c.dtype(c.Out[0])
	x, k := c.floats(c.transpose(c.in[0], px.order()...)), c.floats(c.transpose(c.in[1], pk.order()...))
	c.same(x.Type.Shape[1], k.Type.Shape[1])
	if flipped := c.reversed(w, n); len(flipped) > 0 {
		k = c.add("reverse", op.Attrs{"dims": flipped}, k)
	}
	if batches > 1 { // group g of the batch meets group g of the kernels: groups of features, with a batch of N/batches
		s := x.Type.Shape
		per := s[0].FloorDiv(batches)
		x = c.reshape(x, slices.Concat(shapeOf(batches), s[:0:0], []dim{per, s[1]}, s[2:])...)
		x = c.transpose(x, append([]int64{1, 0, 2}, span(3, int64(rank(x)))...)...)
		x = c.reshape(x, slices.Concat([]dim{per, s[1].Times(shapeOf(batches)[0])}, s[2:])...)
		groups = batches
	}
	if n == 0 { // a product of matrices, which windows of the table do not have
		x, k = c.reshape(x, append(slices.Clone(x.Type.Shape), shapeOf(1)...)...), c.reshape(k, append(slices.Clone(k.Type.Shape), shapeOf(1)...)...)
		strides, dilation, base, low, high = []int64{1}, []int64{1}, []int64{1}, []int64{0}, []int64{0}
	}
	x, low, high = c.opened(x, base, low, high)
	out := c.add("convolution", op.Attrs{"strides": strides, "low": low, "high": high, "dilation": dilation, "groups": groups}, x, k)
	if n == 0 {
		out = c.reshape(out, out.Type.Shape[:2]...)
	}
	if to.IsInt() {
		out = c.add("round", nil, out)
	}
	return c.transpose(c.convert(out, to), inverse(po.order())...)
}

// floats returns an operand as the table's convolution takes it. Whole numbers are computed
// in f64, which holds their sums.
func (c *call) floats(v *dag.Value) *dag.Value {
	to := c.dtype(c.Out[0])
	switch d := v.Type.DType; {
	case !d.IsFloat() && (d.Bits() > 16 || !to.IsInt()):
		c.refuse(CodeOperation, hintForm, "no operation of the table computes it for %s", d)
	case !d.IsFloat():
		return c.convert(v, dtype.F64)
	}
	return c.widened(v)
}

// opened puts zeros between the elements of x, and outside where the table's padding does
// not reach: it has no negative widths.
func (c *call) opened(x *dag.Value, base, low, high []int64) (*dag.Value, []int64, []int64) {
	odd := slices.ContainsFunc(base, func(n int64) bool { return n != 1 }) || slices.Min(low) < 0 || slices.Min(high) < 0
	if !odd {
		return x, low, high
	}
	interior := []int64{0, 0}
	for _, n := range base {
		interior = append(interior, n-1)
	}
	zeros := []int64{0, 0}
	x = c.padded(x, c.fill(x.Type.DType, 0), append(zeros, low...), append(zeros[:2:2], high...), interior)
	return x, repeat(len(low), 0), repeat(len(high), 0)
}

// reversed returns the dimensions of the kernel that are reversed.
func (c *call) reversed(w verify.Attr, n int) []int64 {
	a := w.Get("reverse", "window_reversal")
	if a.Kind == verify.AttrDense && len(a.Items) == 1 {
		a = a.Items[0]
	}
	var out []int64
	for i := range n {
		if a.Kind == verify.AttrInt && a.N == 1 || i < len(a.Items) && a.Items[i].N == 1 {
			out = append(out, int64(2+i))
		}
	}
	return out
}
