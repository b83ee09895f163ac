package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

type dot = func(p *hlo.Printer, lhs, rhs hlo.Value, d hlo.DotDims, t tensor.Type) hlo.Value

var contractionRows = []Rewrite{{
	ID:      "dynamic-product",
	Symptom: "The compiler turns a product of dynamic sizes that is not a (batched) matrix product into a stablehlo.dynamic_reshape, which it cannot lower.",
	Instead: "a product of two matrices, or a sum of products",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) { t.Dot = dynamicDot(t.Dot) },
}, {
	ID:      "product-of-nothing",
	Symptom: "The compiler crashes on a product whose sums have no terms.",
	Instead: "zeros",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Dot
		t.Dot = func(p *hlo.Printer, lhs, rhs hlo.Value, d hlo.DotDims, typ tensor.Type) hlo.Value {
			if typ.Shape.IsStatic() && slices.ContainsFunc(d.LHSContracting, func(d int64) bool { return lhs.Type.Shape[d].Size == 0 }) {
				return p.Splat(typ, 0)
			}
			return inner(p, lhs, rhs, d, typ)
		}
	},
}, {
	ID:      "dynamic-product-fused",
	Symptom: "For SPIR-V a sum over a dynamic size of products of converted numbers asks for workgroup memory of the greatest size.",
	Instead: "barriers before and after the product",
	Targets: "vulkan, metal", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: NoProgram,
	install: func(t *target) {
		t.ends = append(t.ends, func(n *dag.Node) bool { return n.Op.Family == op.Contraction && hlo.IsDynamic(n) })
		t.lower(id.DotGeneral, func(p *hlo.Printer, n *dag.Node) bool {
			if !hlo.IsDynamic(n) {
				return false
			}
			out := n.Outputs[0].Type
			y := p.Dot(p.Barrier(p.In(n, 0)), p.Barrier(p.In(n, 1)), hlo.DotDimsOf(n), hlo.Wide(out))
			p.Bind(n, p.Convert(p.Barrier(y), out.DType))
			return true
		})
	},
}}

// dynamicDot lowers products of dynamic sizes to matrix products.
func dynamicDot(inner dot) dot {
	return func(p *hlo.Printer, lhs, rhs hlo.Value, d hlo.DotDims, t tensor.Type) hlo.Value {
		if lhs.Type.Shape.IsStatic() && rhs.Type.Shape.IsStatic() {
			return inner(p, lhs, rhs, d, t)
		}
		if len(d.LHSBatching) > 0 {
			if matrices(lhs, d.LHSBatching, d.LHSContracting) && matrices(rhs, d.RHSBatching, d.RHSContracting) {
				return inner(p, lhs, rhs, d, t)
			}
			return products(p, lhs, rhs, d, t)
		}
		x, lc := asMatrix(p, lhs, d.LHSContracting, 1)
		y, rc := asMatrix(p, rhs, d.RHSContracting, 0)
		rows, columns := x.Type.Shape[1-lc], y.Type.Shape[1-rc]
		m := tensor.Type{DType: t.DType, Shape: shape.Shape{rows, columns}}
		switch {
		case x.Type.Shape[lc].Size == 1:
			return p.Reshape(p.Mul(spreadAlong(p, x, rows, m, 0), spreadAlong(p, y, columns, m, 1)), t)
		case columns.Size == 1:
			return p.Reshape(weighted(p, x, y, lc, t.DType), t)
		case rows.Size == 1:
			return p.Reshape(weighted(p, y, x, rc, t.DType), t)
		}
		z := inner(p, x, y, hlo.DotDims{LHSContracting: []int64{int64(lc)}, RHSContracting: []int64{int64(rc)}}, m)
		return p.Reshape(z, t)
	}
}

// matrices reports whether x is a list of matrices, by its leading dimensions, of more
// than one row and column.
func matrices(x hlo.Value, batching, contracting []int64) bool {
	n := len(batching)
	for i, d := range batching {
		if d != int64(i) {
			return false
		}
	}
	s := x.Type.Shape
	return len(contracting) == 1 && s.Rank() == n+2 && s[n].Size != 1 && s[n+1].Size != 1
}

// products sums all products, where the compiler would create a stablehlo.dynamic_reshape.
func products(p *hlo.Printer, lhs, rhs hlo.Value, dims hlo.DotDims, t tensor.Type) hlo.Value {
	lb, rb, lc, rc := dims.LHSBatching, dims.RHSBatching, dims.LHSContracting, dims.RHSContracting
	lf, rf := hlo.Others(lhs.Type, slices.Concat(lb, lc)), hlo.Others(rhs.Type, slices.Concat(rb, rc))
	all := tensor.Type{DType: t.DType, Shape: slices.Clone(t.Shape)}
	ld, rd := make([]int64, lhs.Type.Shape.Rank()), make([]int64, rhs.Type.Shape.Rank())
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
		all.Shape = append(all.Shape, lhs.Type.Shape[lc[i]])
	}
	spread := func(x hlo.Value, dims []int64) hlo.Value { // in the order of all dimensions, since broadcasts do not permute
		order := make([]int64, len(dims))
		for i := range order {
			order[i] = int64(i)
		}
		slices.SortFunc(order, func(a, b int64) int { return int(dims[a] - dims[b]) })
		return p.Broadcast(p.Transpose(p.Convert(x, t.DType), order), all, slices.Sorted(slices.Values(dims)), hlo.Value{})
	}
	y := p.Mul(spread(lhs, ld), spread(rhs, rd))
	if len(sum) == 0 {
		return y
	}
	return p.Reduce(y, "add", 0, sum)
}

// matrix merges the contracting dimensions of x into one, dimension at of
// the result, and the other dimensions into another; a matrix is returned unchanged.
func asMatrix(p *hlo.Printer, x hlo.Value, contracting []int64, at int) (m hlo.Value, contracted int) {
	if x.Type.Shape.Rank() == 2 && len(contracting) == 1 {
		return x, int(contracting[0])
	}
	rows, columns := hlo.Others(x.Type, contracting), contracting
	if at == 0 {
		rows, columns = columns, rows
	}
	x = p.Transpose(x, slices.Concat(rows, columns))
	n := len(rows)
	s := shape.Shape{x.Type.Shape[:n].Product(), x.Type.Shape[n:].Product()}
	return p.Reshape(x, tensor.Type{DType: x.Type.DType, Shape: s}), at
}

// weighted is the product of a matrix and a single row or column: the compiler decomposes
// these, and outer products, with a reshape too.
func weighted(p *hlo.Printer, x, single hlo.Value, dim int, d dtype.DType) hlo.Value {
	x = p.Convert(x, d)
	return p.Reduce(p.Mul(x, spreadAlong(p, single, x.Type.Shape[dim], x.Type, int64(dim))), "add", 0, []int64{int64(dim)})
}

// spread broadcasts the n elements of x along a dimension of t.
func spreadAlong(p *hlo.Printer, x hlo.Value, n shape.Dim, t tensor.Type, dim int64) hlo.Value {
	v := p.Reshape(x, tensor.Type{DType: x.Type.DType, Shape: shape.Shape{n}})
	return p.Broadcast(p.Convert(v, t.DType), t, []int64{dim}, hlo.Value{})
}
