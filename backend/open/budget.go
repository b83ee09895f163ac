package open

import (
	"math"

	"github.com/dustin/go-humanize"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// DefaultMaxMemory is the limit where Options gives none, on a machine that has
// as much.
const DefaultMaxMemory = 32 << 30

// budget refuses a graph that would take more memory than is allowed, before a
// weight is read: a graph of a few kilobytes may ask for any amount, and a
// process that gets none ends without an error.
func budget(g *dag.Graph, limit int64) error {
	if limit <= 0 {
		limit = min(DefaultMaxMemory, installed())
	}
	peak, where, err := Peak(g)
	if err != nil {
		return err
	}
	if peak <= limit {
		return nil
	}
	return errs.New(CodeMemory, "the values of a run take %d bytes at once (%s), the limit is %d (%s)",
		peak, humanize.IBytes(uint64(peak)), limit, humanize.IBytes(uint64(limit))).On(where).
		Hint("allow more with --max-memory, or make the graph's values smaller")
}

// Peak plans a run: the most bytes that parameters, states and the values of one
// entry point take at once, as the CPU backend holds them (f16 and bf16 as f32),
// and the path of the node where it is so. A value is there from the node that
// makes it to the last that uses it; a reshape shares the bytes of its operand,
// and what depends on parameters and constants alone stays. Values whose size
// only a call tells, and the working memory of kernels, are not counted; such a
// call is planned with its sizes when it comes. A sum above 2^63-1 is given as
// that.
func Peak(g *dag.Graph) (bytes int64, where string, err error) {
	params, err := g.Params()
	if err != nil {
		return 0, "", err
	}
	p := &planner{funcs: map[string]int64{}, fixed: map[*dag.Value]bool{}, used: map[*dag.Value]bool{}}
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
	}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) { stays = plus(stays, p.kept(n)) })
	}
	where = g.Name
	bytes = stays
	for _, f := range g.Funcs {
		p.peak, p.at = 0, f.Name
		p.block(f.Body, 0, f.Entry, f.Writes)
		p.funcs[f.Name] = p.peak
		if most := plus(stays, p.peak); f.Entry && most > bytes {
			bytes, where = most, p.at
		}
	}
	return bytes, where, nil
}

// planner walks over functions, callees first, as a graph lists them.
type planner struct {
	funcs map[string]int64 // the peak of each
	fixed map[*dag.Value]bool
	used  map[*dag.Value]bool // by what is not fixed
	peak  int64               // of the function that is walked over
	at    string
}

// note finds the values that are computed once a program, and who uses them.
func (p *planner) note(n *dag.Node) {
	fixed := n.Op.Role != op.Variable && n.Op.Role != op.Calls && len(n.Blocks) == 0
	for _, v := range n.Inputs {
		fixed = fixed && p.fixed[v]
	}
	for _, v := range n.Outputs {
		p.fixed[v] = fixed
	}
	if !fixed {
		p.use(n.Inputs)
	}
	for _, b := range n.Blocks {
		p.use(b.Results)
	}
}

func (p *planner) use(vs []*dag.Value) {
	for _, v := range vs {
		p.used[owner(v)] = true
	}
}

// kept returns the bytes of the results of n that stay, as long as the program.
func (p *planner) kept(n *dag.Node) (bytes int64) {
	if n.Op.Role == op.Weight || n.Op.Memory == op.Same {
		return 0 // counted by their names; shared
	}
	for _, v := range n.Outputs {
		if p.fixed[v] && p.used[v] {
			bytes = plus(bytes, held(v.Type))
		}
	}
	return bytes
}

// block walks over b while other values take live bytes. Arguments that are b's
// own, and not a caller's, are there all the time; keep are values that are
// needed after b, as its results are.
func (p *planner) block(b *dag.Block, live int64, args bool, keep []dag.Write) {
	last := map[*dag.Value]int{} // by the value that owns the bytes
	for i, n := range b.Nodes {
		visit(n, func(v *dag.Value) { last[owner(v)] = i })
	}
	for _, v := range b.Results {
		last[owner(v)] = len(b.Nodes)
	}
	for _, w := range keep {
		last[owner(w.Value)] = len(b.Nodes)
	}
	if args {
		for _, v := range b.Args {
			live = plus(live, held(v.Type))
		}
	}
	p.reach(live, p.at)
	free := make([]int64, len(b.Nodes)+1) // bytes, after each node
	for i, n := range b.Nodes {
		for _, nested := range n.Blocks {
			p.block(nested, live, true, nil)
		}
		if n.Op.Role == op.Calls {
			p.reach(plus(live, p.funcs[n.Attrs.String("function")]), n.Path)
		}
		for _, v := range n.Outputs {
			if p.fixed[v] || owner(v) != v || n.Op.Role == op.Variable {
				continue
			}
			until := max(last[v], i) // what nothing uses is freed at once
			live, free[until] = plus(live, held(v.Type)), plus(free[until], held(v.Type))
		}
		p.reach(live, n.Path)
		live = max(live-free[i], 0) // below 0 only where a sum was too large
	}
}

// reach notes how much is held at a node.
func (p *planner) reach(live int64, path string) {
	if live > p.peak {
		p.peak, p.at = live, path
	}
}

// visit calls f with every value that n and its nested blocks read.
func visit(n *dag.Node, f func(*dag.Value)) {
	for _, v := range n.Inputs {
		f(v)
	}
	for _, b := range n.Blocks {
		for _, inner := range b.Nodes {
			visit(inner, f)
		}
		for _, v := range b.Results {
			f(v)
		}
	}
}

// owner returns the value whose bytes v shares, v itself for most.
func owner(v *dag.Value) *dag.Value {
	for v.Node != nil && v.Node.Op.Memory == op.Same {
		v = v.Node.Inputs[0]
	}
	return v
}

// held returns the bytes of a value in memory; 0 where only a call tells its size.
func held(t tensor.Type) int64 {
	if !t.Shape.IsStatic() {
		return 0
	}
	if t.DType == dtype.F16 || t.DType == dtype.BF16 {
		t.DType = dtype.F32
	}
	n, err := t.Bytes()
	if err != nil {
		return math.MaxInt64
	}
	return n
}

// plus adds sizes; a sum that is too large is the largest number.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
