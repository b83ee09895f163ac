package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var quantizedRules = map[string]rule{
	"QuantizeLinear": func(n *node) []*dag.Value {
		x, scale, d := n.in(0), n.in(1), dtype.U8
		if to := n.int("output_dtype", 0); to != 0 {
			d = n.dtypeOf(to)
		}
		var zero *dag.Value
		if n.has(2) {
			zero = n.in(2)
			d = n.kind(zero)
		}
		if _, coded := carrier(d); coded || n.int("block_size", 0) != 0 {
			return one(n.quantizedTo(d, x, scale, zero))
		}
		scale = n.unit(scale) // a list of one is for all elements, whatever the axis is
		if zero != nil {
			zero = n.unit(zero)
		} else {
			zero = n.splatOf(d, 0, sizes(scale)...)
		}
		return one(n.add("quantize_linear", op.Attrs{"axis": n.scaled(x, scale)}, x, scale, zero))
	},
	"DequantizeLinear": func(n *node) []*dag.Value {
		x, scale := n.in(0), n.in(1)
		d := scale.Type.DType
		if to := n.int("output_dtype", 0); to != 0 {
			d = n.dtypeOf(to)
		}
		var zero *dag.Value
		if n.has(2) {
			zero = n.in(2)
		}
		if _, coded := n.codes[x]; coded || n.int("block_size", 0) != 0 {
			return one(n.convert(n.dequantizedFrom(x, scale, zero), d))
		}
		scale = n.unit(scale) // a list of one is for all elements, whatever the axis is
		if zero != nil {
			zero = n.unit(zero)
		} else {
			zero = n.splatOf(x.Type.DType, 0, sizes(scale)...)
		}
		return one(n.convert(n.add("dequantize_linear", op.Attrs{"axis": n.scaled(x, scale)}, x, scale, zero), d))
	},
}

// scaled returns the axis of a scale; a scalar has none.
func (n *node) scaled(x, scale *dag.Value) int64 {
	if rank(scale) == 0 {
		return 0
	}
	return n.axis(n.int("axis", 1), rank(x))
}

// scaling broadcasts a scale or a zero point to x: a scalar, one element for each index
// along the axis, or one for each block along it.
func (n *node) scaling(v, x *dag.Value) *dag.Value {
	switch {
	case n.int("block_size", 0) != 0:
		return n.blocks(v, x)
	case product(sizes(v)) == 1:
		return n.reshape(v)
	}
	to := slices.Repeat([]int64{1}, rank(x))
	to[n.scaled(x, v)] = sizes(v)[0]
	return n.reshape(v, to...)
}

// quantizedTo divides x by a scale, in f32, adds a zero point and converts the sum to an
// element type.
func (n *node) quantizedTo(d dtype.DType, x, scale, zero *dag.Value) *dag.Value {
	y := n.binary("divide", n.convert(x, dtype.F32), n.scaling(n.convert(scale, dtype.F32), x))
	if !d.IsInt() {
		if zero != nil { // it is zero, and makes zeros of negative ones
			y = n.binary("add", y, n.scaling(n.decoded(zero), x))
		}
		return n.encoded(y, d, n.int("saturate", 1) == 1)
	}
	y = n.choose(n.compare("EQ", y, y), n.add("round", nil, y), n.splat(y, 0))
	if zero != nil {
		y = n.binary("add", y, n.convert(n.scaling(zero, x), y.Type.DType))
	}
	return n.saturated(y, d)
}

func (n *node) dequantizedFrom(x, scale, zero *dag.Value) *dag.Value {
	y := n.decoded(x)
	if y.Type.DType.IsInt() {
		y = n.convert(y, dtype.I32)
		if zero != nil {
			y = n.binary("subtract", y, n.convert(n.scaling(zero, x), dtype.I32))
		}
	}
	return n.binary("multiply", n.convert(y, scale.Type.DType), n.scaling(scale, x))
}

// blocks repeats v, one element for each block along the axis, to the sizes of x.
func (n *node) blocks(v, x *dag.Value) *dag.Value {
	a := n.axis(n.int("axis", 1), rank(x))
	if rank(v) != rank(x) {
		n.malformed("%s in blocks of a tensor [%s] with the scale or zero point [%s]: it takes one for each block", n.Op, dims(x), dims(v))
	}
	return n.repeated(v, a, n.int("block_size", 0), extent(x, a))
}

// repeated repeats each element of v along dimension a, which then has a size.
func (n *node) repeated(v *dag.Value, a, times, size int64) *dag.Value {
	to := slices.Clone(dims(v))
	wide := slices.Insert(slices.Clone(to), int(a)+1, shape.N(times))
	places := []int64{}
	for i := range to {
		if int64(i) > a {
			i++
		}
		places = append(places, int64(i))
	}
	to[a] = to[a].Times(shape.N(times))
	y := n.reshapeTo(n.add("broadcast_in_dim", op.Attrs{"sizes": wide, "dims": places}, v), to...)
	return n.window(y, a, 0, size, 1)
}
