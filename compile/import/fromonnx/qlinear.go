package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Quantized nodes of ONNX Runtime. Products are sums of integers; what is no product is
// computed in f32 between the scales of its operands and of its result.
var qlinearRules = map[string]rule{
	"QLinearAdd": func(n *node) []*dag.Value {
		return one(n.requantizedTo(n.binary("add", n.dequantizedAt(0), n.dequantizedAt(3)), 6))
	},
	"QLinearMul": func(n *node) []*dag.Value {
		whole := n.binary("multiply", n.offsetAt(0), n.offsetAt(3))
		factor := n.binary("divide", n.binary("multiply", n.unit(n.in(1)), n.unit(n.in(4))), n.unit(n.in(6)))
		return one(n.roundedWith(n.binary("multiply", n.convert(whole, dtype.F32), factor), 7))
	},
	"QLinearSigmoid": func(n *node) []*dag.Value {
		return one(n.requantizedTo(n.add("logistic", nil, n.dequantizedAt(0)), 3))
	},
	"QLinearLeakyRelu": func(n *node) []*dag.Value {
		return one(n.requantizedTo(n.add("leaky_relu", op.Attrs{"slope": n.float("alpha", 0.01)}, n.dequantizedAt(0)), 3))
	},
	"QLinearSoftmax": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", -1), rank(x))
		if n.int("opset", 13) < 13 && int(a) != rank(x)-1 {
			n.refuse("a softmax over several dimensions")
		}
		return one(n.softmaxOfBytes(x, a))
	},
	"QLinearConcat": func(n *node) []*dag.Value {
		if len(n.Inputs) < 5 || len(n.Inputs)%3 != 2 {
			n.malformed("QLinearConcat with %d inputs: it takes a scale and a zero point, and then three for each tensor", len(n.Inputs))
		}
		var parts []*dag.Value
		for i := 2; i+2 < len(n.Inputs); i += 3 {
			parts = append(parts, n.dequantizedAt(i))
		}
		a := n.axis(n.int("axis", 0), rank(parts[0]))
		return one(n.requantizedTo(n.add("concatenate", op.Attrs{"dim": a}, parts...), 0))
	},
	"QLinearGlobalAveragePool": func(n *node) []*dag.Value {
		x := n.dequantizedAt(0)
		places := all(x)[2:]
		if n.int("channels_last", 0) == 1 {
			places = all(x)[1 : rank(x)-1]
		}
		return one(n.requantizedTo(n.add("reduce_mean", op.Attrs{"dims": places, "keepdims": true}, x), 3))
	},
	"QLinearAveragePool": func(n *node) []*dag.Value {
		if n.int("channels_last", 0) == 1 {
			n.refuse("a quantized pool of channels that come last")
		}
		attrs := n.pool()
		attrs["count_include_pad"] = n.int("count_include_pad", 0) == 1
		mean := n.meanInOrder(n.dequantizedAt(0), attrs)
		return one(n.roundedWith(n.binary("divide", mean, n.unit(n.in(3))), 4))
	},
	"QGemm": func(n *node) []*dag.Value {
		side := func(i int, name string, columns bool) *dag.Value {
			turned := n.int(name, 0) == 1
			x := n.centred(i, i+2, columns != turned)
			if turned {
				x = n.transpose(x, 1, 0)
			}
			return x
		}
		sum := n.product(side(0, "transA", false), side(3, "transB", true))
		if n.has(6) {
			sum = n.binary("add", sum, n.in(6))
		}
		factor := n.scale(n.binary("multiply", n.unit(n.in(1)), n.unit(n.in(4))), n.float("alpha", 1))
		if !n.has(7) {
			return one(n.binary("multiply", n.convert(sum, dtype.F32), factor))
		}
		return one(n.rescaled(sum, n.binary("divide", factor, n.unit(n.in(7))), n.reshape(n.in(8))))
	},
	"MatMulIntegerToFloat": func(n *node) []*dag.Value {
		y := n.convert(n.integerMatMul(n.centred(0, 4, false), 1, 5), dtype.F32)
		y = n.binary("multiply", y, n.binary("multiply", n.unit(n.in(2)), n.unit(n.in(3))))
		return one(n.plusInput(y, 6))
	},
	"DynamicQuantizeMatMul": func(n *node) []*dag.Value {
		q := n.dynamic(n.in(0))
		x := n.binary("subtract", n.convert(q[0], dtype.I32), n.convert(q[2], dtype.I32))
		y := n.convert(n.integerMatMul(x, 1, 3), dtype.F32)
		return one(n.plusInput(n.binary("multiply", y, n.binary("multiply", q[1], n.unit(n.in(2)))), 4))
	},
	"MatMulNBits": func(n *node) []*dag.Value {
		x, k, rows, block := n.in(0), n.int("K", 0), n.int("N", 0), n.int("block_size", 0)
		bits := n.int("bits", 4)
		if n.has(4) {
			n.refuse("a product whose columns are in another order")
		}
		if block < 1 || k < 1 || rows < 1 || bits != 2 && bits != 4 && bits != 8 {
			n.refuse("a product with blocks of %d elements of %d bits", block, bits)
		}
		blocks := (k + block - 1) / block
		d := n.in(2).Type.DType
		w := n.convert(n.reshape(n.unpacked(n.in(1), bits), rows, blocks, block), d)
		zero := n.splatOf(d, float64(int64(1)<<(bits-1)))
		if n.has(3) {
			zero = n.in(3)
			if !zero.Type.DType.IsFloat() { // each row begins with a byte of its own
				each := (blocks*bits + 7) / 8
				zero = n.unpacked(n.reshape(zero, rows, each), bits)
				zero = n.convert(n.window(zero, 1, 0, blocks, 1), d)
			}
			zero = n.reshape(zero, rows, blocks, 1)
		}
		w = n.binary("multiply", n.binary("subtract", w, zero), n.reshape(n.in(2), rows, blocks, 1))
		w = n.window(n.reshape(w, rows, blocks*block), 1, 0, k, 1)
		y := n.add("dot_general", op.Attrs{"lhs_contracting": []int64{int64(rank(x) - 1)}, "rhs_contracting": []int64{1}}, x, n.convert(w, x.Type.DType))
		return one(n.plusInput(y, 5))
	},
	"GatherBlockQuantized": func(n *node) []*dag.Value {
		x, at, scale := n.in(0), n.in(1), n.in(2)
		zero, coded := n.splatOf(scale.Type.DType, 0), n.kind(x) != x.Type.DType
		if !coded { // elements are packed in bytes
			bits := n.int("bits", 4)
			x = n.unpacked(x, bits)
			zero = n.splatOf(scale.Type.DType, float64(int64(1)<<(bits-1)))
		}
		a := n.axis(n.int("gather_axis", 0), rank(x))
		q := n.axis(n.int("quantize_axis", 1), rank(x))
		row := func(v *dag.Value) *dag.Value { return n.takeAlong(v, at, a) }
		if n.has(3) {
			zero = n.in(3)
			if !coded {
				zero = n.window(n.unpacked(zero, n.int("bits", 4)), int64(rank(x)-1), 0, extent(scale, int64(rank(x)-1)), 1)
			}
			zero = row(n.convert(zero, scale.Type.DType))
		}
		if q > a {
			q += int64(rank(at) - 1)
		}
		x = n.convert(row(x), scale.Type.DType)
		wide := func(v *dag.Value) *dag.Value { return n.repeated(v, q, n.int("block_size", 128), extent(x, q)) }
		if rank(zero) > 0 {
			zero = wide(zero)
		}
		return one(n.binary("multiply", n.binary("subtract", x, zero), wide(row(scale))))
	},
}

func init() {
	for name, r := range qlinearRules {
		rules["com.microsoft."+name] = r
	}
}

// softmaxOfBytes is a softmax along a in integers, as ONNX Runtime computes it: the powers of
// e for the 256 distances from the greatest element are whole multiples of a small number.
func (n *node) softmaxOfBytes(x *dag.Value, a int64) *dag.Value {
	const distances, finest, most = 256, 1<<23 - 1, 1<<32 - 1
	along := op.Attrs{"dims": []int64{a}, "keepdims": true}
	unit := n.binary("minimum", n.splatOf(dtype.F64, finest), n.binary("divide", n.splatOf(dtype.F64, most), n.sizeValue(dtype.F64, x, a)))
	away := n.convert(n.iota(dtype.I32, 0, distances), dtype.F64)
	powers := n.add("exp", nil, n.scale(n.binary("multiply", away, n.convert(n.unit(n.in(1)), dtype.F64)), -1))
	table := n.convert(n.add("floor", nil, n.plus(n.binary("multiply", powers, unit), 0.5)), dtype.I64)
	whole := n.convert(x, dtype.I32)
	far := n.binary("subtract", n.add("reduce_max", along, whole), whole)
	share := n.add("take", nil, table, n.convert(far, dtype.I64))
	sum := n.add("reduce_sum", along, share)
	steps := n.convert(n.add("floor", nil, n.add("reciprocal", nil, n.unit(n.in(3)))), dtype.I64)
	half := n.binary("divide", sum, n.splatOf(dtype.I64, 2))
	y := n.binary("divide", n.binary("add", n.binary("multiply", share, steps), half), sum)
	return n.roundedWith(n.convert(y, dtype.F32), 4)
}

// offsetAt is input i less its zero point, i32.
func (n *node) offsetAt(i int) *dag.Value {
	x := n.convert(n.in(i), dtype.I32)
	if n.has(i + 2) {
		x = n.binary("subtract", x, n.convert(n.unit(n.in(i+2)), dtype.I32))
	}
	return x
}

// roundedWith adds the zero point that is input i, and rounds the sum to nearest even.
func (n *node) roundedWith(y *dag.Value, i int) *dag.Value {
	d := n.in(0).Type.DType
	if n.has(i) {
		y = n.binary("add", y, n.convert(n.unit(n.in(i)), dtype.F32))
	}
	return n.saturated(n.add("round", nil, y), d)
}

// dequantizedAt is input i in f32; its scale and its zero point come behind it.
func (n *node) dequantizedAt(i int) *dag.Value {
	return n.binary("multiply", n.convert(n.offsetAt(i), dtype.F32), n.unit(n.in(i+1)))
}

// requantizedTo divides by the scale that is input i and adds the zero point behind it.
func (n *node) requantizedTo(y *dag.Value, i int) *dag.Value {
	d := n.in(0).Type.DType
	if i == 0 {
		d = n.in(2).Type.DType
	}
	zero := n.splatOf(d, 0)
	if n.has(i + 1) {
		zero = n.reshape(n.in(i + 1))
	}
	return n.add("quantize_linear", nil, y, n.reshape(n.in(i)), zero)
}

// plusInput adds input i, if it is given.
func (n *node) plusInput(y *dag.Value, i int) *dag.Value {
	if !n.has(i) {
		return y
	}
	return n.binary("add", y, n.in(i))
}

// unpacked returns the numbers of so many bits in the bytes of x [..., K], the lower bits
// first: u8 [..., 8 K / bits].
func (n *node) unpacked(x *dag.Value, bits int64) *dag.Value {
	switch bits {
	case 8:
		return x
	case 1, 2, 4:
	default:
		n.malformed("%s of elements of %d bits: they have 1, 2, 4 or 8", n.Op, bits)
	}
	thin := append(slices.Clone(dims(x)), shape.N(1))
	var parts []*dag.Value
	for at := int64(0); at < 8; at += bits {
		v := x
		if at > 0 {
			v = n.binary("shift_right", v, n.splatOf(x.Type.DType, float64(at)))
		}
		if at+bits < 8 {
			v = n.binary("and", v, n.splatOf(x.Type.DType, float64(int64(1)<<bits-1)))
		}
		parts = append(parts, n.reshapeTo(v, thin...))
	}
	last := rank(x) - 1
	to := slices.Clone(dims(x))
	to[last] = to[last].Times(shape.N(8 / bits))
	return n.reshapeTo(n.add("concatenate", op.Attrs{"dim": int64(last + 1)}, parts...), to...)
}
