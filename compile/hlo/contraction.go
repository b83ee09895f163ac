package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var contractionLowerings = map[string]lowering{
	"dot_general": func(p *printer, n *dag.Node) {
		a, t := n.Attrs, n.Outputs[0].Type
		sum := f32(t) // narrow floats are summed in f32
		// Of a product of dynamic sizes together with what makes its operands or uses
		// it the pinned compiler may make no SPIR-V (IREE 3.13.0).
		around := func(v ssa) ssa {
			if p.fused || !isDynamic(n) {
				return v
			}
			return p.barrier(v)
		}
		y := p.dot(around(p.in(n, 0)), around(p.in(n, 1)), a.Ints("lhs_batching"), a.Ints("rhs_batching"), a.Ints("lhs_contracting"), a.Ints("rhs_contracting"), sum)
		p.bind(n, p.convert(around(y), t.DType))
	},
}

// dot is a dot_general with the batching dimensions lb and rb and the contracting
// ones lc and rc. One without batching dimensions that is dynamic becomes a
// product of two matrices: of others the pinned compiler makes a
// stablehlo.dynamic_reshape, of which it has no form (IREE 3.13.0).
func (p *printer) dot(lhs, rhs ssa, lb, rb, lc, rc []int64, t tensor.Type) ssa {
	if len(lb) == 0 && !(lhs.typ.Shape.IsStatic() && rhs.typ.Shape.IsStatic()) {
		x, lc := p.matrix(lhs, lc, 1)
		y, rc := p.matrix(rhs, rc, 0)
		rows, columns := x.typ.Shape[1-lc], y.typ.Shape[1-rc]
		m := tensor.Type{DType: t.DType, Shape: shape.Shape{rows, columns}}
		switch {
		case x.typ.Shape[lc].Size == 1:
			return p.reshape(p.mul(p.spread(x, rows, m, 0), p.spread(y, columns, m, 1)), t)
		case columns.Size == 1:
			return p.reshape(p.weighted(x, y, lc, t.DType), t)
		case rows.Size == 1:
			return p.reshape(p.weighted(y, x, rc, t.DType), t)
		}
		z := p.to(m, "stablehlo.dot_general", fmt.Sprintf(", contracting_dims = [%d] x [%d]", lc, rc), x, y)
		return p.reshape(z, t)
	}
	batching := ""
	if len(lb) > 0 {
		batching = fmt.Sprintf(", batching_dims = %s x %s", ints(lb), ints(rb))
	}
	return p.to(t, "stablehlo.dot_general", fmt.Sprintf("%s, contracting_dims = %s x %s", batching, ints(lc), ints(rc)), lhs, rhs)
}

// matrix joins the contracting dimensions of x to one, which becomes dimension
// at, and the others; a matrix stays what it is.
func (p *printer) matrix(x ssa, contracting []int64, at int) (m ssa, contracted int) {
	if x.typ.Shape.Rank() == 2 && len(contracting) == 1 {
		return x, int(contracting[0])
	}
	rows, columns := others(x.typ, contracting), contracting
	if at == 0 {
		rows, columns = columns, rows
	}
	x = p.transpose(x, slices.Concat(rows, columns))
	n := len(rows)
	s := shape.Shape{x.typ.Shape[:n].Product(), x.typ.Shape[n:].Product()}
	return p.reshape(x, tensor.Type{DType: x.typ.DType, Shape: s}), at
}

// weighted is the product of a matrix and one that is a single row or column:
// the compiler takes these, and outer products, apart by a reshape too.
func (p *printer) weighted(x, single ssa, dim int, d dtype.DType) ssa {
	x = p.convert(x, d)
	return p.reduce(p.mul(x, p.spread(single, x.typ.Shape[dim], x.typ, int64(dim))), "add", 0, []int64{int64(dim)})
}

// spread puts the n elements of x along a dimension of t.
func (p *printer) spread(x ssa, n shape.Dim, t tensor.Type, dim int64) ssa {
	v := p.reshape(x, tensor.Type{DType: x.typ.DType, Shape: shape.Shape{n}})
	return p.broadcast(p.convert(v, t.DType), t, []int64{dim}, ssa{})
}

// transpose leaves out a permutation that changes nothing.
func (p *printer) transpose(x ssa, permutation []int64) ssa {
	if slices.IsSorted(permutation) {
		return x
	}
	t := tensor.Type{DType: x.typ.DType}
	for _, d := range permutation {
		t.Shape = append(t.Shape, x.typ.Shape[d])
	}
	return p.to(t, "stablehlo.transpose", ", dims = "+ints(permutation), x)
}

// f32 gives t with sums wide enough for narrow floats.
func f32(t tensor.Type) tensor.Type {
	if t.DType.IsFloat() && t.DType.Bits() < 32 {
		t.DType = dtype.F32
	}
	return t
}
