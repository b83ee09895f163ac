package cpu

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
)

// plan records when values are no longer needed and which are computed once.
type plan struct {
	// last[n] are the values of n's block whose last use is n.
	last map[*dag.Node][]*dag.Value
	// made[b] are the results of b that its own nodes compute.
	made map[*dag.Block][]*dag.Value
	// fixed are values that depend only on parameters and constants.
	fixed map[*dag.Value]bool
	// kept are the fixed values that other nodes use; the rest are intermediate
	// values and are not stored.
	kept map[*dag.Value]bool
	// again are the fixed values that more than one fixed node uses: they are remembered
	// until the values that depend on them are computed.
	again map[*dag.Value]bool
	// always are the fixed values that depend on no dynamic size either.
	always map[*dag.Value]bool
	// steps[b] are the nodes of b that are not fixed.
	steps map[*dag.Block][]step
}

// step is a node with what a run needs to know about it.
type step struct {
	*dag.Node
	last []*dag.Value
}

func newPlan(g *dag.Graph) *plan {
	p := &plan{
		last: map[*dag.Node][]*dag.Value{}, made: map[*dag.Block][]*dag.Value{},
		fixed: analysis.Fixed(g), kept: map[*dag.Value]bool{}, always: map[*dag.Value]bool{},
		again: map[*dag.Value]bool{}, steps: map[*dag.Block][]step{},
	}
	used := map[*dag.Value]bool{}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) { p.fix(n, used) })
		p.block(f.Body, analysis.Written(f))
	}
	for _, f := range g.Funcs {
		p.list(f.Body)
	}
	return p
}

func (p *plan) list(b *dag.Block) {
	for _, n := range b.Nodes {
		if !p.isFixed(n) {
			p.steps[b] = append(p.steps[b], step{n, p.last[n]})
		}
		for _, inner := range n.Blocks {
			p.list(inner)
		}
	}
}

// fix records a fixed node; used are the values that earlier fixed nodes use.
func (p *plan) fix(n *dag.Node, used map[*dag.Value]bool) {
	if !p.isFixed(n) {
		return
	}
	always := true
	for _, v := range n.Inputs {
		always = always && p.always[v]
		p.again[v] = used[v]
		used[v] = true
	}
	for _, v := range n.Outputs {
		p.always[v] = always && v.Type.Shape.IsStatic()
	}
}

// block plans b; keep are values that are needed after it, such as its results.
func (p *plan) block(b *dag.Block, keep []*dag.Value) {
	here := map[*dag.Value]bool{} // defined in this block and not yet released
	for _, v := range b.Args {
		here[v] = true
	}
	for _, n := range b.Nodes {
		for _, v := range n.Outputs {
			here[v] = true
		}
	}
	for _, v := range b.Results {
		if here[v] {
			p.made[b] = append(p.made[b], v)
		}
		p.use(v)
	}
	for _, v := range keep {
		p.use(v)
	}
	last := analysis.Last(b, keep...)
	for i, n := range b.Nodes {
		release := func(v *dag.Value) {
			if here[v] && !p.fixed[v] {
				p.last[n] = append(p.last[n], v)
			}
			delete(here, v)
		}
		for _, v := range n.Outputs {
			if _, read := last[v]; !read {
				release(v)
			}
		}
		n.Reads(func(v *dag.Value) {
			if last[v] == i {
				release(v)
			}
		})
		if !p.isFixed(n) {
			for _, v := range n.Inputs {
				p.use(v)
			}
		}
		for _, inner := range n.Blocks {
			p.block(inner, nil)
		}
	}
}

func (p *plan) isFixed(n *dag.Node) bool { return len(n.Outputs) > 0 && p.fixed[n.Outputs[0]] }

func (p *plan) use(v *dag.Value) {
	if p.fixed[v] {
		p.kept[v] = true
	}
}
