package hlo

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
)

// inState finds the values that loops carry and that lie in the memory of a state
// variable: what the function read from it, changed in place before the loop and in
// each round of it, and at the end goes back to it. The pinned compiler copies what
// a loop carries in each round (IREE 3.13.0), caches too. So these are not carried:
// the loop stores them to the variable and each round loads them from it, which is
// done without a copy.
//
// What was loaded from a variable changes with it, then: a value stays carried if
// anything else needs what it was before, or reads the variable after the loop has
// begun.
func inState(g *dag.Graph) map[*dag.Node]map[int]string {
	found := map[*dag.Node]map[int]string{}
	private := map[string]bool{} // variables that functions read which others call
	for _, f := range g.Funcs {
		if !f.Entry {
			f.Body.Walk(func(n *dag.Node) {
				if n.Op.Name == "state" {
					private[n.Attrs.String("name")] = true
				}
			})
		}
	}
	for _, f := range g.Funcs {
		written := map[*dag.Value]bool{}
		for _, w := range f.Writes {
			loop := w.Value.Node
			if loop == nil || loop.Op.Name != "while" || private[w.State] || written[w.Value] {
				continue
			}
			written[w.Value] = true
			if k := w.Value.Port; len(found[loop]) < len(loop.Outputs)-1 && staysIn(g, f, loop, k, w.State) {
				if found[loop] == nil {
					found[loop] = map[int]string{}
				}
				found[loop][k] = w.State
			}
		}
	}
	return found
}

// staysIn says whether value k of a loop of f may lie in a state variable.
func staysIn(g *dag.Graph, f *dag.Func, loop *dag.Node, k int, state string) bool {
	at := slices.Index(f.Body.Nodes, loop)
	initial := changed(g, loop.Inputs[k])
	if at < 0 || initial.Node == nil || initial.Node.Op.Name != "state" || initial.Node.Attrs.String("name") != state {
		return false
	}
	cond, body := loop.Blocks[0], loop.Blocks[1]
	if changed(g, body.Results[k]) != body.Args[k] {
		return false
	}
	before := memory{g, map[*dag.Value]bool{}}
	for _, n := range f.Body.Nodes[:at] {
		if n.Op.Name == "state" && n.Attrs.String("name") == state {
			before.has[n.Outputs[0]] = true
		}
	}
	before.spread(f.Body.Nodes[:at])
	stays := true
	early := func(v *dag.Value) { stays = stays && !before.has[v] }
	for i, v := range loop.Inputs {
		if i != k {
			early(v)
		}
	}
	for _, b := range loop.Blocks {
		visit(b, early)
	}
	for i, n := range f.Body.Nodes[at:] {
		if i > 0 {
			uses(n, early)
		}
		one := dag.Block{Nodes: []*dag.Node{n}}
		one.Walk(func(n *dag.Node) {
			stays = stays && (n.Op.Name != "state" || n.Attrs.String("name") != state)
		})
	}
	for _, v := range f.Body.Results {
		early(v)
	}
	for _, w := range f.Writes {
		early(w.Value)
	}
	visit(cond, func(v *dag.Value) { stays = stays && v != cond.Args[k] })
	within := memory{g, map[*dag.Value]bool{body.Args[k]: true}}
	within.spread(body.Nodes)
	for i, v := range body.Results {
		stays = stays && (i == k || !within.has[v])
	}
	return stays
}

// memory is a set of values that may lie in the same memory.
type memory struct {
	g   *dag.Graph
	has map[*dag.Value]bool
}

// spread adds what nodes make of these values without memory of their own.
func (m memory) spread(nodes []*dag.Node) {
	for _, n := range nodes {
		switch n.Op.Name {
		case "update_rows", "dynamic_update_slice", "reshape", "slice", "dynamic_slice", "transpose", "broadcast_in_dim", "barrier", "bitcast":
			if m.has[n.Inputs[0]] {
				m.has[n.Outputs[0]] = true
			}
		case "call":
			f, err := m.g.Func(n.Attrs.String("function"))
			if err != nil {
				continue // the graph was verified
			}
			inner := memory{m.g, map[*dag.Value]bool{}}
			for i, v := range n.Inputs {
				if m.has[v] {
					inner.has[f.Body.Args[i]] = true
				}
			}
			if len(inner.has) == 0 {
				continue
			}
			inner.spread(f.Body.Nodes)
			for i, v := range f.Body.Results {
				if inner.has[v] {
					m.has[n.Outputs[i]] = true
				}
			}
		case "while", "cond":
			some := false
			uses(n, func(v *dag.Value) { some = some || m.has[v] })
			for _, v := range n.Outputs {
				m.has[v] = m.has[v] || some
			}
		}
	}
}

// uses calls see with what n and its blocks read.
func uses(n *dag.Node, see func(v *dag.Value)) {
	for _, v := range n.Inputs {
		see(v)
	}
	for _, b := range n.Blocks {
		visit(b, see)
	}
}

// visit is uses for the nodes and results of a block.
func visit(b *dag.Block, see func(v *dag.Value)) {
	for _, n := range b.Nodes {
		uses(n, see)
	}
	for _, v := range b.Results {
		see(v)
	}
}

// changed follows v to what was changed in place to give it, v itself if nothing
// was: through updates, and through functions and loops that do nothing else.
func changed(g *dag.Graph, v *dag.Value) *dag.Value {
	for v.Node != nil {
		n := v.Node
		switch n.Op.Name {
		case "update_rows", "dynamic_update_slice":
			v = n.Inputs[0]
		case "call":
			f, err := g.Func(n.Attrs.String("function"))
			if err != nil {
				return v
			}
			arg := slices.Index(f.Body.Args, changed(g, f.Body.Results[v.Port]))
			if arg < 0 {
				return v
			}
			v = n.Inputs[arg]
		case "while":
			if body := n.Blocks[1]; changed(g, body.Results[v.Port]) != body.Args[v.Port] {
				return v
			}
			v = n.Inputs[v.Port]
		default:
			return v
		}
	}
	return v
}

// store prints a store to a state variable.
func (p *printer) store(v ssa, state string) {
	p.line("util.global.store %s, %s : %s", v.name, symbol(state), p.typ(v.typ))
}

// carriedOf gives the list without what is in a state variable.
func carriedOf[T any](vs []T, states map[int]string) []T {
	var out []T
	for i, v := range vs {
		if states[i] == "" {
			out = append(out, v)
		}
	}
	return out
}
