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

// leastRows is the number of rows below which the copies of a panel cost more than the
// kernel gains over the compiler's own product of static sizes.
const leastRows = 24

// byRows is the product of x f32 [..., K] with W f32 [K, N], which is stored by rows of K,
// perhaps in a narrower type: several rows of x read that.
func byRows(n *dag.Node, near nearness) (call, bool) {
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	last := x.Shape.Rank() - 1
	rows, size, columns := x.Shape[:last].Product(), w.Shape[0], w.Shape[1]
	if x.DType != dtype.F32 || w.DType != dtype.F32 || !w.Shape.IsStatic() || size.Size == 0 || columns.Size == 0 || rows == shape.N(0) {
		return call{}, false
	}
	if rows == shape.N(1) {
		k := kernels.VecMat{}
		return call{kernel: k, print: func(p *hlo.Printer, n *dag.Node) {
			y := oneRow(p, k, columns.Size, p.In(n, 0), p.In(n, 1), indexNumber(p, size.Size), indexNumber(p, columns.Size))
			p.Bind(n, p.Reshape(y, n.Outputs[0].Type))
		}}, true
	}
	k, weight := kernels.Product, n.Inputs[1]
	if made := weight.Node; made != nil && made.Op.ID == id.Convert && w.DType != made.Inputs[0].Type.DType && kernels.Widens(made.Inputs[0].Type.DType) {
		weight = made.Inputs[0]
		k.Stored = weight.Type.DType
	}
	k.Direct = k.Stored == dtype.Invalid && near(size.Size, columns.Size)
	return call{kernel: k, weight: weight, print: func(p *hlo.Printer, n *dag.Node) {
		a := p.Reshape(p.In(n, 0), tensor.Type{DType: dtype.F32, Shape: shape.Shape{shape.N(1), rows, size}})
		b := p.Reshape(p.Value(weight), tensor.Type{DType: weight.Type.DType, Shape: shape.Shape{shape.N(1), size, columns}})
		p.Bind(n, p.Reshape(rowProducts(p, k, a, b), n.Outputs[0].Type))
	}}, columns.Size >= leastPositions && (!rows.IsStatic() || rows.Size >= leastRows)
}

// batchedProduct is the product of x f32 [B..., M, K] with y [B..., K, N], such as those of
// attention.
func batchedProduct(n *dag.Node, near nearness) (call, bool) {
	if !isBatched(n) {
		return call{}, false
	}
	x, y, r := n.Inputs[0].Type, n.Inputs[1].Type, len(n.Attrs.Ints("lhs_batching"))
	many := func(d shape.Dim, least int64) bool { return !d.IsStatic() || d.Size >= least }
	z, rows, columns := x.Shape[:r].Product(), x.Shape[r], y.Shape[r+1]
	k, size := kernels.Product, x.Shape[r+1]
	k.Direct = size.IsStatic() && columns.IsStatic() && near(size.Size, columns.Size)
	return call{kernel: k, print: func(p *hlo.Printer, n *dag.Node) {
		a := p.Reshape(p.In(n, 0), tensor.Type{DType: dtype.F32, Shape: shape.Shape{z, rows, size}})
		b := p.Reshape(p.In(n, 1), tensor.Type{DType: dtype.F32, Shape: shape.Shape{z, size, columns}})
		p.Bind(n, p.Reshape(rowProducts(p, k, a, b), n.Outputs[0].Type))
	}}, many(z, 1) && many(size, 1) && many(rows, leastRows) && many(columns, leastPositions)
}

// isBatched reports whether n is the product of x f32 [B..., M, K] with y f32 [B..., K, N].
func isBatched(n *dag.Node) bool {
	if n.Op.ID != id.DotGeneral {
		return false
	}
	x, y := n.Inputs[0].Type, n.Inputs[1].Type
	batch := n.Attrs.Ints("lhs_batching")
	r := len(batch)
	for i := range batch {
		if batch[i] != int64(i) || n.Attrs.Ints("rhs_batching")[i] != int64(i) {
			return false
		}
	}
	lc, rc := n.Attrs.Ints("lhs_contracting"), n.Attrs.Ints("rhs_contracting")
	return r > 0 && x.DType == dtype.F32 && y.DType == dtype.F32 && x.Shape.Rank() == r+2 && y.Shape.Rank() == r+2 && slices.Equal(lc, []int64{int64(r + 1)}) && slices.Equal(rc, []int64{int64(r)})
}

// rowProducts prints the products of a f32 [Z, M, K] with b [Z, K, N], which k reads as stored.
func rowProducts(p *hlo.Printer, k kernels.Conv, a, b hlo.Value) hlo.Value {
	z, m, size, n := sizeOf(p, a, 0), sizeOf(p, a, 1), sizeOf(p, a, 2), sizeOf(p, b, 2)
	t := tensor.Type{DType: dtype.F32, Shape: shape.Shape{a.Type.Shape[0], a.Type.Shape[1], b.Type.Shape[2]}}
	return dispatch(p, k, t, []hlo.Value{z, m, n}, []hlo.Value{z, m, n, size, z, n, n, n, n}, a, b)
}
