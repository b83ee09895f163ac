package hlo

import (
	"maps"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
)

// lowering prints a node and binds its outputs in p.values.
type lowering func(p *printer, n *dag.Node)

// lowerings is the StableHLO column of the op table. The families' files fill
// it; control flow is added at init since it refers back to printing blocks.
var lowerings = func() map[string]lowering {
	all := map[string]lowering{}
	for _, family := range []map[string]lowering{
		sourceLowerings, elementwiseLowerings, layoutLowerings, contractionLowerings,
		convolutionLowerings, reductionLowerings, indexingLowerings, normLowerings, cachedLowerings,
	} {
		maps.Copy(all, family)
	}
	return all
}()

func init() { maps.Copy(lowerings, controlLowerings) }

// bind sets the only output of n.
func (p *printer) bind(n *dag.Node, v ssa) {
	if p.apart[n.Outputs[0]] {
		v = p.barrier(v)
	}
	p.values[n.Outputs[0]] = v
}

// barrier keeps the compiler from fusing v with what uses it. In the pinned
// compiler the sizes of a dynamic value do not pass it (IREE 3.13.0), and are tied
// to what comes out.
func (p *printer) barrier(v ssa) ssa {
	d := v.typ.DType
	v = p.signless(v)
	b := p.same("stablehlo.optimization_barrier", v)
	if v.typ.Shape.IsStatic() {
		return b
	}
	var dims []string
	for i, d := range v.typ.Shape {
		if !d.IsStatic() {
			dims = append(dims, p.def(tensor.Type{}, "tensor.dim %s, %s : %s", v.name, p.indexNumber(int64(i)).name, p.typ(v.typ)).name)
		}
	}
	return p.as(p.def(v.typ, "flow.tensor.tie_shape %s : %s{%s}", b.name, p.typ(v.typ), strings.Join(dims, ", ")), d)
}
