package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
)

var inPlaceRow = Rewrite{
	ID:      "loop-in-place",
	Symptom: "Two values of one dynamic shape that a loop carries, of which one is made of the other, come of one kernel that writes the first in the place of its previous value and then reads that again: wrong numbers on CPUs where a row is no multiple of a vector, such as those of an LSTM of 300.",
	Instead: "a barrier after the value that the other is made of",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: WrongNumbers,
	install: func(t *target) { t.apart = append(t.apart, marks(t, carriedTogether)) },
}

// carriedTogether finds the next values of what a loop carries of which another next value
// of the same shape is made.
func carriedTogether(t *target, p *hlo.Printer) map[*dag.Value]bool {
	found := map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role != op.Loops {
				return
			}
			body := n.Blocks[1]
			for i, v := range body.Results {
				of := analysis.Owner(v)
				if of.Node == nil || v.Type.Shape.IsStatic() || t.behindBarrier(p, of) {
					continue
				}
				from := map[*dag.Value]bool{of: true}
				for _, m := range body.Nodes {
					if slices.ContainsFunc(m.Inputs, func(x *dag.Value) bool { return from[x] }) {
						for _, o := range m.Outputs {
							from[o] = true
						}
					}
				}
				for k, w := range body.Results {
					if k != i && analysis.Owner(w) != of && from[w] && w.Type.Shape.Same(v.Type.Shape) {
						found[of] = true
					}
				}
			}
		})
	}
	return found
}
