package hlo

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var indexingLowerings = map[string]lowering{
	// A gather fused with a reduction does not compile for SPIR-V (IREE 3.13.0),
	// so the rows taken are kept apart from what uses them.
	"take": func(p *printer, n *dag.Node) {
		table, indices, t := p.in(n, 0), p.in(n, 1), n.Outputs[0].Type
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
}
