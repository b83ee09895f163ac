package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var sortRows = []Rewrite{{
	ID:      "dynamic-sort",
	Symptom: "A sort along a dynamic dimension requests a buffer of the maximum size.",
	Instead: "each element's position is the number of elements before it: n^2 steps, and no memory",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		t.lower(id.Argsort, func(p *hlo.Printer, n *dag.Node) bool {
			dim := n.Attrs.Int("dim")
			if n.Inputs[0].Type.Shape[dim].IsStatic() {
				return false
			}
			p.Bind(n, ranked(p, p.In(n, 0), dim, n.Attrs.Bool("descending")))
			return true
		})
	},
}, {
	ID:      "sort-in-place",
	Symptom: "A sort is done in the memory of its operands, perhaps before a kernel that waits for a size and reads them.",
	Instead: "copies of both operands, if sizes are dynamic",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		inner := t.Sort
		t.Sort = func(p *hlo.Printer, x, index hlo.Value, dim int64, descending bool) hlo.Value {
			if p.HasSizes() {
				x, index = p.Barrier(copied(p, x)), p.Barrier(copied(p, index))
			}
			return inner(p, x, index, dim, descending)
		}
	},
}, {
	ID:      "scatter-of-nothing",
	Symptom: "The compiler crashes on a scatter without updates.",
	Instead: "the operand",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		t.lower(id.Scatter, func(p *hlo.Printer, n *dag.Node) bool {
			if n.Inputs[2].Type.Shape.Product() != shape.N(0) {
				return false
			}
			p.Bind(n, p.In(n, 0))
			return true
		})
	},
}, {
	ID:      "scatter-fused",
	Symptom: "A scatter fused with the producer of its updates does not terminate on CUDA and ROCm.",
	Instead: "a barrier before the updates",
	Targets: "cuda, rocm", First: "3.13.0", Last: "3.13.0", Text: PortableText, Shown: OtherDevice,
	install: func(t *target) {
		inner := t.Scatter
		t.Scatter = func(p *hlo.Printer, n *dag.Node, x, at, updates hlo.Value) hlo.Value {
			if !isOfItself(n) {
				updates = p.Barrier(updates)
			}
			return inner(p, n, x, at, updates)
		}
	},
}, {
	ID:      "scatter-operand",
	Symptom: "A scatter of dynamic sizes fused with the producers of its operands needs an unbounded stack, and if both operands are the same value the compiler crashes.",
	Instead: "a copy of the operand and the updates behind barriers",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		inner := t.Scatter
		t.Scatter = func(p *hlo.Printer, n *dag.Node, x, at, updates hlo.Value) hlo.Value {
			if isOfItself(n) {
				x, updates = p.Barrier(copied(p, x)), p.Barrier(updates)
			}
			return inner(p, n, x, at, updates)
		}
	},
}}

// isOfItself reports whether a scatter is dynamic, or adds a value to itself.
func isOfItself(n *dag.Node) bool {
	return hlo.IsDynamic(n) || analysis.Owner(n.Inputs[0]) == analysis.Owner(n.Inputs[2])
}

// copied returns the bits of x in memory of their own. A dynamic x is stored first: with
// a widening fused into it the copy would need an unbounded stack. The compiler does not track
// other uses of a value through a barrier: a scatter or a sort runs in its memory, and
// changes it for them.
func copied(p *hlo.Printer, x hlo.Value) hlo.Value {
	if !x.Type.Shape.IsStatic() {
		x = p.Barrier(x)
	}
	d := x.Type.DType
	if d != dtype.Bool {
		x = p.Bitcast(x, map[int]dtype.DType{8: dtype.I8, 16: dtype.I16, 32: dtype.I32, 64: dtype.I64}[d.Bits()])
	}
	zero := p.Barrier(p.Splat(hlo.Scalar(x.Type), 0)) // not known to be 0
	return p.Bitcast(p.Same("stablehlo.or", x, p.Broadcast(zero, x.Type, nil, x)), d)
}

// ranked is argsort along a dynamic dimension. Each element's
// position is the number of elements before it, and the index at each position is the
// sum over the elements that have it: n^2 steps, and no memory.
func ranked(p *hlo.Printer, x hlo.Value, dim int64, descending bool) hlo.Value {
	pairs := func(d dtype.DType) tensor.Type {
		s := slices.Insert(slices.Clone(x.Type.Shape), int(dim), x.Type.Shape[dim])
		return tensor.Type{DType: d, Shape: s}
	}
	along := func(v hlo.Value, without int64) hlo.Value {
		t := pairs(v.Type.DType)
		return p.Broadcast(v, t, hlo.Others(t, []int64{without}), hlo.Value{})
	}
	it := tensor.Type{DType: dtype.I32, Shape: x.Type.Shape}
	index := p.Barrier(p.Iota(it, dim, hlo.Value{}))
	i, j := along(index, dim+1), along(index, dim)
	// Each step is separate: two of them in one kernel need an unbounded stack.
	x = p.Barrier(x)
	before := p.Before(along(x, dim), along(x, dim+1), j, i, descending)
	place := p.Barrier(p.Reduce(p.Convert(before, dtype.I32), "add", 0, []int64{dim + 1}))
	has := p.Compare("EQ", along(place, dim), i)
	return p.Reduce(p.Select(has, j, p.Number(j, 0)), "add", 0, []int64{dim + 1})
}
