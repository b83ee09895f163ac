package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
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
	if p.integerF16 && t.DType == dtype.F32 {
		lhs, rhs = p.convert(lhs, t.DType), p.convert(rhs, t.DType)
	}
	dynamic := !lhs.typ.Shape.IsStatic() || !rhs.typ.Shape.IsStatic()
	if t.Shape.IsStatic() && slices.ContainsFunc(lc, func(d int64) bool { return lhs.typ.Shape[d].Size == 0 }) {
		return p.splat(t, 0) // on a sum of nothing the compiler crashes (IREE 3.13.0)
	}
	if twin, unsigned := signedTwin[t.DType]; unsigned && dynamic { // of the same bits
		y := p.dot(p.as(lhs, twin), p.as(rhs, twin), lb, rb, lc, rc, tensor.Type{DType: twin, Shape: t.Shape})
		return p.as(y, t.DType)
	}
	if len(lb) > 0 && dynamic && !(matrices(lhs, lb, lc) && matrices(rhs, rb, rc)) {
		return p.products(lhs, rhs, lb, rb, lc, rc, t)
	}
	if len(lb) == 0 && dynamic {
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

// matrices says whether x is a list of matrices, by its leading dimensions, of more
// than one row and column.
func matrices(x ssa, batching, contracting []int64) bool {
	n := len(batching)
	for i, d := range batching {
		if d != int64(i) {
			return false
		}
	}
	s := x.typ.Shape
	return len(contracting) == 1 && s.Rank() == n+2 && s[n].Size != 1 && s[n+1].Size != 1
}

// products adds up all products, for what the compiler would make a
// stablehlo.dynamic_reshape of.
func (p *printer) products(lhs, rhs ssa, lb, rb, lc, rc []int64, t tensor.Type) ssa {
	lf, rf := others(lhs.typ, slices.Concat(lb, lc)), others(rhs.typ, slices.Concat(rb, rc))
	all := tensor.Type{DType: t.DType, Shape: slices.Clone(t.Shape)}
	ld, rd := make([]int64, lhs.typ.Shape.Rank()), make([]int64, rhs.typ.Shape.Rank())
	for i := range lb {
		ld[lb[i]], rd[rb[i]] = int64(i), int64(i)
	}
	for i, d := range lf {
		ld[d] = int64(len(lb) + i)
	}
	for i, d := range rf {
		rd[d] = int64(len(lb) + len(lf) + i)
	}
	var sum []int64
	for i := range lc {
		at := int64(all.Shape.Rank())
		ld[lc[i]], rd[rc[i]], sum = at, at, append(sum, at)
		all.Shape = append(all.Shape, lhs.typ.Shape[lc[i]])
	}
	spread := func(x ssa, dims []int64) ssa { // in the order of all, since broadcasts do not permute
		order := make([]int64, len(dims))
		for i := range order {
			order[i] = int64(i)
		}
		slices.SortFunc(order, func(a, b int64) int { return int(dims[a] - dims[b]) })
		return p.broadcast(p.transpose(p.convert(x, t.DType), order), all, slices.Sorted(slices.Values(dims)), ssa{})
	}
	y := p.mul(spread(lhs, ld), spread(rhs, rd))
	if len(sum) == 0 {
		return y
	}
	return p.reduce(y, "add", 0, sum)
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
