package hlo

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var indexingLowerings = merged(sortLowerings, map[string]lowering{
	// stablehlo.gather clamps by its definition, but the pinned compiler makes it
	// read outside the table: the indices are clamped before it. A gather fused
	// with a reduction does not compile for SPIR-V (both IREE 3.13.0), so the rows
	// taken are kept apart from what uses them.
	"take": func(p *printer, n *dag.Node) {
		table, t := p.in(n, 0), n.Outputs[0].Type
		indices := p.clamp(p.in(n, 1), table.typ.Shape[0].Size-1)
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
		p.bind(n, p.to(n.Outputs[0].Type, "stablehlo.dynamic_slice", ", sizes = "+ints(n.Attrs.Ints("sizes")), p.ins(n)...))
	},
	"dynamic_update_slice": func(p *printer, n *dag.Node) {
		p.bind(n, p.to(n.Outputs[0].Type, "stablehlo.dynamic_update_slice", "", p.ins(n)...))
	},
})

// clamp gives indices between 0 and last, as far as their type goes.
func (p *printer) clamp(indices ssa, last int64) ssa {
	d := indices.typ.DType
	if !d.IsUnsigned() {
		indices = p.same("stablehlo.maximum", indices, p.splat(indices.typ, 0))
	}
	if float64(last) < greatest(d) {
		indices = p.same("stablehlo.minimum", indices, p.splat(indices.typ, float64(last)))
	}
	return indices
}
