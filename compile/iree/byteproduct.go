package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// byteProductOr is a product of bytes, or what other finds.
func byteProductOr(other func(n *dag.Node) (call, bool)) func(n *dag.Node) (call, bool) {
	return func(n *dag.Node) (call, bool) {
		if c, ok := byteProduct(n); ok {
			return c, true
		}
		return other(n)
	}
}

// byteProduct is the product of x [..., K], of bytes less one zero point, with W [K, N], or
// [N, K] as weights are often stored, of bytes with a sign, as i32.
func byteProduct(n *dag.Node) (call, bool) {
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	if n.Outputs[0].Type.DType != dtype.I32 || x.DType != dtype.I32 || len(n.Attrs.Ints("lhs_batching")) > 0 || w.Shape.Rank() != 2 || !w.Shape.IsStatic() {
		return call{}, false
	}
	last := x.Shape.Rank() - 1
	bytes, zero := centred(n.Inputs[0])
	weight, ok := widened(n.Inputs[1])
	if last < 1 || bytes == nil || !ok || weight.Type.DType != dtype.I8 {
		return call{}, false
	}
	lc, rc := n.Attrs.Ints("lhs_contracting"), n.Attrs.Ints("rhs_contracting")
	if !slices.Equal(lc, []int64{int64(last)}) {
		return call{}, false
	}
	k, fours := kernels.ByteProduct{Rows: rc[0] == 1}, int64(4)
	if k.Rows {
		fours = 16
	}
	rows, size, columns := x.Shape[:last].Product(), w.Shape[rc[0]].Size, w.Shape[1-rc[0]].Size
	if size == 0 || size%fours != 0 || columns == 0 || rows == shape.N(0) {
		return call{}, false
	}
	return call{kernel: k, weight: weight, reads: bytes, print: func(p *hlo.Printer, n *dag.Node) {
		from := tensor.TypeOf(dtype.I32, 1)
		least := p.Splat(from, 0)
		if zero != nil {
			least = p.Reshape(p.Value(zero), from)
		}
		in := p.Value(bytes)
		if in.Type.DType == dtype.I8 { // x + 128 has no sign
			in = p.Same("stablehlo.xor", in, p.Fill(in.Type, -128, in))
			least = p.Add(least, p.Splat(from, 128))
		} else { // kernels take no unsigned tensors
			in = p.Bitcast(in, dtype.I8)
		}
		in = p.Reshape(in, tensor.Type{DType: dtype.I8, Shape: shape.Shape{rows, shape.N(size)}})
		sizes := []hlo.Value{sizeOf(p, in, 0), indexNumber(p, columns), indexNumber(p, size/4)}
		y := dispatch(p, k, tensor.Type{DType: dtype.I32, Shape: shape.Shape{rows, shape.N(columns)}}, nil, sizes, p.Value(weight), in, least)
		p.Bind(n, p.Reshape(y, n.Outputs[0].Type))
	}}, true
}

// centred returns the bytes that v is, as i32, less the only element of zero, if that is not
// nil; no bytes if v is something else.
func centred(v *dag.Value) (bytes, zero *dag.Value) {
	if made := v.Node; made != nil && made.Op.ID == id.Subtract {
		v, zero = made.Inputs[0], repeated(made.Inputs[1])
		if zero.Type.Shape.Product() != shape.N(1) {
			return nil, nil
		}
	}
	bytes, ok := widened(v)
	if !ok {
		return nil, nil
	}
	return bytes, zero
}

// widened returns the bytes that v is as i32.
func widened(v *dag.Value) (*dag.Value, bool) {
	made := v.Node
	if made == nil || made.Op.ID != id.Convert || v.Type.DType != dtype.I32 {
		return nil, false
	}
	d := made.Inputs[0].Type.DType
	return made.Inputs[0], d == dtype.I8 || d == dtype.U8
}
