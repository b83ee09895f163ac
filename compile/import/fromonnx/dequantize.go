package fromonnx

import (
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// With Options.Dequantize what a quantized model rounds between its operators stays in f32:
// DynamicQuantizeLinear is x itself with the scale 1 and the zero point 0, QuantizeLinear
// only clamps to what its integers stand for, and products take weights as they are stored,
// less their zero points, times their scales.

// dequantizing are the rules that differ then, by operators of any domain. They return nil
// for nodes for which they do not.
var dequantizing = map[string]rule{
	"DynamicQuantizeLinear": func(n *node) []*dag.Value {
		x := n.in(0)
		return []*dag.Value{x, n.splatOf(x.Type.DType, 1), n.splatOf(dtype.U8, 0)}
	},
	"QuantizeLinear": func(n *node) []*dag.Value {
		if _, known := n.certain(n.in(0)); known || n.stored[n.in(0)] != nil {
			return nil
		}
		y := n.clamped()
		n.scales[y] = n.unit(n.in(1))
		return one(y)
	},
	"DequantizeLinear": func(n *node) []*dag.Value {
		x, scale := n.in(0), n.in(1)
		if n.kind(x) != x.Type.DType || !x.Type.DType.IsFloat() {
			return nil
		}
		if n.movedFrom(x, func(v *dag.Value) bool { return n.sums[v] }) != nil {
			x = n.binary("multiply", x, n.scaling(n.convert(n.unit(scale), dtype.F32), x))
		}
		return one(n.convert(x, scale.Type.DType))
	},
	// A bias of integers, which some models add before the scale: bias/scale rounded down.
	"Add": func(n *node) []*dag.Value {
		if n.wholly(0) == n.wholly(1) {
			return nil
		}
		return n.summed(n.binary("add", n.unrounded(0), n.unrounded(1)))
	},
	"MatMulInteger": func(n *node) []*dag.Value {
		if n.wholly(0) {
			return nil
		}
		return n.summed(n.matmul(n.inScales(0), n.lessZero(1, 3, true)))
	},
	"ConvInteger": func(n *node) []*dag.Value {
		if n.wholly(0) {
			return nil
		}
		x, k := n.inScales(0), n.lessZero(1, 3, false)
		w := n.window2(x, sizes(k)[2:])
		attrs := w.attrs()
		attrs["groups"] = n.int("group", 1)
		return n.summed(n.add("convolution", attrs, x, k))
	},
	"MatMulIntegerToFloat": func(n *node) []*dag.Value {
		if n.wholly(0) {
			return nil
		}
		y := n.matmul(n.inScales(0), n.lessZero(1, 5, true))
		return one(n.plusInput(n.binary("multiply", y, n.binary("multiply", n.unit(n.in(2)), n.unit(n.in(3)))), 6))
	},
	"QAttention": func(n *node) []*dag.Value {
		if n.wholly(0) {
			return nil
		}
		y := n.product(n.inScales(0), n.lessZero(1, 7, true))
		y = n.binary("multiply", y, n.binary("multiply", n.unit(n.in(3)), n.unit(n.in(4))))
		return n.jointAttention(n.binary("add", y, n.in(2)), 5, 8, -1)
	},
	"DynamicQuantizeMatMul": func(n *node) []*dag.Value {
		y := n.matmul(n.in(0), n.lessZero(1, 3, true))
		return one(n.plusInput(n.binary("multiply", y, n.unit(n.in(2))), 4))
	},
}

// rule returns the rule of an operator, and whether there is one.
func (s *session) rule(name string) (rule, bool) {
	plain, ok := rules[name]
	exact := dequantizing[name[strings.LastIndexByte(name, '.')+1:]]
	if !s.dequantize || !ok || exact == nil {
		return plain, ok
	}
	return func(n *node) []*dag.Value {
		if y := exact(n); y != nil {
			return y
		}
		return plain(n)
	}, true
}

// wholly reports whether input i is integers, which a call gives or another operator makes.
func (n *node) wholly(i int) bool { return n.in(i).Type.DType.IsInt() }

// unrounded is input i as a float: before it was rounded and made an integer, if it was. It
// may have another shape since.
func (n *node) unrounded(i int) *dag.Value {
	v := n.in(i)
	if !n.wholly(i) {
		return v
	}
	exact := n.floatOf(n.Inputs[i])
	if exact == nil {
		return n.convert(v, dtype.F32)
	}
	return n.reshapeTo(n.convert(exact, dtype.F32), v.Type.Shape...)
}

// floatOf returns the float that an integer is made of by name, before it was rounded down,
// or nil. Its elements are those of the integer, in order.
func (n *node) floatOf(name string) *dag.Value {
	made := func(by string) bool {
		maker := n.makers[name]
		if maker == nil || maker.Op != by || len(maker.Inputs) == 0 {
			return false
		}
		name = maker.Inputs[0]
		return true
	}
	made("Reshape")
	if !made("Cast") {
		return nil
	}
	made("Floor")
	if x := n.find(name); x != nil && x.Type.DType.IsFloat() {
		return x
	}
	return nil
}

// inScales is input i over the scale of the QuantizeLinear that it comes from, with which
// the model multiplies a sum of such integers.
func (n *node) inScales(i int) *dag.Value {
	x := n.in(i)
	from := n.movedFrom(x, func(v *dag.Value) bool { return n.scales[v] != nil })
	if from == nil {
		return x
	}
	scale := n.scales[from]
	if rank(scale) > 0 {
		n.refuse("a product of integers of several scales, in f32")
	}
	return n.binary("divide", x, n.convert(scale, x.Type.DType))
}

// summed is a sum of products that stands for one of integers.
func (n *node) summed(v *dag.Value) []*dag.Value {
	n.sums[v] = true
	return one(v)
}

// movedFrom returns the value of a kind of which x has the elements, or nil.
func (s *session) movedFrom(x *dag.Value, is func(v *dag.Value) bool) *dag.Value {
	for !is(x) {
		if x.Node == nil || x.Node.Op.Role != op.Moves || len(x.Node.Inputs) == 0 {
			return nil
		}
		x = x.Node.Inputs[0]
	}
	return x
}

// lessZero is input i in f32 less its zero point, input z: a scalar, one for each column,
// or, of a kernel, one for each output channel.
func (n *node) lessZero(i, z int, columns bool) *dag.Value {
	w := n.in(i)
	y := n.convert(w, dtype.F32)
	if !n.has(z) || n.certainZero(z) {
		return y
	}
	if !columns {
		return n.convert(n.centredKernel(i, z), dtype.F32)
	}
	return n.convert(n.centred(i, z, true), dtype.F32)
}

// clamped is input 0 between the least and the greatest number that the integers of a
// QuantizeLinear stand for, which is how a model's Relu may be written.
func (n *node) clamped() *dag.Value {
	x, d := n.in(0), dtype.U8
	if to := n.int("output_dtype", 0); to != 0 {
		d = n.dtypeOf(to)
	}
	if n.has(2) {
		d = n.kind(n.in(2))
	}
	if !d.IsInt() {
		n.refuse("values rounded to %s, which dequantize leaves as they are", d)
	}
	low, high := limits(d)
	end := func(limit float64) *dag.Value {
		y := n.splatOf(dtype.F32, limit)
		if n.has(2) {
			y = n.binary("subtract", y, n.convert(n.unit(n.in(2)), dtype.F32))
		}
		y = n.binary("multiply", y, n.convert(n.unit(n.in(1)), dtype.F32))
		if rank(y) > 0 || n.int("block_size", 0) != 0 {
			y = n.scaling(y, x)
		}
		return n.convert(y, x.Type.DType)
	}
	return n.binary("minimum", n.binary("maximum", x, end(low)), end(high))
}
