package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// SharedResult is the row of results of loops and choices that may lie in one buffer.
const SharedResult = "shared-result"

var copyRows = []Rewrite{{
	ID:      SharedResult,
	Symptom: "What a loop starts from is what it gives if it runs no round, and what a branch gives may be another value too: both lie in one buffer, and an update in place of one changes the other.",
	Instead: "a copy where the value has another name: a choice that the compiler does not see is made",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		var l *lifetimes
		copies := 0
		t.Starts = append(t.Starts, func(p *hlo.Printer) { l = lifetimesOf(p.Graph()) })
		t.Given = func(p *hlo.Printer, n *dag.Node, b *dag.Block, i int, v hlo.Value) hlo.Value {
			if !l.shares(n, b, i) {
				return v
			}
			copies++
			count := p.Splat(tensor.TypeOf(dtype.I32), float64(copies)) // equal copies would be one
			always := p.Compare("EQ", p.Barrier(count), count)
			always = p.Broadcast(always, tensor.Type{DType: dtype.Bool, Shape: v.Type.Shape}, nil, v)
			return p.Select(always, p.Barrier(v), p.Number(v, unlike(given(n, b)[i])))
		}
	},
}}

// unlike is a number that v does not have in all places, as far as the graph tells.
func unlike(v *dag.Value) float64 {
	if n := v.Node; n != nil && n.Op.Role == op.Uniform && n.Attrs.Float("value") == 0 {
		return 1
	}
	if n := v.Node; n != nil && n.Op.Role == op.Literal {
		for _, b := range n.Attrs.Value("value").Bytes {
			if b != 0 {
				return 0
			}
		}
		return 1
	}
	return 0
}

// given are the values that n starts from, or that its block b gives.
func given(n *dag.Node, b *dag.Block) []*dag.Value {
	if b != nil {
		return b.Results
	}
	return n.Inputs
}

// lifetimes says where values of a graph are made, and where they are used last.
type lifetimes struct {
	updates bool // some value is changed in place
	private map[*dag.Value]bool
	home    map[*dag.Value]*dag.Block
	block   map[*dag.Node]*dag.Block
	ends    map[*dag.Node]int  // places in the order of execution
	last    map[*dag.Value]int // of the end of the last node that uses what owns the memory
}

func lifetimesOf(g *dag.Graph) *lifetimes {
	l := &lifetimes{
		private: map[*dag.Value]bool{}, home: map[*dag.Value]*dag.Block{}, block: map[*dag.Node]*dag.Block{},
		ends: map[*dag.Node]int{}, last: map[*dag.Value]int{},
	}
	at := 0
	use := func(v *dag.Value) { l.last[analysis.Owner(v)] = at }
	var walk func(b *dag.Block)
	walk = func(b *dag.Block) {
		for _, v := range b.Args {
			l.home[v] = b
		}
		for _, n := range b.Nodes {
			l.block[n] = b
			l.updates = l.updates || n.Op.Memory == op.Updates
			for _, v := range n.Outputs {
				l.home[v] = b
			}
			for _, inner := range n.Blocks {
				walk(inner)
			}
			at++
			l.ends[n] = at
			n.Reads(use)
		}
		at++
		for _, v := range b.Results {
			use(v)
		}
	}
	for _, f := range g.Funcs {
		walk(f.Body)
		at++
		for _, w := range f.Writes {
			use(w.Value)
		}
		for _, v := range f.Body.Args {
			l.private[v] = !f.Entry
		}
	}
	return l
}

// shares reports whether what n starts from, or its block b gives, at place i may lie in
// the memory of another value that is read afterwards.
func (l *lifetimes) shares(n *dag.Node, b *dag.Block, i int) bool {
	vs := given(n, b)
	if !l.updates || vs[i].Type.Shape.Rank() == 0 {
		return false
	}
	v := analysis.Owner(vs[i])
	for _, other := range vs[:i] {
		if analysis.Owner(other) == v {
			return true
		}
	}
	if !l.owns(v) {
		return true
	}
	if b != nil && l.home[v] == b {
		return false // made in the block, after which only its name outside is left
	}
	return l.home[v] != l.block[n] || l.last[v] > l.ends[n] || b != nil && n.Op.Role == op.Loops
}

// owns reports whether v has memory of its own: it is an argument that is not another
// function's value, or was computed.
func (l *lifetimes) owns(v *dag.Value) bool {
	if v.Node == nil {
		return !l.private[v]
	}
	switch v.Node.Op.Memory {
	case op.Fresh, op.Updates:
		return v.Node.Op.Role != op.Uniform
	case op.Inner:
		return v.Node.Op.Role != op.Calls
	}
	return false
}
