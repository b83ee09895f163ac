package hlo

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// floatProduct is the product of x [..., K] with W [N, K] of floats, as it is or
// converted to f32: of one row with a parameter; of a number of rows that a call
// gives, of which the pinned compiler makes code of half the speed; and of several
// rows with what is converted, of which it makes a copy in f32 (IREE 3.13.0).
func floatProduct(n *dag.Node) (call, bool) {
	if len(n.Attrs.Ints("lhs_batching")) > 0 {
		return call{}, false
	}
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	lc, rc := n.Attrs.Ints("lhs_contracting"), n.Attrs.Ints("rhs_contracting")
	last := x.Shape.Rank() - 1
	if last < 1 || w.Shape.Rank() != 2 || len(lc) != 1 || lc[0] != int64(last) || rc[0] != 1 {
		return call{}, false
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
		return call{k, func(p *printer, n *dag.Node) {
			y := p.rows(k, p.convert(p.in(n, 0), dtype.F32), p.values[weight])
			t := n.Outputs[0].Type
			p.bind(n, p.convert(p.reshape(y, tensor.Type{DType: dtype.F32, Shape: t.Shape}), t.DType))
		}, weight}, k.Supported()
	}
	stays := weight.Node != nil && weight.Node.Op.Role == op.Weight
	k := kernels.MatVec{N: columns, K: size, Weight: stored}
	return call{k, func(p *printer, n *dag.Node) {
		y := p.row(k, columns, p.convert(p.in(n, 0), dtype.F32), p.values[weight])
		p.bind(n, p.to(n.Outputs[0].Type, "stablehlo.reshape", "", p.convert(y, n.Outputs[0].Type.DType)))
	}, weight}, stays && last == 1 && x.Shape[0].Size == 1 && k.Supported()
}

// packedProduct is the product of x f32 [..., K] with blocks: of one row with a
// kernel for it, of several or of a number that a call gives with another one.
func packedProduct(n *dag.Node) (call, bool) {
	x, w := n.Inputs[0].Type, n.Inputs[1].Type
	e := quant.Encoding(n.Attrs.String("encoding"))
	last := x.Shape.Rank() - 1
	rows, size, columns := x.Shape[:last].Product(), x.Shape[last].Size, w.Shape[0].Size
	if rows == shape.N(1) {
		k := kernels.PackedMatVec{N: columns, K: size, Encoding: e}
		return call{kernel: k, print: func(p *printer, n *dag.Node) {
			p.bind(n, p.reshape(p.row(k, columns, p.in(n, 0), p.in(n, 1), p.indexNumber(columns)), n.Outputs[0].Type))
		}}, k.Supported()
	}
	k := kernels.MatMul{N: columns, K: size, Encoding: e}
	return call{kernel: k, print: func(p *printer, n *dag.Node) {
		p.bind(n, p.reshape(p.rows(k, p.in(n, 0), p.in(n, 1)), n.Outputs[0].Type))
	}}, rows != shape.N(0) && k.Supported()
}

// packedRows is rows of blocks, unpacked, at indices that fit i32.
func packedRows(n *dag.Node) (call, bool) {
	w, at, out := n.Inputs[0].Type, n.Inputs[1].Type, n.Outputs[0].Type
	k := kernels.Take{N: w.Shape[0].Size, K: out.Shape[out.Shape.Rank()-1].Size, Encoding: quant.Encoding(n.Attrs.String("encoding"))}
	count := at.Shape.Product()
	fits := at.DType == dtype.I32 || at.DType.Bits() < 32
	return call{kernel: k, print: func(p *printer, n *dag.Node) {
		x := p.reshape(p.convert(p.in(n, 1), dtype.I32), tensor.Type{DType: dtype.I32, Shape: shape.Shape{count}})
		t := tensor.Type{DType: dtype.F32, Shape: shape.Shape{count, shape.N(k.K)}}
		y := p.dispatch(k, t, []ssa{p.firstSize(x), p.indexNumber(k.N), p.indexNumber(k.K)}, p.in(n, 0), x)
		p.bind(n, p.reshape(y, n.Outputs[0].Type))
	}}, fits && count != shape.N(0) && k.Supported()
}

// row prints the product of the elements of x, f32, with w: f32 [N].
func (p *printer) row(k kernel, columns int64, x, w ssa, sizes ...ssa) ssa {
	x = p.reshape(x, tensor.Type{DType: dtype.F32, Shape: shape.Shape{x.typ.Shape.Product()}})
	return p.dispatch(k, tensor.TypeOf(dtype.F32, columns), sizes, w, x)
}

// rows prints the product of x f32 [..., K] with w: f32 [rows, N].
func (p *printer) rows(k kernels.MatMul, x, w ssa) ssa {
	rows := x.typ.Shape[:x.typ.Shape.Rank()-1].Product()
	x = p.reshape(x, tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, shape.N(k.K)}})
	t := tensor.Type{DType: dtype.F32, Shape: shape.Shape{rows, shape.N(k.N)}}
	return p.dispatch(k, t, []ssa{p.firstSize(x), p.indexNumber(k.N), p.indexNumber(k.K)}, w, x)
}

// firstSize is the size of the first dimension of x, which kernels take.
func (p *printer) firstSize(x ssa) ssa {
	if n := x.typ.Shape[0]; n.IsStatic() {
		return p.indexNumber(n.Size)
	}
	return p.def(tensor.Type{}, "tensor.dim %s, %s : %s", x.name, p.indexNumber(0).name, p.typ(x.typ))
}

// dispatch prints a call of a kernel with these sizes, of which the first is that
// of each dynamic dimension.
func (p *printer) dispatch(k kernel, t tensor.Type, sizes []ssa, in ...ssa) ssa {
	types := make([]string, len(in))
	typ := func(t tensor.Type) string {
		if t.Shape.IsStatic() {
			return p.typ(t)
		}
		return p.typ(t) + "{" + sizes[0].name + "}"
	}
	for i, v := range in {
		types[i] = typ(v.typ)
	}
	grid := ""
	if len(sizes) > 0 {
		grid = "[" + names(sizes) + "]"
	}
	for range sizes {
		types = append(types, "index")
	}
	s := symbol(k.Symbol())
	return p.def(t, "flow.dispatch %s::%s%s(%s) : (%s) -> %s", s, s, grid, names(append(in, sizes...)), strings.Join(types, ", "), typ(t))
}

// indexNumber is a number that kernels take.
func (p *printer) indexNumber(n int64) ssa {
	return p.once(fmt.Sprintf("index %d", n), func() ssa {
		return p.def(tensor.Type{}, "arith.constant %d : index", n)
	})
}
