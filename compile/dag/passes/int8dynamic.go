package passes

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Int8Dynamic returns the pass that stores weights as Int8 does, in the same bytes, and
// multiplies integers: dynamic quantisation, W8A8. A product with a weight [N, K] quantises its other
// operand x as it runs, as ONNX's DynamicQuantizeLinear does: to u8 with one
// scale and one zero point, from the least and the greatest element of all of x
// and 0. With the codes q and the zero point z of x, and the codes p of the weight, the result is
//
//	y = (x's scale times the channel's) (q - z) · p
//
// with sums in i32, which no K up to 66311 overflows: longer products, and
// those of weights of higher rank, stay those of Int8, as does a take of rows.
//
// An element of x is off by at most half of x's scale, 1/510 of the range of x, so that one
// large element costs all others digits. What is beside a row in x, such as another text
// of a batch or padding, changes the scale, and with it the row's result. Where an element
// is NaN or infinite, all results of the product are NaN or infinite.
func Int8Dynamic(least int64) Pass { return int8Pass(StoreInt8Dynamic, least) }

// longestIntegers is the largest K for which sums of K products, each of at most 255 times
// 127, fit an i32.
const longestIntegers = (1<<31 - 1) / (255 * 127)

// multipliesIntegers reports whether products with w can be those of integers.
func multipliesIntegers(w *dag.Node) bool {
	s := w.Outputs[0].Type.Shape
	return s.Rank() == 2 && s[1].Size <= longestIntegers
}

// dotDynamic returns the product n with w at operand i: that of integers, times both scales.
func dotDynamic(e *editor, n *dag.Node, i int, w *dag.Node) *dag.Value {
	x := as(e, n, n.Inputs[1-i], dtype.F32)
	if x == nil {
		return nil
	}
	d := dynamic{e, n}
	codes, scale, point := d.quantized(x)
	rows, scales := load(e, w)
	whole := d.add("subtract", nil, d.to(codes, dtype.I32), d.spread(d.to(point, dtype.I32), x.Type))
	in := []*dag.Value{whole, whole}
	in[i] = d.to(rows, dtype.I32)
	y := d.to(d.addAt(n.Origin, "dot_general", n.Attrs, in...), dtype.F32)
	if scales == nil {
		return nil
	}
	return scaled(e, n, y, d.add("multiply", nil, scales, d.spread(scale, scales.Type)), n.Outputs[0].Type, channels(n, i))
}

// dynamic appends nodes for n. A nil operand makes a nil result.
type dynamic struct {
	e *editor
	n *dag.Node
}

// quantized returns x as u8, its scale and its zero point, all three as ONNX
// Runtime computes them: compile/import/fromonnx explains each step of the same graph.
func (d dynamic) quantized(x *dag.Value) (codes, scale, point *dag.Value) {
	dims := make([]int64, x.Type.Shape.Rank())
	for i := range dims {
		dims[i] = int64(i)
	}
	all := op.Attrs{"dims": dims}
	zero := d.number(dtype.F32, 0)
	low := d.add("minimum", nil, d.add("reduce_min", all, x), zero)
	high := d.add("maximum", nil, d.add("reduce_max", all, x), zero)
	scale = d.add("divide", nil, d.add("subtract", nil, high, low), d.number(dtype.F32, 255))
	scale = d.add("select", nil, d.equal(high, low), d.number(dtype.F32, 1), scale)
	none := d.equal(scale, zero)
	at := d.add("divide", nil, d.add("subtract", nil, zero, low), scale)
	at = d.add("round", nil, d.add("select", nil, none, d.number(dtype.F32, 255), at))
	at = d.add("minimum", nil, d.add("maximum", nil, at, zero), d.number(dtype.F32, 255))
	point = d.to(at, dtype.U8)
	// What underflows to the scale 0 has the codes of the zero point 0.
	from := d.add("select", nil, none, d.number(dtype.U8, 0), point)
	return d.add("quantize_linear", nil, x, scale, from), scale, point
}

func (d dynamic) number(t dtype.DType, x float64) *dag.Value {
	return d.add("splat", op.Attrs{"type": tensor.TypeOf(t), "value": x})
}

func (d dynamic) equal(x, y *dag.Value) *dag.Value {
	return d.add("compare", op.Attrs{"direction": op.EQ}, x, y)
}

func (d dynamic) to(x *dag.Value, t dtype.DType) *dag.Value {
	return d.add("convert", op.Attrs{"dtype": t}, x)
}

// spread repeats a scalar in the shape of a type.
func (d dynamic) spread(x *dag.Value, t tensor.Type) *dag.Value {
	return spread(d.e, d.n.Inner("quantized"), x, t.Shape, []int64{})
}

func (d dynamic) add(name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	return d.addAt(d.n.Inner("quantized"), name, attrs, in...)
}

func (d dynamic) addAt(at dag.Origin, name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	for _, v := range in {
		if v == nil {
			return nil
		}
	}
	return d.e.add(name, at, attrs, in...)
}
