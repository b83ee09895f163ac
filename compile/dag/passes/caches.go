package passes

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// A cache is a value of which an iteration of a loop, or a call, only replaces
// windows. Nothing accumulates in it, so it can be stored in a narrow type.

// narrowStates returns the state variables that are caches: each value written
// is the old one with windows replaced, or does not depend on the old one.
func narrowStates(g *dag.Graph) map[string]bool {
	caches := map[string]bool{}
	for _, s := range g.States {
		caches[s.Name] = true
	}
	for _, f := range g.Funcs {
		for _, w := range f.Writes {
			var reads []*dag.Value
			f.Body.Walk(func(n *dag.Node) {
				if n.Op.Role == op.Variable && n.Attrs.String("name") == w.State {
					reads = append(reads, n.Outputs[0])
				}
			})
			from := analysis.Updated(g, w.Value, true)
			for _, r := range reads {
				if r != from && analysis.Sources(w.Value)[r] {
					caches[w.State] = false
				}
			}
		}
	}
	return caches
}
