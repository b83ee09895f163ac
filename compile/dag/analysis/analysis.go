// Package analysis answers questions about a graph that several rooms ask: whose
// memory a value shares, when it is used last, what it depends on, and how much memory
// a run takes at once.
//
// # Errors
//
// None of its own: graphs are verified before. Peak gives what dag.Graph.Params does.
//
// # Determinism
//
// The answers depend on the graph alone.
package analysis

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// Owner returns the value whose memory v shares because the operation only gives it
// another shape (op.Same): v itself for most.
func Owner(v *dag.Value) *dag.Value {
	for v.Node != nil && v.Node.Op.Memory == op.Same {
		v = v.Node.Inputs[0]
	}
	return v
}

// Uses visits each use of a value in f and its blocks: as an operand of a node, or with
// no node as a result of a block or as what a state variable gets.
func Uses(f *dag.Func, visit func(v *dag.Value, by *dag.Node, operand int)) {
	results := func(b *dag.Block) {
		for i, v := range b.Results {
			visit(v, nil, i)
		}
	}
	f.Body.Walk(func(n *dag.Node) {
		for i, v := range n.Inputs {
			visit(v, n, i)
		}
		for _, b := range n.Blocks {
			results(b)
		}
	})
	results(f.Body)
	for i, w := range f.Writes {
		visit(w.Value, nil, i)
	}
}

// Last returns for each value the place of the node of b that is the last to read it,
// itself or in its blocks; len(b.Nodes) for the results of b and for keep, which is
// needed after them.
func Last(b *dag.Block, keep ...*dag.Value) map[*dag.Value]int {
	last := map[*dag.Value]int{}
	for i, n := range b.Nodes {
		n.Reads(func(v *dag.Value) { last[v] = i })
	}
	for _, v := range slices.Concat(b.Results, keep) {
		last[v] = len(b.Nodes)
	}
	return last
}

// Written returns the values that f gives its state variables.
func Written(f *dag.Func) []*dag.Value {
	values := make([]*dag.Value, len(f.Writes))
	for i, w := range f.Writes {
		values[i] = w.Value
	}
	return values
}

// Fixed returns the values that depend on parameters and constants alone: one
// computation serves all calls.
func Fixed(g *dag.Graph) map[*dag.Value]bool {
	fixed := map[*dag.Value]bool{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role == op.Variable || n.Op.Role == op.Calls || len(n.Blocks) > 0 {
				return
			}
			if slices.ContainsFunc(n.Inputs, func(v *dag.Value) bool { return !fixed[v] }) {
				return
			}
			for _, v := range n.Outputs {
				fixed[v] = true
			}
		})
	}
	return fixed
}

// Sources returns the values of a function that v is computed from: what its node and
// the blocks of that read, what these come from, and so on; not v itself.
func Sources(v *dag.Value) map[*dag.Value]bool {
	found := map[*dag.Value]bool{}
	var add func(v *dag.Value)
	add = func(v *dag.Value) {
		if v.Node == nil {
			return
		}
		v.Node.Reads(func(in *dag.Value) {
			if !found[in] {
				found[in] = true
				add(in)
			}
		})
	}
	add(v)
	return found
}

// Updated follows v to what was changed in place to give it, v itself if nothing was:
// through updates (op.Updates), and through functions and loops that do nothing else.
// With choices it goes through those as well of which both sides change one value.
func Updated(g *dag.Graph, v *dag.Value, choices bool) *dag.Value {
	for v.Node != nil {
		n := v.Node
		if n.Op.Memory == op.Updates {
			v = n.Inputs[0]
			continue
		}
		from := v
		switch n.Op.Role {
		case op.Calls:
			if f, err := g.Func(n.Attrs.String("function")); err == nil {
				if arg := slices.Index(f.Body.Args, Updated(g, f.Body.Results[v.Port], choices)); arg >= 0 {
					from = n.Inputs[arg]
				}
			}
		case op.Loops:
			if body := n.Blocks[1]; Updated(g, body.Results[v.Port], choices) == body.Args[v.Port] {
				from = n.Inputs[v.Port]
			}
		case op.Chooses:
			if choices {
				if then := Updated(g, n.Blocks[0].Results[v.Port], true); then == Updated(g, n.Blocks[1].Results[v.Port], true) {
					from = then
				}
			}
		}
		if from == v {
			return v
		}
		v = from
	}
	return v
}
