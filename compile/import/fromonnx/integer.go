package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var integerRules = map[string]rule{
	"MatMulInteger": func(n *node) []*dag.Value {
		return one(n.matmul(n.centred(0, 2, false), n.centred(1, 3, true)))
	},
	"QLinearMatMul": func(n *node) []*dag.Value {
		y := n.matmul(n.centred(0, 2, false), n.centred(3, 5, true))
		return one(n.requantized(y, n.in(1), n.in(4)))
	},
	"ConvInteger": func(n *node) []*dag.Value {
		return one(n.convert(n.wholeConv(n.centred(0, 2, false), n.centred(1, 3, false)), dtype.I32))
	},
	"QLinearConv": func(n *node) []*dag.Value {
		if n.has(8) || product(sizes(n.in(4))) != 1 {
			n.refuse("scales of channels and a bias in a quantized convolution")
		}
		return one(n.requantized(n.wholeConv(n.centred(0, 2, false), n.centred(3, 5, false)), n.in(1), n.in(4)))
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
	// there: its zero point is then 255, and what 0/0 gives becomes 0.
	scale := n.over(n.binary("subtract", high, low), 255)
	scale = n.choose(n.compare("EQ", high, low), n.splatOf(x.Type.DType, 1), scale)
	none := n.compare("EQ", scale, zero)
	point := n.binary("divide", n.binary("subtract", zero, low), scale)
	point = n.choose(none, n.splatOf(x.Type.DType, 255), point)
	point = n.saturated(n.add("round", nil, point), dtype.U8)
	y := n.add("quantize_linear", nil, x, scale, point)
	void := n.binary("and", none, n.compare("EQ", x, zero))
	return []*dag.Value{n.choose(void, n.splat(y, 0), y), scale, point}
}

// centred is input i as i32 less its zero point, input z. A list of zero points
// is one per row or one per column.
func (n *node) centred(i, z int, columns bool) *dag.Value {
	x := n.convert(n.in(i), dtype.I32)
	if !n.has(z) {
		return x
	}
	zero := n.convert(n.in(z), dtype.I32)
	if s := sizes(zero); len(s) == 1 && s[0] != 1 && !columns {
		zero = n.reshape(zero, s[0], 1)
	}
	if product(sizes(zero)) == 1 {
		zero = n.reshape(zero)
	}
	return n.binary("subtract", x, zero)
}

// wholeConv convolves integers, whose products and sums are exact in
// f32 for kernels of up to 256 elements.
func (n *node) wholeConv(x, k *dag.Value) *dag.Value {
	if product(sizes(k)[1:]) > 256 {
		n.refuse("an integer convolution whose sums f32 cannot hold")
	}
	w := n.window2(x, sizes(k)[2:])
	attrs := w.attrs()
	attrs["groups"] = n.int("group", 1)
	return n.add("convolution", attrs, n.convert(x, dtype.F32), n.convert(k, dtype.F32))
}

// requantized converts sums to the scale and zero point of inputs 6 and 7; other may be
// a list, one scale for each column.
func (n *node) requantized(y, scale, other *dag.Value) *dag.Value {
	f := func(v *dag.Value) *dag.Value {
		if product(sizes(v)) == 1 {
			v = n.reshape(v)
		}
		return n.convert(v, dtype.F32)
	}
	factor := n.binary("divide", n.binary("multiply", f(scale), f(other)), f(n.in(6)))
	y = n.add("round", nil, n.binary("multiply", n.convert(y, dtype.F32), factor))
	zero := n.reshape(n.in(7))
	return n.saturated(n.binary("add", y, n.convert(zero, dtype.F32)), zero.Type.DType)
}

// saturated clamps floats to the range of an integer type and converts them.
func (n *node) saturated(x *dag.Value, d dtype.DType) *dag.Value {
	low, high := limits(d)
	c, _ := carrier(d)
	return n.coded(n.convert(n.between(x, low, high), c), d)
}
