package hlo

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
)

// lowering prints a node and binds its outputs in p.values.
type lowering func(p *printer, n *dag.Node)

// lowerings is the StableHLO column of the op table. The families' files fill
// it; control flow is added at init since it refers back to printing blocks.
var lowerings = func() map[string]lowering {
	all := map[string]lowering{}
	for _, family := range []map[string]lowering{
		sourceLowerings, elementwiseLowerings, layoutLowerings, contractionLowerings,
		convolutionLowerings, reductionLowerings, indexingLowerings, normLowerings,
	} {
		maps.Copy(all, family)
	}
	return all
}()

func init() { maps.Copy(lowerings, controlLowerings) }

// bind sets the only output of n.
func (p *printer) bind(n *dag.Node, v ssa) {
	if p.longRows[n.Outputs[0]] {
		v = p.barrier(v)
	}
	p.values[n.Outputs[0]] = v
}

// barrier keeps the compiler from fusing v with what uses it.
func (p *printer) barrier(v ssa) ssa { return p.same("stablehlo.optimization_barrier", v) }
