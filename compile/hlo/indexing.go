package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var indexingLowerings = merged(sortLowerings, map[id.ID]Lowering{
	// StableHLO's operation clamps indices itself.
	id.Take: func(p *Printer, n *dag.Node) {
		table, indices, t := p.In(n, 0), p.In(n, 1), n.Outputs[0].Type
		r := indices.Type.Shape.Rank()
		it := sized(indices, append(append(shape.Shape{}, indices.Type.Shape...), shape.N(1)))
		at := p.Reshape(indices, it)
		var offsets, sizes []int64
		for i, d := range table.Type.Shape {
			sizes = append(sizes, d.Size)
			if i > 0 {
				offsets = append(offsets, int64(r+i-1))
			}
		}
		sizes[0] = 1
		dims := fmt.Sprintf("#stablehlo.gather<offset_dims = %s, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = %d>", Ints(offsets), r)
		if in := []Value{table, at}; table.Type.Shape[1:].IsStatic() {
			p.Bind(n, p.Def(t, `"stablehlo.gather"(%s) <{dimension_numbers = %s, slice_sizes = %s}> : (%s) -> %s`,
				Names(in), dims, Array(sizes), p.Types(in), p.Type(t)))
			return
		}
		slice := []Value{p.SizeNumber(1)}
		for i, d := range table.Type.Shape[1:] {
			slice = append(slice, p.Size(d, table, i+1))
		}
		in := []Value{table, at, p.SizeList(slice)}
		p.Bind(n, p.Def(t, `"stablehlo.dynamic_gather"(%s) <{dimension_numbers = %s}> : (%s) -> %s`, Names(in), dims, p.Types(in), p.Type(t)))
	},
	id.DynamicSlice: func(p *Printer, n *dag.Node) {
		x, t := p.In(n, 0), n.Outputs[0].Type
		if t.Shape.IsStatic() {
			p.Bind(n, p.To(t, "stablehlo.dynamic_slice", ", sizes = "+Ints(t.Shape.Sizes()), p.Ins(n)...))
			return
		}
		starts, limits := make([]Value, len(t.Shape)), make([]Value, len(t.Shape))
		for i, d := range t.Shape {
			starts[i] = p.Corner(x, i, d, p.In(n, i+1))
			limits[i] = p.Size(x.Type.Shape[i], x, i)
			if !d.Same(x.Type.Shape[i]) {
				limits[i] = p.Same("stablehlo.add", starts[i], p.Size(d, Value{}, 0))
			}
		}
		p.Bind(n, p.Cut(x, t, p.SizeList(starts), p.SizeList(limits), Ones(len(t.Shape))))
	},
	id.DynamicUpdateSlice: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.To(n.Outputs[0].Type, "stablehlo.dynamic_update_slice", "", p.Ins(n)...))
	},
	// At most as many rows as fit are written, where they fit.
	id.UpdateRows: func(p *Printer, n *dag.Node) {
		x, rows, start := p.In(n, 0), p.In(n, 1), p.In(n, 2)
		all, count := x.Type.Shape[0], rows.Type.Shape[0]
		switch {
		case count.Size == 0:
			p.Bind(n, x)
			return
		case count.IsStatic() && count.Size > all.Size:
			rows = p.firstRows(rows, all)
		case !count.IsStatic():
			limits := []Value{p.Same("stablehlo.minimum", p.Size(count, rows, 0), p.SizeNumber(all.Size))}
			starts := []Value{p.SizeNumber(0)}
			for _, d := range rows.Type.Shape[1:] {
				limits, starts = append(limits, p.SizeNumber(d.Size)), append(starts, p.SizeNumber(0))
			}
			rows = p.Cut(rows, rows.Type, p.SizeList(starts), p.SizeList(limits), Ones(rows.Type.Shape.Rank()))
		}
		in := []Value{x, rows, start}
		for range x.Type.Shape[1:] {
			in = append(in, p.Number(start, 0))
		}
		p.Bind(n, p.To(n.Outputs[0].Type, "stablehlo.dynamic_update_slice", "", in...))
	},
})

// Corner returns the start of a window in dimension i of x as tensor<1xi64>,
// clamped so that the window fits in x.
func (p *Printer) Corner(x Value, i int, size shape.Dim, start Value) Value {
	zero := p.SizeNumber(0)
	if size.Same(x.Type.Shape[i]) {
		return zero
	}
	if start.Type.DType == dtype.U64 { // clamped to the range of i64
		start = p.Same("stablehlo.minimum", start, p.Number(start, 1<<62))
	}
	at := p.To(SizeType(1), "stablehlo.reshape", "", p.Convert(start, dtype.I64))
	last := p.Same("stablehlo.subtract", p.Size(x.Type.Shape[i], x, i), p.Size(size, Value{}, 0))
	return p.Same("stablehlo.minimum", p.Same("stablehlo.maximum", at, zero), last)
}

// SizeList concatenates sizes into one tensor.
func (p *Printer) SizeList(parts []Value) Value {
	if len(parts) == 1 {
		return parts[0]
	}
	return p.To(SizeType(len(parts)), "stablehlo.concatenate", ", dim = 0", parts...)
}

// Ones returns n ones.
func Ones(n int) []int64 { return slices.Repeat([]int64{1}, n) }

// Clamp returns indices clamped to the rows of x, within the range of their type.
func (p *Printer) Clamp(indices, x Value) Value {
	rows := x.Type.Shape[0]
	if !rows.IsStatic() && indices.Type.DType.Bits() < 32 {
		indices = p.Convert(indices, dtype.I32) // the last row may be out of the type's range
	}
	d := indices.Type.DType
	if !d.IsUnsigned() {
		indices = p.Same("stablehlo.maximum", indices, p.Number(indices, 0))
	}
	if !rows.IsStatic() {
		n := p.Dimension(x, 0)
		wide := d
		if twin, unsigned := SignedTwin[d]; unsigned {
			wide = twin
		}
		last := p.Bitcast(p.Convert(p.Same("stablehlo.subtract", n, p.Number(n, 1)), wide), d)
		return p.Same("stablehlo.minimum", indices, p.Broadcast(last, indices.Type, nil, indices))
	}
	if last := float64(rows.Size - 1); last < Greatest(d) {
		indices = p.Same("stablehlo.minimum", indices, p.Number(indices, last))
	}
	return indices
}

// firstRows returns the first n rows of x.
func (p *Printer) firstRows(x Value, n shape.Dim) Value {
	s := append(shape.Shape{n}, x.Type.Shape[1:]...)
	return p.Slice(x, sized(x, s), shape.Of(make([]int64, len(s))...), s, Ones(len(s)))
}
