package hlo

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var contractionLowerings = map[string]lowering{
	"dot_general": func(p *printer, n *dag.Node) {
		a := n.Attrs
		extra := ""
		if l := a.Ints("lhs_batching"); len(l) > 0 {
			extra += fmt.Sprintf(", batching_dims = %s x %s", ints(l), ints(a.Ints("rhs_batching")))
		}
		extra += fmt.Sprintf(", contracting_dims = %s x %s", ints(a.Ints("lhs_contracting")), ints(a.Ints("rhs_contracting")))
		t := n.Outputs[0].Type
		sum := t
		if t.DType.IsFloat() && t.DType.Bits() < 32 {
			sum.DType = dtype.F32 // narrow floats are summed in f32
		}
		p.bind(n, p.convert(p.to(sum, "stablehlo.dot_general", extra, p.ins(n)...), t.DType))
	},
}

// f32 gives t with sums wide enough for narrow floats.
func f32(t tensor.Type) tensor.Type {
	if t.DType.IsFloat() && t.DType.Bits() < 32 {
		t.DType = dtype.F32
	}
	return t
}
