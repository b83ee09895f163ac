package iree

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// integerProduct is the product of x [..., K] with W [K, N], or with W [N, K] of bytes with a
// sign, of integers that have at most 16 bits, as i32.
func integerProduct(n *dag.Node) (call, bool) {
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	last := x.Shape.Rank() - 1
	if last < 1 || w.Shape.Rank() != 2 || !w.Shape.IsStatic() || n.Outputs[0].Type.DType != dtype.I32 || len(n.Attrs.Ints("lhs_batching")) > 0 {
		return call{}, false
	}
	lc, rc := n.Attrs.Ints("lhs_contracting"), n.Attrs.Ints("rhs_contracting")
	if !slices.Equal(lc, []int64{int64(last)}) {
		return call{}, false
	}
	k, part := kernels.IntegerProduct{Weight: dtype.I16, Rows: rc[0] == 1}, int64(2)
	if k.Rows {
		part = 8
	}
	rows, size, columns := x.Shape[:last].Product(), w.Shape[rc[0]].Size, w.Shape[1-rc[0]].Size
	if size == 0 || size%part != 0 || columns == 0 || rows == shape.N(0) {
		return call{}, false
	}
	weight := n.Inputs[1]
	if made := weight.Node; made != nil && made.Op.ID == id.Convert && made.Inputs[0].Type.DType.Bits() == 8 {
		weight = made.Inputs[0]
		k.Weight = weight.Type.DType
	}
	return call{kernel: k, weight: weight, print: func(p *hlo.Printer, n *dag.Node) {
		in := p.Reshape(p.Convert(p.In(n, 0), dtype.I16), tensor.Type{DType: dtype.I16, Shape: shape.Shape{rows, shape.N(size)}})
		w := p.Convert(p.Value(weight), k.Weight)
		if w.Type.DType == dtype.U8 { // kernels take no unsigned tensors; the symbol says that it is one
			w = p.Bitcast(w, dtype.I8)
		}
		sizes := []hlo.Value{sizeOf(p, in, 0), indexNumber(p, columns), indexNumber(p, size/2)}
		y := dispatch(p, k, tensor.Type{DType: dtype.I32, Shape: shape.Shape{rows, shape.N(columns)}}, nil, sizes, w, in)
		p.Bind(n, p.Reshape(y, n.Outputs[0].Type))
	}}, k.Supported() && short(n.Inputs[0]) && short(n.Inputs[1])
}

// short reports whether the integers of v fit 16 bits with a sign: bytes, also less a zero
// point.
func short(v *dag.Value) bool {
	r := hlo.Interval(v, 4)
	return math.MinInt16 <= r.Low && r.High <= math.MaxInt16
}
