package hlo

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var contractionLowerings = map[id.ID]Lowering{
	id.DotGeneral: func(p *Printer, n *dag.Node) {
		t := n.Outputs[0].Type // narrow floats are summed in f32
		p.Bind(n, p.Convert(p.Dot(p.In(n, 0), p.In(n, 1), DotDimsOf(n), Wide(t)), t.DType))
	},
}

// DotDimsOf returns the dimensions of a product.
func DotDimsOf(n *dag.Node) DotDims {
	return DotDims{n.Attrs.Ints("lhs_batching"), n.Attrs.Ints("rhs_batching"), n.Attrs.Ints("lhs_contracting"), n.Attrs.Ints("rhs_contracting")}
}

func plainDot(p *Printer, lhs, rhs Value, d DotDims, t tensor.Type) Value {
	batching := ""
	if len(d.LHSBatching) > 0 {
		batching = fmt.Sprintf(", batching_dims = %s x %s", Ints(d.LHSBatching), Ints(d.RHSBatching))
	}
	return p.To(t, "stablehlo.dot_general", fmt.Sprintf("%s, contracting_dims = %s x %s", batching, Ints(d.LHSContracting), Ints(d.RHSContracting)), lhs, rhs)
}

// Transpose permutes dimensions, and prints nothing for the identity.
func (p *Printer) Transpose(x Value, permutation []int64) Value {
	if slices.IsSorted(permutation) {
		return x
	}
	t := tensor.Type{DType: x.Type.DType}
	for _, d := range permutation {
		t.Shape = append(t.Shape, x.Type.Shape[d])
	}
	return p.To(t, "stablehlo.transpose", ", dims = "+Ints(permutation), x)
}

// Wide returns t with sums wide enough for narrow floats.
func Wide(t tensor.Type) tensor.Type {
	if t.DType.IsFloat() && t.DType.Bits() < 32 {
		t.DType = dtype.F32
	}
	return t
}
