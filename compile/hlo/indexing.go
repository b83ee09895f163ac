package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var indexingLowerings = merged(sortLowerings, map[string]lowering{
	// stablehlo.gather clamps by its definition, but the pinned compiler makes it
	// read outside the table: the indices are clamped before it. A gather fused
	// with a reduction does not compile for SPIR-V (both IREE 3.13.0), so the rows
	// taken are kept apart from what uses them.
	"take": func(p *printer, n *dag.Node) {
		table, t := p.in(n, 0), n.Outputs[0].Type
		indices := p.clamp(p.in(n, 1), table)
		if !t.Shape.IsStatic() || !table.typ.Shape.IsStatic() {
			// The gather of dynamic sizes is one that the compiler does not take.
			p.bind(n, p.barrier(p.index(table, indices, 0)))
			return
		}
		r := indices.typ.Shape.Rank()
		it := tensor.Type{DType: indices.typ.DType, Shape: append(append(shape.Shape{}, indices.typ.Shape...), shape.Dim{Size: 1})}
		at := p.to(it, "stablehlo.reshape", "", indices)
		var offsets []int64
		sizes := "1"
		for i, d := range table.typ.Shape[1:] {
			offsets = append(offsets, int64(r+i))
			sizes += fmt.Sprintf(", %d", d.Size)
		}
		v := p.def(t, `"stablehlo.gather"(%s) <{dimension_numbers = #stablehlo.gather<offset_dims = %s, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = %d>, slice_sizes = array<i64: %s>}> : (%s) -> %s`,
			names([]ssa{table, at}), ints(offsets), r, sizes, p.typesOf([]ssa{table, at}), p.typ(t))
		p.bind(n, p.barrier(v))
	},
	"dynamic_slice": func(p *printer, n *dag.Node) {
		x, t := p.in(n, 0), n.Outputs[0].Type
		if len(t.Shape) == 0 { // on which the compiler crashes (IREE 3.13.0)
			p.bind(n, x)
			return
		}
		if t.Shape.IsStatic() {
			p.bind(n, p.to(t, "stablehlo.dynamic_slice", ", sizes = "+ints(t.Shape.Sizes()), p.ins(n)...))
			return
		}
		starts, limits := make([]ssa, len(t.Shape)), make([]ssa, len(t.Shape))
		for i, d := range t.Shape {
			starts[i] = p.corner(x, i, d, p.in(n, i+1))
			limits[i] = p.size(x.typ.Shape[i], x, i)
			if !d.Same(x.typ.Shape[i]) {
				limits[i] = p.same("stablehlo.add", starts[i], p.size(d, ssa{}, 0))
			}
		}
		p.bind(n, p.cut(x, t, p.list(starts), p.list(limits), ones(len(t.Shape))))
	},
	"dynamic_update_slice": func(p *printer, n *dag.Node) {
		in := p.ins(n)
		if len(in[0].typ.Shape) == 0 {
			p.bind(n, in[1])
			return
		}
		if in[0].typ.Shape.IsStatic() && in[1].typ.Shape.IsStatic() {
			p.bind(n, p.to(n.Outputs[0].Type, "stablehlo.dynamic_update_slice", "", in...))
			return
		}
		p.bind(n, p.update(in[0], in[1], in[2:]))
	},
})

// update puts u into x at starts. For dynamic sizes the pinned compiler has no
// form of dynamic_update_slice (IREE 3.13.0): u is spread over x in each dimension
// that it does not fill, and taken where the index is in the window.
func (p *printer) update(x, u ssa, starts []ssa) ssa {
	var window ssa
	for d, start := range starts {
		n, size := x.typ.Shape[d], u.typ.Shape[d]
		if size.Same(n) {
			continue
		}
		it := tensor.Type{DType: dtype.I32, Shape: shape.Shape{n}}
		number := func(v ssa) ssa { return p.broadcast(p.convert(v, dtype.I32), it, []int64{0}, ssa{}) }
		at, wide := number(p.corner(x, d, size, start)), number(p.size(size, ssa{}, 0))
		place := p.same("stablehlo.subtract", p.barrier(p.count(it, 0, ssa{})), at)
		inside := p.same("stablehlo.and", p.compare("GE", place, p.number(place, 0)), p.compare("LT", place, wide))
		last := p.same("stablehlo.subtract", wide, p.number(wide, 1))
		place = p.same("stablehlo.minimum", p.same("stablehlo.maximum", place, p.number(place, 0)), last)
		u = p.index(u, place, d)
		mask := p.broadcast(inside, tensor.Type{DType: dtype.Bool, Shape: x.typ.Shape}, []int64{int64(d)}, x)
		if window.name != "" {
			mask = p.same("stablehlo.and", window, mask)
		}
		window = mask
	}
	if window.name == "" {
		return u
	}
	return p.choose(window, u, x)
}

// index takes the elements at indices along a dimension of x.
func (p *printer) index(x, indices ssa, dim int) ssa {
	switch d := indices.typ.DType; {
	case d == dtype.U64:
		indices = p.convert(indices, dtype.I64)
	case d.IsUnsigned():
		indices = p.convert(indices, dtype.I32)
	}
	d := x.typ.DType
	if twin, unsigned := signedTwin[d]; unsigned {
		x = p.as(x, twin)
	}
	t := tensor.Type{DType: x.typ.DType, Shape: slices.Concat(x.typ.Shape[:dim], indices.typ.Shape, x.typ.Shape[dim+1:])}
	return p.as(p.def(t, `"stablehlo.torch_index_select"(%s) <{batch_dims = 0 : i64, dim = %d : i64}> : (%s) -> %s`,
		names([]ssa{x, indices}), dim, p.typesOf([]ssa{x, indices}), p.typ(t)), d)
}

// corner gives the start of a window in dimension i of x as tensor<1xi64>, moved
// so that the window does not leave x.
func (p *printer) corner(x ssa, i int, size shape.Dim, start ssa) ssa {
	zero := p.whole(0)
	if size.Same(x.typ.Shape[i]) {
		return zero
	}
	if start.typ.DType == dtype.U64 { // as far as an i64 goes
		start = p.same("stablehlo.minimum", start, p.number(start, 1<<62))
	}
	at := p.to(sizeType(1), "stablehlo.reshape", "", p.convert(start, dtype.I64))
	last := p.same("stablehlo.subtract", p.size(x.typ.Shape[i], x, i), p.size(size, ssa{}, 0))
	return p.same("stablehlo.minimum", p.same("stablehlo.maximum", at, zero), last)
}

// list joins sizes to one tensor.
func (p *printer) list(parts []ssa) ssa {
	if len(parts) == 1 {
		return parts[0]
	}
	return p.to(sizeType(len(parts)), "stablehlo.concatenate", ", dim = 0", parts...)
}

func ones(n int) []int64 { return slices.Repeat([]int64{1}, n) }

// clamp gives indices of rows of x, as far as their type goes.
func (p *printer) clamp(indices, x ssa) ssa {
	rows := x.typ.Shape[0]
	if !rows.IsStatic() && indices.typ.DType.Bits() < 32 {
		indices = p.convert(indices, dtype.I32) // the last row may be beyond the type
	}
	d := indices.typ.DType
	if !d.IsUnsigned() {
		indices = p.same("stablehlo.maximum", indices, p.number(indices, 0))
	}
	if !rows.IsStatic() {
		n := p.dimension(x, 0)
		wide := d
		if twin, unsigned := signedTwin[d]; unsigned {
			wide = twin
		}
		last := p.as(p.convert(p.same("stablehlo.subtract", n, p.number(n, 1)), wide), d)
		return p.same("stablehlo.minimum", indices, p.broadcast(last, indices.typ, nil, indices))
	}
	if last := float64(rows.Size - 1); last < greatest(d) {
		indices = p.same("stablehlo.minimum", indices, p.number(indices, last))
	}
	return indices
}
