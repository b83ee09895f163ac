package analysis

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Peak plans a run: the most bytes that parameters, states and the values of one
// entry point take at once, and the path of the node where it is so; held is what a
// value of a type takes. A value is there from the node that makes it to the last that
// uses it; one that shares the memory of another (Owner) takes none. What is Fixed stays if
// anything else uses it; what that is computed from is there while it is computed, which is
// before its first use. The working memory of operations is not counted. A sum above 2^63-1 is given
// as that.
func Peak(g *dag.Graph, held func(t tensor.Type) int64) (bytes int64, where string, err error) {
	params, err := g.Params()
	if err != nil {
		return 0, "", err
	}
	p := &planner{
		held: held, funcs: map[string]int64{}, fixed: Fixed(g), used: map[*dag.Value]bool{}, direct: map[*dag.Value]bool{},
		reads: map[*dag.Value]int{}, made: map[*dag.Value]int64{},
	}
	var stays int64
	for _, t := range params {
		stays = plus(stays, held(t.Type))
	}
	for _, s := range g.States {
		stays = plus(stays, held(s.Type))
	}
	for _, f := range g.Funcs {
		f.Body.Walk(p.note)
		p.use(f.Body.Results)
		p.use(Written(f))
	}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) { stays = plus(stays, p.kept(n)) })
	}
	where = g.Name
	bytes = stays
	for _, f := range g.Funcs {
		p.peak, p.at = 0, f.Name
		p.block(f.Body, 0, f.Entry, Written(f))
		p.funcs[f.Name] = p.peak
		if most := plus(stays, p.peak); f.Entry && most > bytes {
			bytes, where = most, p.at
		}
	}
	return bytes, where, nil
}

// visitsPerNode bounds how often the computations of fixed values are followed through a
// node, on average.
const visitsPerNode = 64

// planner walks over functions, callees first, as a graph lists them.
type planner struct {
	held  func(t tensor.Type) int64
	funcs map[string]int64 // the peak of each
	fixed map[*dag.Value]bool
	used  map[*dag.Value]bool // by what is not fixed, or something that shares their memory
	peak  int64               // of the function that is walked over
	at    string

	// Of fixed values:
	direct  map[*dag.Value]bool  // used by what is not fixed: they are made once
	reads   map[*dag.Value]int   // by fixed nodes
	made    map[*dag.Value]int64 // what making one takes
	visits  int                  // of nodes, that are left
	passing int64                // the bytes of all
}

func (p *planner) isFixed(n *dag.Node) bool { return len(n.Outputs) > 0 && p.fixed[n.Outputs[0]] }

// note finds what uses values that are not fixed.
func (p *planner) note(n *dag.Node) {
	p.visits += visitsPerNode
	if !p.isFixed(n) {
		p.use(n.Inputs)
	} else {
		for _, v := range n.Inputs {
			p.reads[v]++
		}
		for _, v := range n.Outputs {
			p.passing = plus(p.passing, p.held(v.Type))
		}
	}
	for _, b := range n.Blocks {
		p.use(b.Results)
	}
}

func (p *planner) use(vs []*dag.Value) {
	for _, v := range vs {
		p.used[Owner(v)], p.direct[v] = true, p.fixed[v]
	}
}

// kept returns the bytes of the results of n that stay, as long as the program.
func (p *planner) kept(n *dag.Node) (bytes int64) {
	if sharing(n) {
		return 0 // counted by their names; shared
	}
	for _, v := range n.Outputs {
		if p.fixed[v] && p.used[v] {
			bytes = plus(bytes, p.held(v.Type))
		}
	}
	return bytes
}

// block walks over b while other values take live bytes. Arguments that are b's
// own, and not a caller's, are there all the time; keep are values that are
// needed after b, as its results are.
func (p *planner) block(b *dag.Block, live int64, args bool, keep []*dag.Value) {
	last := map[*dag.Value]int{} // by the value that owns the bytes
	for v, at := range Last(b, keep...) {
		last[Owner(v)] = max(last[Owner(v)], at)
	}
	if args {
		for _, v := range b.Args {
			live = plus(live, p.held(v.Type))
		}
	}
	p.reach(live, p.at)
	free := make([]int64, len(b.Nodes)+1) // bytes, after each node
	for i, n := range b.Nodes {
		if !p.isFixed(n) {
			p.make(live, n.Inputs, n.Path)
		}
		for _, nested := range n.Blocks {
			p.block(nested, live, true, nil)
		}
		if n.Op.Role == op.Calls {
			p.reach(plus(live, p.funcs[n.Attrs.String("function")]), n.Path)
		}
		for _, v := range n.Outputs {
			if p.fixed[v] || Owner(v) != v || n.Op.Role == op.Variable {
				continue
			}
			until := max(last[v], i) // what nothing uses is freed at once
			live, free[until] = plus(live, p.held(v.Type)), plus(free[until], p.held(v.Type))
		}
		p.reach(live, n.Path)
		live = max(live-free[i], 0) // below 0 only where a sum was too large
	}
	p.make(live, b.Results, p.at)
	p.make(live, keep, p.at)
}

// make notes what it takes to make the fixed ones of these values: each use may be the
// first, for which they are made.
func (p *planner) make(live int64, values []*dag.Value, path string) {
	for _, v := range values {
		if p.direct[v] {
			p.reach(plus(live, p.making(v)), path)
		}
	}
}

// reach notes how much is held at a node.
func (p *planner) reach(live int64, path string) {
	if live > p.peak {
		p.peak, p.at = live, path
	}
}

// plus adds sizes; a sum that is too large is the largest number.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
