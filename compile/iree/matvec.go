package iree

import (
	"fmt"
	"strings"

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
func floatProduct(n *dag.Node) (call, bool) {
	if len(n.Attrs.Ints("lhs_batching")) > 0 {
		return call{}, false
	}
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	lc, rc := n.Attrs.Ints("lhs_contracting"), n.Attrs.Ints("rhs_contracting")
	last := x.Shape.Rank() - 1
	if last < 1 || w.Shape.Rank() != 2 || len(lc) != 1 || lc[0] != int64(last) {
		return call{}, false
	}
	if rc[0] == 0 {
		return byRows(n)
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
		return call{k, func(p *hlo.Printer, n *dag.Node) {
			y := manyRows(p, k, p.Convert(p.In(n, 0), dtype.F32), p.Value(weight))
			t := n.Outputs[0].Type
			p.Bind(n, p.Convert(p.Reshape(y, tensor.Type{DType: dtype.F32, Shape: t.Shape}), t.DType))
		}, weight}, k.Supported()
	}
	stays := weight.Node != nil && weight.Node.Op.Role == op.Weight
	k := kernels.MatVec{N: columns, K: size, Weight: stored}
	return call{k, func(p *hlo.Printer, n *dag.Node) {
		y := oneRow(p, k, columns, p.Convert(p.In(n, 0), dtype.F32), p.Value(weight))
		p.Bind(n, p.To(n.Outputs[0].Type, "stablehlo.reshape", "", p.Convert(y, n.Outputs[0].Type.DType)))
	}, weight}, stays && last == 1 && x.Shape[0].Size == 1 && k.Supported()
}

// leastRows is the number of rows below which the copies of a panel cost more than the
// kernel gains over the compiler's own product of static sizes.
const leastRows = 24

// byRows is the product of x f32 [..., K] with W f32 [K, N], which is stored by rows of K.
func byRows(n *dag.Node) (call, bool) {
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
	k := kernels.Conv{Kernel: [2]int64{1, 1}, Strides: [2]int64{1, 1}, Dilation: [2]int64{1, 1}}
	return call{kernel: k, print: func(p *hlo.Printer, n *dag.Node) {
		in := p.Reshape(p.In(n, 0), tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, size}})
		sizes := []hlo.Value{firstSize(p, in)}
		one, depth, wide := indexNumber(p, 1), indexNumber(p, size.Size), indexNumber(p, columns.Size)
		y := dispatchSized(p, k, tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, columns}}, sizes[0],
			[]hlo.Value{one, sizes[0], wide, depth, one, wide, wide, wide, wide}, in, p.In(n, 1))
		p.Bind(n, p.Reshape(y, n.Outputs[0].Type))
	}}, columns.Size >= leastPositions && (!rows.IsStatic() || rows.Size >= leastRows)
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
		y := dispatch(p, k, t, []hlo.Value{firstSize(p, x), indexNumber(p, k.N), indexNumber(p, k.K)}, p.In(n, 0), x)
		p.Bind(n, p.Reshape(y, n.Outputs[0].Type))
	}}, fits && count != shape.N(0) && k.Supported()
}

// row prints the product of the elements of x, f32, with w: f32 [N].
func oneRow(p *hlo.Printer, k kernel, columns int64, x, w hlo.Value, sizes ...hlo.Value) hlo.Value {
	x = p.Reshape(x, tensor.Type{DType: dtype.F32, Shape: shape.Shape{x.Type.Shape.Product()}})
	return dispatch(p, k, tensor.TypeOf(dtype.F32, columns), sizes, w, x)
}

// rows prints the product of x f32 [..., K] with w: f32 [rows, N].
func manyRows(p *hlo.Printer, k kernels.MatMul, x, w hlo.Value) hlo.Value {
	rows := x.Type.Shape[:x.Type.Shape.Rank()-1].Product()
	x = p.Reshape(x, tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, shape.N(k.K)}})
	t := tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, shape.N(k.N)}}
	return dispatch(p, k, t, []hlo.Value{firstSize(p, x), indexNumber(p, k.N), indexNumber(p, k.K)}, w, x)
}

// firstSize is the size of the first dimension of x, as kernels take it.
func firstSize(p *hlo.Printer, x hlo.Value) hlo.Value {
	if n := x.Type.Shape[0]; n.IsStatic() {
		return indexNumber(p, n.Size)
	}
	return p.Def(tensor.Type{}, "tensor.dim %s, %s : %s", x.Name, indexNumber(p, 0).Name, p.Type(x.Type))
}

// dispatch prints a call of a kernel with these sizes; the first is the size of
// each dynamic dimension.
func dispatch(p *hlo.Printer, k kernel, t tensor.Type, sizes []hlo.Value, in ...hlo.Value) hlo.Value {
	var dynamic hlo.Value
	if len(sizes) > 0 {
		dynamic = sizes[0]
	}
	return dispatchSized(p, k, t, dynamic, sizes, in...)
}

// dispatchSized prints a call of a kernel with these sizes, where each dynamic dimension
// has the same.
func dispatchSized(p *hlo.Printer, k kernel, t tensor.Type, dynamic hlo.Value, sizes []hlo.Value, in ...hlo.Value) hlo.Value {
	types := make([]string, len(in))
	typ := func(t tensor.Type) string {
		if t.Shape.IsStatic() {
			return p.Type(t)
		}
		return p.Type(t) + "{" + dynamic.Name + "}"
	}
	for i, v := range in {
		types[i] = typ(v.Type)
	}
	grid := ""
	if len(sizes) > 0 {
		grid = "[" + hlo.Names(sizes) + "]"
	}
	for range sizes {
		types = append(types, "index")
	}
	s := hlo.Symbol(k.Symbol())
	return p.Def(t, "flow.dispatch %s::%s%s(%s) : (%s) -> %s", s, s, grid, hlo.Names(append(in, sizes...)), strings.Join(types, ", "), typ(t))
}

// indexNumber is a constant index operand of kernels.
func indexNumber(p *hlo.Printer, n int64) hlo.Value {
	return p.Once(fmt.Sprintf("index %d", n), func() hlo.Value {
		return p.Def(tensor.Type{}, "arith.constant %d : index", n)
	})
}
