package fromonnx

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
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
	rules["Scan"] = (*node).scan
}

// inner returns an environment with the same values for nodes of a block.
func (n *node) inner(b *dag.Block, outer *env) *env {
	return &env{b: b, evaluate: n.evaluate, opset: n.opset, values: maps.Clone(n.values), known: n.known, codes: n.codes, outer: outer}
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

// scan repeats a body for each element of the scanned inputs, whose number is
// known: the states come first, then what is stacked.
func (n *node) scan() []*dag.Value {
	body, count := n.Attributes["body"].Graph, int(n.int("num_scan_inputs", 0))
	first := 0
	if n.opset < 9 {
		first = 1 // the lengths of the sequences, and everything has a batch
	}
	if body == nil || first == 1 && n.has(0) || len(n.Attributes) > 2 {
		n.refuse("a scan of several lengths, or along other dimensions")
	}
	states := len(n.Inputs) - first - count
	values := make([]*dag.Value, states+count)
	for i := range values {
		values[i] = n.in(first + i)
		if first == 1 {
			if sizes(values[i])[0] != 1 {
				n.refuse("a scan of batches")
			}
			values[i] = n.reshape(values[i], sizes(values[i])[1:]...)
		}
	}
	state, rows := values[:states], values[states:]
	var stacked [][]*dag.Value
	for t := range sizes(rows[0])[0] {
		e := n.inner(n.b, n.outer)
		for i, in := range body.Inputs {
			if i < states {
				e.values[in.Name] = state[i]
				continue
			}
			row := n.window(rows[i-states], 0, t, t+1, 1)
			e.values[in.Name] = n.reshape(row, sizes(row)[1:]...)
		}
		e.initialize(body)
		out := e.nodes(body)
		state = out[:states]
		for i, v := range out[states:] {
			if t == 0 {
				stacked = append(stacked, nil)
			}
			stacked[i] = append(stacked[i], n.reshape(v, append([]int64{1}, sizes(v)...)...))
		}
	}
	for _, s := range stacked {
		state = append(state, n.add("concatenate", op.Attrs{"dim": int64(0)}, s...))
	}
	if first == 1 {
		for i, v := range state {
			state[i] = n.reshape(v, append([]int64{1}, sizes(v)...)...)
		}
	}
	return state
}
