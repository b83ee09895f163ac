package iree

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
)

var memoryRows = []Rewrite{{
	ID:      "loop-state",
	Symptom: "Loop-carried values are copied in each iteration, including caches.",
	Instead: "a value kept in a state variable is stored and loaded in each iteration instead of carried",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: Costs,
	install: func(t *target) {
		var found map[*dag.Node]map[int]string
		t.Starts = append(t.Starts, func(p *hlo.Printer) { found = inState(p.Graph()) })
		t.InState = func(n *dag.Node) map[int]string { return found[n] }
	},
}}

// inState finds the loop-carried values that can live in the memory of a state
// variable: values that are read from it, updated in place before the loop and in each
// iteration, and written back at the end. These are not carried: the loop stores them
// to the variable and each iteration loads them from it, without a copy.
//
// A value loaded from the variable then changes with it: a value stays carried if
// anything else needs its old contents, or reads the variable after the loop has begun.
func inState(g *dag.Graph) map[*dag.Node]map[int]string {
	found := map[*dag.Node]map[int]string{}
	private := map[string]bool{} // variables read by functions that others call
	for _, f := range g.Funcs {
		if !f.Entry {
			f.Body.Walk(func(n *dag.Node) {
				if n.Op.Role == op.Variable {
					private[n.Attrs.String("name")] = true
				}
			})
		}
	}
	for _, f := range g.Funcs {
		written := map[*dag.Value]bool{}
		var loops []*dag.Node
		carried := map[*dag.Node][]candidate{}
		for _, w := range f.Writes {
			loop := w.Value.Node
			if loop == nil || loop.Op.Role != op.Loops || private[w.State] || written[w.Value] {
				continue
			}
			written[w.Value] = true
			if carried[loop] == nil {
				loops = append(loops, loop)
			}
			carried[loop] = append(carried[loop], candidate{w.Value.Port, w.State})
		}
		for _, loop := range loops {
			states := map[int]string{}
			for i, stays := range stayIn(g, f, loop, carried[loop]) {
				if stays && len(states) < len(loop.Outputs)-1 {
					states[carried[loop][i].port] = carried[loop][i].state
				}
			}
			if len(states) > 0 {
				found[loop] = states
			}
		}
	}
	return found
}

// candidate is a loop-carried value that is written to a state variable.
type candidate struct {
	port  int
	state string
}

// stayIn returns which values of a loop of f may live in their state variables. It visits
// each node once for all of them: a model has two for each layer.
func stayIn(g *dag.Graph, f *dag.Func, loop *dag.Node, of []candidate) []bool {
	stays := make([]bool, len(of))
	at := slices.Index(f.Body.Nodes, loop)
	if at < 0 {
		return stays
	}
	cond, body := loop.Blocks[0], loop.Blocks[1]
	states, tested := map[string][]int{}, map[*dag.Value]int{}
	before, within := memory{g, map[*dag.Value][]int{}}, memory{g, map[*dag.Value][]int{}}
	for i, c := range of {
		initial := analysis.Updated(g, loop.Inputs[c.port], false)
		stays[i] = initial.Node != nil && initial.Node.Op.Role == op.Variable && initial.Node.Attrs.String("name") == c.state &&
			analysis.Updated(g, body.Results[c.port], false) == body.Args[c.port]
		states[c.state] = append(states[c.state], i)
		tested[cond.Args[c.port]] = i
		within.has[body.Args[c.port]] = []int{i}
	}
	leave := func(which []int, but int) {
		for _, i := range which {
			stays[i] = stays[i] && of[i].port == but
		}
	}
	const none = -1
	early := func(v *dag.Value) { leave(before.has[v], none) }
	for _, n := range f.Body.Nodes[:at] {
		if n.Op.Role == op.Variable {
			before.has[n.Outputs[0]] = states[n.Attrs.String("name")]
		}
	}
	before.spread(f.Body.Nodes[:at])
	for port, v := range loop.Inputs {
		leave(before.has[v], port)
	}
	for _, b := range loop.Blocks {
		b.Reads(early)
	}
	for i, n := range f.Body.Nodes[at:] {
		if i > 0 {
			n.Reads(early)
		}
		one := dag.Block{Nodes: []*dag.Node{n}}
		one.Walk(func(n *dag.Node) {
			if n.Op.Role == op.Variable {
				leave(states[n.Attrs.String("name")], none)
			}
		})
	}
	for _, v := range f.Body.Results {
		early(v)
	}
	for _, w := range f.Writes {
		early(w.Value)
	}
	cond.Reads(func(v *dag.Value) {
		if i, ok := tested[v]; ok {
			stays[i] = false
		}
	})
	within.spread(body.Nodes)
	for port, v := range body.Results {
		leave(within.has[v], port)
	}
	return stays
}

// memory maps values to the candidates in whose memory they may lie, in ascending order.
type memory struct {
	g   *dag.Graph
	has map[*dag.Value][]int
}

// add records that v may lie there too.
func (m memory) add(v *dag.Value, where []int) {
	switch old := m.has[v]; {
	case len(where) == 0:
	case len(old) == 0:
		m.has[v] = where
	case !slices.Equal(old, where):
		all := slices.Concat(old, where)
		slices.Sort(all)
		m.has[v] = slices.Compact(all)
	}
}

// spread adds the results of nodes that alias these values.
func (m memory) spread(nodes []*dag.Node) {
	for _, n := range nodes {
		if n.Op.Memory.SharesFirst() {
			m.add(n.Outputs[0], m.has[n.Inputs[0]])
			continue
		}
		switch n.Op.Role {
		case op.Calls:
			f, err := m.g.Func(n.Attrs.String("function"))
			if err != nil {
				continue // the graph was verified
			}
			inner := memory{m.g, map[*dag.Value][]int{}}
			for i, v := range n.Inputs {
				inner.add(f.Body.Args[i], m.has[v])
			}
			if len(inner.has) == 0 {
				continue
			}
			inner.spread(f.Body.Nodes)
			for i, v := range f.Body.Results {
				m.add(n.Outputs[i], inner.has[v])
			}
		case op.Loops, op.Chooses:
			var all []int
			n.Reads(func(v *dag.Value) { all = append(all, m.has[v]...) })
			slices.Sort(all)
			all = slices.Compact(all)
			for _, v := range n.Outputs {
				m.add(v, all)
			}
		}
	}
}
