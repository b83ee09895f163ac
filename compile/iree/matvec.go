package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// floatProduct is the product of x [..., K] with W [N, K] of floats, as stored or
// converted to f32: one row with a parameter; a dynamic number of rows; and several
// rows with a converted weight.
// Rows of W [K, N] that are near are read where they lie.
func floatProduct(near nearness) func(n *dag.Node) (call, bool) {
	return func(n *dag.Node) (call, bool) { return floatProductOf(n, near) }
}

func floatProductOf(n *dag.Node, near nearness) (call, bool) {
	if n.Outputs[0].Type.DType.IsInt() {
		return integerProduct(n)
	}
	if len(n.Attrs.Ints("lhs_batching")) > 0 {
		return batchedProduct(n, near)
	}
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	lc, rc := n.Attrs.Ints("lhs_contracting"), n.Attrs.Ints("rhs_contracting")
	last := x.Shape.Rank() - 1
	if last < 1 || w.Shape.Rank() != 2 || len(lc) != 1 || lc[0] != int64(last) {
		return call{}, false
	}
	if rc[0] == 0 {
		return byRows(n, near)
	}
	weight := n.Inputs[1]
	if made := weight.Node; made != nil && made.Op.ID == id.Convert && w.DType == dtype.F32 && kernels.Widens(made.Inputs[0].Type.DType) {
		weight = made.Inputs[0]
	}
	// A narrow x is widened, and the sum rounded, as a product of narrow floats is.
	if x.DType != dtype.F32 && !(x.DType.IsFloat() && x.DType.Bits() < 32) {
		return call{}, false
	}
	columns, size, stored := w.Shape[0].Size, w.Shape[1].Size, weight.Type.DType
	if rows := x.Shape[:last].Product(); !rows.IsStatic() || rows.Size > 1 && weight != n.Inputs[1] {
		k := kernels.MatMul{N: columns, K: size, Encoding: quant.Dense, Weight: stored}
		return call{kernel: k, weight: weight, print: func(p *hlo.Printer, n *dag.Node) {
			y := manyRows(p, k, p.Convert(p.In(n, 0), dtype.F32), p.Value(weight))
			t := n.Outputs[0].Type
			p.Bind(n, p.Convert(p.Reshape(y, tensor.Type{DType: dtype.F32, Shape: t.Shape}), t.DType))
		}}, k.Supported()
	}
	stays := weight.Node != nil && weight.Node.Op.Role == op.Weight
	k := kernels.MatVec{N: columns, K: size, Weight: stored}
	return call{kernel: k, weight: weight, print: func(p *hlo.Printer, n *dag.Node) {
		y := oneRow(p, k, columns, p.Convert(p.In(n, 0), dtype.F32), p.Value(weight))
		p.Bind(n, p.To(n.Outputs[0].Type, "stablehlo.reshape", "", p.Convert(y, n.Outputs[0].Type.DType)))
	}}, stays && last == 1 && x.Shape[0].Size == 1 && k.Supported()
}

// packedProduct is the product of x f32 [..., K] with blocks: one kernel for a single
// row, and one for several rows or a dynamic number.
func packedProduct(n *dag.Node) (call, bool) {
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	e := quant.Encoding(n.Attrs.String("encoding"))
	last := x.Shape.Rank() - 1
	rows, size, columns := x.Shape[:last].Product(), x.Shape[last].Size, w.Shape[0].Size
	if rows == shape.N(1) {
		k := kernels.PackedMatVec{N: columns, K: size, Encoding: e}
		return call{kernel: k, print: func(p *hlo.Printer, n *dag.Node) {
			p.Bind(n, p.Reshape(oneRow(p, k, columns, p.In(n, 0), p.In(n, 1), indexNumber(p, columns)), n.Outputs[0].Type))
		}}, k.Supported()
	}
	k := kernels.MatMul{N: columns, K: size, Encoding: e}
	return call{kernel: k, print: func(p *hlo.Printer, n *dag.Node) {
		p.Bind(n, p.Reshape(manyRows(p, k, p.In(n, 0), p.In(n, 1)), n.Outputs[0].Type))
	}}, rows != shape.N(0) && k.Supported()
}

// packedRows gathers rows of blocks, unpacked, at indices that fit i32.
func packedRows(n *dag.Node) (call, bool) {
	w, at, out := n.Inputs[0].Type, n.Inputs[1].Type, n.Outputs[0].Type
	k := kernels.Take{N: w.Shape[0].Size, K: out.Shape[out.Shape.Rank()-1].Size, Encoding: quant.Encoding(n.Attrs.String("encoding"))}
	count := at.Shape.Product()
	fits := at.DType == dtype.I32 || at.DType.Bits() < 32
	return call{kernel: k, print: func(p *hlo.Printer, n *dag.Node) {
		x := p.Reshape(p.Convert(p.In(n, 1), dtype.I32), tensor.Type{DType: dtype.I32, Shape: shape.Shape{count}})
		t := tensor.Type{DType: dtype.F32, Shape: shape.Shape{count, shape.N(k.K)}}
		y := dispatch(p, k, t, nil, []hlo.Value{sizeOf(p, x, 0), indexNumber(p, k.N), indexNumber(p, k.K)}, p.In(n, 0), x)
		p.Bind(n, p.Reshape(y, n.Outputs[0].Type))
	}}, fits && count != shape.N(0) && k.Supported()
}

// row prints the product of the elements of x, f32, with w: f32 [N].
func oneRow(p *hlo.Printer, k kernel, columns int64, x, w hlo.Value, sizes ...hlo.Value) hlo.Value {
	x = p.Reshape(x, tensor.Type{DType: dtype.F32, Shape: shape.Shape{x.Type.Shape.Product()}})
	return dispatch(p, k, tensor.TypeOf(dtype.F32, columns), nil, sizes, w, x)
}

// rows prints the product of x f32 [..., K] with w: f32 [rows, N].
func manyRows(p *hlo.Printer, k kernels.MatMul, x, w hlo.Value) hlo.Value {
	rows := x.Type.Shape[:x.Type.Shape.Rank()-1].Product()
	x = p.Reshape(x, tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, shape.N(k.K)}})
	t := tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, shape.N(k.N)}}
	return dispatch(p, k, t, nil, []hlo.Value{sizeOf(p, x, 0), indexNumber(p, k.N), indexNumber(p, k.K)}, w, x)
}
