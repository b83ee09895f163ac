package passes

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// A cache is a value of which a round of a loop, or a call, only replaces
// windows. Nothing accumulates in it, so it can be stored in a narrow type.

// isCache reports whether v is from, with windows replaced or not.
func isCache(g *dag.Graph, v, from *dag.Value) bool {
	for v != from {
		n := v.Node
		if n == nil {
			return false
		}
		if n.Op.Memory == op.Updates {
			v = n.Inputs[0]
			continue
		}
		switch n.Op.Role {
		case op.Loops:
			if !isCache(g, n.Blocks[1].Results[v.Port], n.Blocks[1].Args[v.Port]) {
				return false
			}
			v = n.Inputs[v.Port]
		case op.Chooses:
			return isCache(g, n.Blocks[0].Results[v.Port], from) && isCache(g, n.Blocks[1].Results[v.Port], from)
		case op.Calls:
			arg := cacheArg(g, n, v.Port)
			if arg < 0 {
				return false
			}
			v = n.Inputs[arg]
		default:
			return false
		}
	}
	return true
}

// cacheArg returns the argument of which result port of a call is a cache, or -1.
func cacheArg(g *dag.Graph, call *dag.Node, port int) int {
	f, err := g.Func(call.Attrs.String("function"))
	if err != nil {
		return -1
	}
	for i, a := range f.Body.Args {
		if a.Type.Equal(f.Body.Results[port].Type) && isCache(g, f.Body.Results[port], a) {
			return i
		}
	}
	return -1
}

// narrowStates are the state variables that are caches: each value written is
// the old one with windows replaced, or does not depend on the old one.
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
			for _, r := range reads {
				if !isCache(g, w.Value, r) && dependsOn(w.Value, r, map[*dag.Value]bool{}) {
					caches[w.State] = false
				}
			}
		}
	}
	return caches
}

// dependsOn reports whether v is computed from the value of a node of the function's
// own block.
func dependsOn(v, from *dag.Value, seen map[*dag.Value]bool) bool {
	if v == from {
		return true
	}
	if seen[v] || v.Node == nil {
		return false
	}
	seen[v] = true
	for _, in := range v.Node.Inputs {
		if dependsOn(in, from, seen) {
			return true
		}
	}
	for _, b := range v.Node.Blocks {
		for _, n := range b.Nodes {
			for _, o := range n.Outputs {
				if dependsOn(o, from, seen) {
					return true
				}
			}
		}
		for _, r := range b.Results {
			if dependsOn(r, from, seen) {
				return true
			}
		}
	}
	return false
}
