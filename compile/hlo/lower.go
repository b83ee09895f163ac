package hlo

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// lowerings is the StableHLO column of the op table. Operations that StableHLO has
// are spelled in their rows, the files of the families have the others; control
// flow is added at init since it refers back to printing blocks.
var lowerings = func() map[id.ID]Lowering {
	all := map[id.ID]Lowering{}
	for _, o := range op.BuiltIn() {
		if o.StableHLO.Name != "" {
			all[o.ID] = spelled(o.StableHLO)
		}
	}
	for _, family := range []map[id.ID]Lowering{
		sourceLowerings, elementwiseLowerings, layoutLowerings, contractionLowerings,
		convolutionLowerings, reductionLowerings, indexingLowerings, normLowerings,
	} {
		maps.Copy(all, family)
	}
	return all
}()

func init() { maps.Copy(lowerings, controlLowerings) }

func merged(families ...map[id.ID]Lowering) map[id.ID]Lowering {
	all := map[id.ID]Lowering{}
	for _, m := range families {
		maps.Copy(all, m)
	}
	return all
}

// Bind sets the only output of n.
func (p *Printer) Bind(n *dag.Node, v Value) {
	if p.unfused[n.Outputs[0]] {
		v = p.Barrier(v)
	}
	p.values[n.Outputs[0]] = v
}
