package fromonnx

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// In init, since a branch is converted by rules.
func init() {
	rules["If"] = func(n *node) []*dag.Value {
		then, otherwise := n.branch(n.Attributes["then_branch"].Graph), n.branch(n.Attributes["else_branch"].Graph)
		for i, v := range then.Results {
			if !v.Type.Equal(otherwise.Results[i].Type) {
				n.refuse("branches that give different shapes: ours are those before they run")
			}
		}
		cond, err := n.b.AddCond(n.at, then, otherwise, n.reshape(n.in(0)))
		if err != nil {
			panic(refusal{err})
		}
		return cond.Outputs
	}
}

// inner returns an environment with the same values for nodes of a block.
func (n *node) inner(b *dag.Block, outer *env) *env {
	return &env{b: b, evaluate: n.evaluate, opset: n.opset, values: maps.Clone(n.values), lists: maps.Clone(n.lists), known: n.known, codes: n.codes, outer: outer}
}

// branch converts a graph without inputs to a block.
func (n *node) branch(g *onnx.Graph) *dag.Block {
	if g == nil {
		n.refuse("a branch without a graph")
	}
	e := n.inner(&dag.Block{}, n.env)
	e.initialize(g)
	e.b.Results = e.nodes(g)
	return e.b
}
