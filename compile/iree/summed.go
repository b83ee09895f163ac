package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// summedExponentials finds the exponentials that a sum and something else read, as
// in a softmax that is written out.
func summedExponentials(t *target, p *hlo.Printer) map[*dag.Value]bool {
	uses, summed := map[*dag.Value]int{}, map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		analysis.Uses(f, func(v *dag.Value, by *dag.Node, _ int) {
			of := analysis.Owner(v)
			if by != nil && by.Op.Memory == op.Same || of.Node == nil || of.Node.Op.ID != id.Exp {
				return
			}
			uses[of]++
			if by != nil && by.Op.ID == id.ReduceSum {
				summed[of] = true
			}
		})
	}
	for v := range summed {
		if uses[v] < 2 || t.behindBarrier(p, v) {
			delete(summed, v)
		}
	}
	return summed
}
