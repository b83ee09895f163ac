package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var integerRules = map[string]rule{
	"MatMulInteger": func(n *node) []*dag.Value {
		return one(n.integerMatMul(n.centred(0, 2, false), 1, 3))
	},
	"QLinearMatMul": func(n *node) []*dag.Value {
		y := n.integerMatMul(n.centred(0, 2, false), 3, 5)
		return one(n.requantized(y, n.in(1), n.in(4)))
	},
	"ConvInteger": func(n *node) []*dag.Value {
		return one(n.wholeConv(n.centred(0, 2, false), n.centredKernel(1, 3)))
	},
	"QLinearConv": func(n *node) []*dag.Value {
		sum := n.wholeConv(n.centred(0, 2, false), n.centredKernel(3, 5))
		sum = n.bias(sum, 8)
		scale := n.convert(n.unit(n.in(4)), dtype.F32)
		if rank(scale) == 1 { // one for each channel
			scale = n.reshape(scale, append([]int64{extent(scale, 0)}, slices.Repeat([]int64{1}, rank(sum)-2)...)...)
		}
		return one(n.requantized(sum, n.in(1), scale))
	},
	"DynamicQuantizeLinear": func(n *node) []*dag.Value { return n.dynamic(n.in(0)) },
}

// dynamic quantizes x to u8 with a scale and a zero point that follow from it.
func (n *node) dynamic(x *dag.Value) []*dag.Value {
	dims := op.Attrs{"dims": all(x)}
	zero := n.splatOf(x.Type.DType, 0)
	low := n.binary("minimum", n.add("reduce_min", dims, x), zero)
	high := n.binary("maximum", n.add("reduce_max", dims, x), zero)
	// ONNX divides by 255; a product with 1/255 is another scale. Where all
	// elements are zero ONNX Runtime takes the scale 1. One that underflows is 0
	// there: its zero point is then 255, what 0/0 gives becomes 0, and other elements are the
	// least or the greatest byte, as with the zero point 0.
	scale := n.over(n.binary("subtract", high, low), 255)
	scale = n.choose(n.compare("EQ", high, low), n.splatOf(x.Type.DType, 1), scale)
	none := n.compare("EQ", scale, zero)
	point := n.binary("divide", n.binary("subtract", zero, low), scale)
	point = n.choose(none, n.splatOf(x.Type.DType, 255), point)
	point = n.saturated(n.add("round", nil, point), dtype.U8)
	from := n.choose(none, n.splat(point, 0), point)
	return []*dag.Value{n.add("quantize_linear", nil, x, scale, from), scale, point}
}

// centred is input i as i32 less its zero point, input z. A list of zero points
// is one per row or one per column.
func (n *node) centred(i, z int, columns bool) *dag.Value {
	x := n.convert(n.in(i), dtype.I32)
	if !n.has(z) {
		return x
	}
	zero := n.convert(n.in(z), dtype.I32)
	if s := dims(zero); len(s) == 1 && s[0] != shape.N(1) && !columns {
		zero = n.reshapeTo(zero, s[0], shape.N(1))
	}
	return n.binary("subtract", x, n.unit(zero))
}

// integerMatMul is the product of x with input i less its zero point, input z. Where that
// is a weight, W is read as it is stored: x (W - z) = x W - (the sums of x's rows) z.
func (n *node) integerMatMul(x *dag.Value, i, z int) *dag.Value {
	w := n.in(i)
	if rank(w) != 2 || rank(x) < 2 || !n.has(z) {
		return n.matmul(x, n.centred(i, z, true))
	}
	y := n.matmul(x, n.convert(w, dtype.I32))
	if n.certainZero(z) {
		return y
	}
	last := op.Attrs{"dims": []int64{int64(rank(x) - 1)}, "keepdims": true}
	return n.binary("subtract", y, n.binary("multiply", n.add("reduce_sum", last, x), n.unit(n.convert(n.in(z), dtype.I32))))
}

// centredKernel is a kernel as i32 less its zero point, or one for each output channel.
func (n *node) centredKernel(i, z int) *dag.Value {
	k := n.convert(n.in(i), dtype.I32)
	if !n.has(z) {
		return k
	}
	zero := n.unit(n.convert(n.in(z), dtype.I32))
	if rank(zero) == 1 {
		zero = n.reshape(zero, append([]int64{extent(zero, 0)}, slices.Repeat([]int64{1}, rank(k)-1)...)...)
	}
	return n.binary("subtract", k, zero)
}

// wholeConv convolves integers [N, C, S...] with kernels [O, C/groups, K...] into i32. The
// sums of up to 256 products of bytes are exact in f32, whose convolutions are fast;
// longer ones are products of i32 with the windows as columns.
func (n *node) wholeConv(x, k *dag.Value) *dag.Value {
	kernel, groups := sizes(k), n.int("group", 1)
	w := n.window2(x, kernel[2:])
	attrs := w.attrs()
	if product(kernel[1:]) <= 256 {
		attrs["groups"] = groups
		return n.convert(n.add("convolution", attrs, n.convert(x, dtype.F32), n.convert(k, dtype.F32)), dtype.I32)
	}
	if groups < 1 || kernel[0]%groups != 0 {
		n.refuse("%d kernels in %d groups", kernel[0], groups)
	}
	to := shape.Shape{dims(x)[0], shape.N(kernel[0])}
	for i, s := range dims(x)[2:] {
		s = s.Plus(shape.N(w.low[i])).Plus(shape.N(w.high[i])).Minus(shape.N((kernel[2+i]-1)*w.dilation[i] + 1))
		to = append(to, s.FloorDiv(w.strides[i]).Plus(shape.N(1)))
	}
	attrs["kernel"] = kernel[2:]
	columns := n.add("im2col", attrs, x) // [N, C K, L]
	taps := product(kernel[1:])
	columns = n.reshapeTo(columns, dims(x)[0], shape.N(groups), shape.N(taps), dims(columns)[2])
	sum := n.add("dot_general", op.Attrs{ // [G, O/G, N, L]
		"lhs_batching": []int64{0}, "lhs_contracting": []int64{2}, "rhs_batching": []int64{1}, "rhs_contracting": []int64{2},
	}, n.reshape(k, groups, kernel[0]/groups, taps), columns)
	return n.reshapeTo(n.transpose(sum, 2, 0, 1, 3), to...)
}

// requantized converts sums to the scale and zero point of inputs 6 and 7; other may be
// a list, one scale for each column.
func (n *node) requantized(y, scale, other *dag.Value) *dag.Value {
	f := func(v *dag.Value) *dag.Value { return n.convert(n.unit(v), dtype.F32) }
	return n.rescaled(y, n.binary("divide", n.binary("multiply", f(scale), f(other)), f(n.in(6))), n.reshape(n.in(7)))
}

// rescaled multiplies sums by a factor, rounds to nearest even, and adds a zero point.
func (n *node) rescaled(y, factor, zero *dag.Value) *dag.Value {
	y = n.add("round", nil, n.binary("multiply", n.convert(y, dtype.F32), factor))
	return n.saturated(n.binary("add", y, n.convert(zero, dtype.F32)), zero.Type.DType)
}

// saturated clamps floats to the range of an integer type and converts them.
func (n *node) saturated(x *dag.Value, d dtype.DType) *dag.Value {
	low, high := limits(d)
	c, _ := carrier(d)
	return n.coded(n.convert(n.between(x, low, high), c), d)
}
