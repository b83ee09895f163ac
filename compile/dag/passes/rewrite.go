package passes

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// editor is one function being rewritten. Values of removed nodes are replaced
// by others, which are defined before every use: in the same block or in an
// enclosing one.
type editor struct {
	stand map[*dag.Value]*dag.Value
	block *dag.Block // the nodes that are kept so far; arguments and results of the old block
	enter func()     // if not nil, is called before each block
	leave func()     // if not nil, is called after each block

	changed bool
}

// visit handles a node whose inputs are already replaced. It returns the
// replacement of each of the node's outputs, existing or added to the block,
// or nil to keep the node.
type visit func(e *editor, n *dag.Node) []*dag.Value

// rewrite visits the nodes of all functions, each block in order, and reports
// whether any was replaced.
func rewrite(g *dag.Graph, v visit) (changed bool) {
	for _, f := range g.Funcs {
		e := newEditor()
		e.function(f, v)
		changed = changed || e.changed
	}
	return changed
}

// fixpoint rewrites until nothing changes, since the result of a rule
// may match another rule, and then removes dead code.
func fixpoint(g *dag.Graph, v visit) {
	for rewrite(g, v) {
		DeadCode(g)
	}
}

func newEditor() *editor {
	return &editor{stand: map[*dag.Value]*dag.Value{}}
}

func (e *editor) function(f *dag.Func, v visit) {
	e.walk(f.Body, v)
	for i, w := range f.Writes {
		f.Writes[i].Value = e.now(w.Value)
	}
}

func (e *editor) walk(b *dag.Block, v visit) {
	if e.enter != nil {
		e.enter()
	}
	outer := e.block
	old := b.Nodes
	b.Nodes = make([]*dag.Node, 0, len(old))
	e.block = b
	for _, n := range old {
		for i, in := range n.Inputs {
			if now := e.now(in); now != in {
				n.Inputs = append([]*dag.Value{}, n.Inputs...) // a composite's list may be shared
				n.Inputs[i] = now
			}
		}
		for _, inner := range n.Blocks {
			e.walk(inner, v)
		}
		before := len(b.Nodes)
		if !e.replace(n, v(e, n)) {
			b.Nodes = append(b.Nodes[:before], n)
		}
	}
	for i, r := range b.Results {
		b.Results[i] = e.now(r)
	}
	e.block = outer
	if e.leave != nil {
		e.leave()
	}
}

// replace replaces the outputs of n by values if the types match: a rule
// that would lose the name of a dynamic dimension changes nothing.
func (e *editor) replace(n *dag.Node, with []*dag.Value) bool {
	if len(with) != len(n.Outputs) || len(with) == 0 {
		return false
	}
	for i, v := range with {
		if v == nil || !v.Type.Equal(n.Outputs[i].Type) {
			return false
		}
	}
	for i, v := range with {
		e.stand[n.Outputs[i]] = v
	}
	e.changed = true
	return true
}

// now returns the current replacement of v.
func (e *editor) now(v *dag.Value) *dag.Value {
	if s, ok := e.stand[v]; ok {
		return s // itself never replaced: it was defined before v was visited
	}
	return v
}

// add appends a node with one result; it returns nil if the operation rejects
// the operands, so that an overly general rule changes nothing.
func (e *editor) add(name string, at dag.Origin, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	n, err := e.block.AddAt(at, name, attrs, in...)
	if err != nil || len(n.Outputs) != 1 {
		return nil
	}
	return n.Outputs[0]
}

// splat appends a splat of v's type.
func (e *editor) splat(n *dag.Node, value float64) *dag.Value {
	return e.add("splat", n.Origin, op.Attrs{"type": n.Outputs[0].Type, "value": value})
}

// with returns a copy of the attributes with one of them changed.
func with(attrs op.Attrs, name string, value any) op.Attrs {
	attrs = maps.Clone(attrs)
	attrs[name] = value
	return attrs
}

func one(v *dag.Value) []*dag.Value { return []*dag.Value{v} }

// made returns the node of v if it applies the operation, else nil.
func made(v *dag.Value, i op.ID) *dag.Node {
	if v.Node != nil && v.Node.Op.ID == i {
		return v.Node
	}
	return nil
}
