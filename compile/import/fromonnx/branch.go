package fromonnx

import (
	"errors"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
)

// In init, since a branch is converted by rules.
func init() {
	rules["If"] = func(n *node) []*dag.Value {
		if c, ok := n.certain(n.in(0)); ok {
			return n.taken(c)
		}
		var then, otherwise *dag.Block
		err := attempt(func() {
			then, otherwise = n.branch(n.Attributes["then_branch"].Graph), n.branch(n.Attributes["else_branch"].Graph)
			for i, v := range then.Results {
				if i >= len(otherwise.Results) || !v.Type.Equal(otherwise.Results[i].Type) {
					n.refuse("branches that give different shapes, %s and %s: ours are those before they run", v.Type, typeAt(otherwise.Results, i))
				}
			}
		})
		if err != nil {
			c, open := n.evaluated(n.in(0), true)
			if open == nil { // of a test's inputs
				return n.taken(c)
			}
			var refused, undecided *errs.Error
			hint := n.setHint(n.in(0), "the branch of "+nameOf(n.Node))
			switch known := errors.As(err, &refused) && errors.As(open, &undecided); {
			case !known:
			case hint != "":
				refused.Do = hint
			case strings.Contains(refused.Do, undecided.Do):
			case refused.Do == "":
				refused.Do = undecided.Do // what decides the condition
				n.blames[refused] = n.blames[undecided]
			default:
				refused.Do += "; " + undecided.Do
			}
			panic(refusal{err})
		}
		cond, err := n.b.AddCond(n.at, then, otherwise, n.reshape(n.in(0)))
		if err != nil {
			panic(refusal{err})
		}
		return cond.Outputs
	}
}

// typeAt is the type of a result in words.
func typeAt(results []*dag.Value, i int) string {
	if i < len(results) {
		return results[i].Type.String()
	}
	return "none"
}

// taken adds the nodes of the branch of an If whose condition is known.
func (n *node) taken(condition tensor.Value) []*dag.Value {
	name := "else_branch"
	if len(condition.Bytes) > 0 && condition.Bytes[0] != 0 {
		name = "then_branch"
	}
	g := n.Attributes[name].Graph
	if g == nil {
		n.refuse("a branch without a graph")
	}
	var out []*dag.Value
	for i, t := range n.inner(n.b, n.env).results(g, nil) {
		out = append(out, n.gives(i, t))
	}
	return out
}

// branch converts a graph without inputs to a block.
func (n *node) branch(g *onnx.Graph) *dag.Block {
	if g == nil {
		n.refuse("a branch without a graph")
	}
	e := n.inner(&dag.Block{}, n.env)
	for _, t := range e.results(g, nil) {
		if t.value == nil {
			n.refuse("sequences of which a condition decides: ours are followed before they run")
		}
		e.b.Results = append(e.b.Results, t.value)
	}
	return e.b
}
