package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var sortLowerings = map[string]lowering{
	// The indices break ties: the order is total, and does not depend on how the
	// compiler sorts.
	"argsort": func(p *printer, n *dag.Node) {
		x, dim, t := p.in(n, 0), n.Attrs.Int("dim"), n.Outputs[0].Type
		if !x.typ.Shape[dim].IsStatic() {
			p.bind(n, p.ranked(x, dim, n.Attrs.Bool("descending")))
			return
		}
		// Computed in the same kernel it needs a stack without bound, or where others
		// use it the kernel is not taken (both IREE 3.13.0).
		if isDynamic(n) || n.Inputs[0].Node != nil && p.shared(n.Inputs[0]) {
			x = p.barrier(p.copy(x))
		}
		index := p.barrier(p.count(t, dim, x))
		v := p.fresh(t)
		p.line(`%s:2 = "stablehlo.sort"(%s) <{dimension = %d : i64, is_stable = true}> ({`, v.name, names([]ssa{x, index}), dim)
		st, si := scalar(x.typ), scalar(t)
		p.line("^bb0(%%a.: %s, %%c.: %s, %%i.: %s, %%j.: %s):", p.typ(st), p.typ(st), p.typ(si), p.typ(si))
		p.indent++
		before := p.before(ssa{"%a.", st}, ssa{"%c.", st}, ssa{"%i.", si}, ssa{"%j.", si}, n.Attrs.Bool("descending"))
		p.line("stablehlo.return %s : %s", before.name, p.typ(tensor.TypeOf(dtype.Bool)))
		p.indent--
		p.line("}) : (%s) -> (%s)", p.typesOf([]ssa{x, index}), p.typesOf([]ssa{x, index}))
		p.bind(n, p.barrier(ssa{v.name + "#1", t}))
	},
	// As with take, the indices are clamped before: the compiler would write
	// outside.
	"scatter": func(p *printer, n *dag.Node) {
		x, updates := p.in(n, 0), p.in(n, 2)
		if updates.typ.Shape.Product() == shape.N(0) { // on which the compiler crashes (IREE 3.13.0)
			p.bind(n, x)
			return
		}
		indices := p.clamp(p.in(n, 1), x)
		count, width := indices.typ.Shape.Product(), x.typ.Shape[1:]
		it := tensor.Type{DType: indices.typ.DType, Shape: shape.Shape{count, shape.N(1)}}
		ut := tensor.Type{DType: updates.typ.DType, Shape: append(shape.Shape{count}, width...)}
		at := p.barrier(p.reshape(indices, it))
		flat := p.reshape(updates, ut)
		var window []int64
		for i := range width {
			window = append(window, int64(i+1))
		}
		d := x.typ.DType
		x, flat = p.convert(x, f32(x.typ).DType), p.convert(flat, f32(ut).DType)
		// Computed in the same kernel dynamic ones need a stack without bound, and on one
		// value twice the compiler crashes (IREE 3.13.0).
		if isDynamic(n) || source(n.Inputs[0]) == source(n.Inputs[2]) {
			x, flat = p.barrier(p.copy(x)), p.barrier(flat)
		} else if !p.fused { // nor does it end for CUDA and ROCm where both are one kernel
			flat = p.barrier(flat)
		}
		v := p.fresh(x.typ)
		p.line(`%s = "stablehlo.scatter"(%s) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<%sinserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({`,
			v.name, names([]ssa{x, at, flat}), updateWindow(window))
		st := scalar(x.typ)
		p.line("^bb0(%%a.: %s, %%c.: %s):", p.typ(st), p.typ(st))
		p.indent++
		a, c := ssa{"%a.", st}, ssa{"%c.", st}
		r := c
		if name := combine[n.Attrs.String("mode")]; name != "" {
			r = p.same("stablehlo."+name, a, c)
		}
		p.line("stablehlo.return %s : %s", r.name, p.typ(st))
		p.indent--
		p.line("}) : (%s) -> %s", p.typesOf([]ssa{x, at, flat}), p.typ(x.typ))
		p.bind(n, p.convert(v, d))
	},
}

// shared says whether more than one operation or result takes v.
func (p *printer) shared(v *dag.Value) bool { return p.takers(v) > 1 }

// takers counts the operations and results that take v.
func (p *printer) takers(v *dag.Value) int {
	if p.uses == nil {
		p.uses = map[*dag.Value]int{}
		for _, f := range p.g.Funcs {
			countBlock(f.Body, p.uses)
		}
	}
	return p.uses[v]
}

// copy gives the bits of x in memory of their own. Of a value behind a barrier the
// pinned compiler knows no more that others use it: a scatter or a sort is done in
// its memory, and changes it for them (IREE 3.13.0).
func (p *printer) copy(x ssa) ssa {
	d := x.typ.DType
	if d != dtype.Bool {
		x = p.as(x, map[int]dtype.DType{8: dtype.I8, 16: dtype.I16, 32: dtype.I32, 64: dtype.I64}[d.Bits()])
	}
	zero := p.barrier(p.splat(scalar(x.typ), 0)) // not known to be 0
	return p.as(p.same("stablehlo.or", x, p.broadcast(zero, x.typ, nil, x)), d)
}

// before says where the element a of index i comes before c of index j.
func (p *printer) before(a, c, i, j ssa, descending bool) ssa {
	if descending {
		a, c = c, a
	}
	first, same := p.compare("LT", a, c), p.compare("EQ", a, c)
	if a.typ.DType.IsFloat() {
		aNaN, cNaN := p.compare("NE", a, a), p.compare("NE", c, c)
		first = p.same("stablehlo.or", first, p.same("stablehlo.and", cNaN, p.same("stablehlo.not", aNaN)))
		same = p.same("stablehlo.or", same, p.same("stablehlo.and", aNaN, cNaN))
	}
	return p.same("stablehlo.or", first, p.same("stablehlo.and", same, p.compare("LT", i, j)))
}

// ranked is argsort along a dynamic dimension, for which the pinned compiler has
// no sort (IREE 3.13.0: it asks for a buffer of the greatest size). Each element's
// place is how many come before it, and each place's index is the sum of those
// that have it: n^2 steps, and no memory.
func (p *printer) ranked(x ssa, dim int64, descending bool) ssa {
	pairs := func(d dtype.DType) tensor.Type {
		s := slices.Insert(slices.Clone(x.typ.Shape), int(dim), x.typ.Shape[dim])
		return tensor.Type{DType: d, Shape: s}
	}
	along := func(v ssa, without int64) ssa {
		t := pairs(v.typ.DType)
		return p.broadcast(v, t, others(t, []int64{without}), ssa{})
	}
	it := tensor.Type{DType: dtype.I32, Shape: x.typ.Shape}
	index := p.barrier(p.count(it, dim, ssa{}))
	i, j := along(index, dim+1), along(index, dim)
	// Each step apart: two of them in one kernel need a stack without bound.
	x = p.barrier(x)
	before := p.before(along(x, dim), along(x, dim+1), j, i, descending)
	place := p.barrier(p.reduce(p.convert(before, dtype.I32), "add", 0, []int64{dim + 1}))
	has := p.compare("EQ", along(place, dim), i)
	return p.reduce(p.choose(has, j, p.number(j, 0)), "add", 0, []int64{dim + 1})
}

// combine are the operations of scatter's modes; set has none.
var combine = map[string]string{op.ScatterAdd: "add", op.ScatterMul: "multiply", op.ScatterMin: "minimum", op.ScatterMax: "maximum"}

func updateWindow(dims []int64) string {
	if len(dims) == 0 {
		return ""
	}
	return fmt.Sprintf("update_window_dims = %s, ", ints(dims))
}
