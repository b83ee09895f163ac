package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
)

var beginRow = Rewrite{
	ID:      "loop-begin",
	Symptom: "Converted values of dynamic sizes lie in one buffer, and a loop that begins with one of them gets the buffer without the value's place in it: it begins with another value's elements, such as an LSTM of halves whose states are arguments.",
	Instead: "a barrier after each that a loop begins with",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) { t.apart = append(t.apart, marks(t, convertedBegins)) },
}

// convertedBegins finds the converted values of dynamic sizes that loops begin with.
func convertedBegins(t *target, p *hlo.Printer) map[*dag.Value]bool {
	found := map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role != op.Loops {
				return
			}
			for _, v := range n.Inputs {
				of := analysis.Owner(v)
				if of.Node != nil && of.Node.Op.Role == op.Converts && !v.Type.Shape.IsStatic() && !t.behindBarrier(p, of) {
					found[of] = true
				}
			}
		})
	}
	return found
}
