package dag

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// Portable returns g with operations that have a portable form in the table
// (op.Op.Portable) in that form, if which selects them: each is a call of a private
// function, one for all with the same operation, attributes and types. Functions
// are named after the operation with a number appended. g is not changed, and is
// returned if there is nothing to do; both share constants.
func Portable(g *Graph, which func(n *Node) bool) (*Graph, error) {
	found := false
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *Node) { found = found || n.Op.Portable != nil && which(n) })
	}
	if !found {
		return g, nil
	}
	return rebuild(g, &rewriter{which: which, forms: map[string]*Func{}})
}

// rebuild returns g rebuilt by p.
func rebuild(g *Graph, p *rewriter) (*Graph, error) {
	p.to, p.names = &Graph{Name: g.Name, States: g.States, Mesh: g.Mesh}, map[string]bool{}
	for _, f := range g.Funcs {
		p.names[f.Name] = true
	}
	for _, f := range g.Funcs {
		p.values = map[*Value]*Value{}
		body, err := p.block(f.Body)
		if err != nil {
			return nil, err
		}
		made := &Func{Name: f.Name, Entry: f.Entry, Args: f.Args, Results: f.Results, Body: body}
		for _, w := range f.Writes {
			made.Writes = append(made.Writes, Write{w.State, p.values[w.Value]})
		}
		p.to.Funcs = append(p.to.Funcs, made)
	}
	return p.to, nil
}

type rewriter struct {
	to     *Graph
	which  func(n *Node) bool
	forms  map[string]*Func
	names  map[string]bool
	values map[*Value]*Value
	// replace, if not nil, may add other nodes instead of n and set the
	// replacements of its outputs in p.values.
	replace func(p *rewriter, to *Block, n *Node) (bool, error)
}

func (p *rewriter) block(from *Block) (*Block, error) {
	to := &Block{}
	for _, v := range from.Args {
		p.values[v] = to.AddArg(v.Type)
	}
	for _, n := range from.Nodes {
		if err := p.node(to, n); err != nil {
			return nil, err
		}
	}
	to.Results = p.all(from.Results)
	return to, nil
}

// node appends the replacement of n.
func (p *rewriter) node(to *Block, n *Node) error {
	if p.replace != nil {
		if done, err := p.replace(p, to, n); done || err != nil {
			return err
		}
	}
	in := p.all(n.Inputs)
	if n.Op.Portable != nil && p.which(n) {
		f, err := p.form(n)
		if err != nil {
			return err
		}
		call, err := to.AddCall(n.Path, f, in...)
		if err != nil {
			return err
		}
		call.Origin = n.Origin
		p.put(n.Outputs, call.Outputs)
		return nil
	}
	made := &Node{Op: n.Op, Origin: n.Origin, Inputs: in, Attrs: n.Attrs}
	for _, b := range n.Blocks {
		inner, err := p.block(b)
		if err != nil {
			return err
		}
		made.Blocks = append(made.Blocks, inner)
	}
	p.put(n.Outputs, to.append(made, types(n.Outputs)).Outputs)
	return nil
}

func (p *rewriter) put(old, made []*Value) {
	for i, v := range old {
		p.values[v] = made[i]
	}
}

func (p *rewriter) all(vs []*Value) []*Value {
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = p.values[v]
	}
	return out
}

// form returns the function that computes n.
func (p *rewriter) form(n *Node) (*Func, error) {
	key := n.Op.Name + fmt.Sprint(types(n.Inputs))
	for _, name := range n.Attrs.Names() {
		key += fmt.Sprintf(" %s=%v", name, n.Attrs[name])
	}
	if f := p.forms[key]; f != nil {
		return f, nil
	}
	f := &Func{Body: &Block{}}
	for i := 1; f.Name == "" || p.names[f.Name]; i++ {
		f.Name = fmt.Sprintf("%s_%d", n.Op.Symbol(), i)
	}
	in := make([]op.Ref, len(n.Inputs))
	for i, t := range types(n.Inputs) {
		f.Args = append(f.Args, fmt.Sprintf("x%d", i))
		in[i] = op.Ref{Type: t, Value: f.Body.AddArg(t)}
	}
	p.names[f.Name] = true
	out, err := f.Body.refs(n, in)
	if err != nil {
		return nil, at(err, n.Path)
	}
	f.Body.Results = out
	for i := range out {
		f.Results = append(f.Results, fmt.Sprintf("y%d", i))
	}
	shorten(f.Body)
	// The form may contain other operations with a form.
	if f.Body, err = p.block(f.Body); err != nil {
		return nil, err
	}
	p.forms[key] = f
	p.to.Funcs = append(p.to.Funcs, f)
	return f, nil
}

// shorten turns broadcasts of splats to static sizes into splats, and drops
// unused nodes.
func shorten(b *Block) {
	spread := map[*Value]*Value{}
	used := map[*Value]bool{}
	for i, n := range b.Nodes {
		for j, v := range n.Inputs {
			if s := spread[v]; s != nil {
				n.Inputs[j] = s
			}
		}
		if n.Op.ID == id.BroadcastInDim && n.Outputs[0].Type.Shape.IsStatic() && isSplat(n.Inputs[0]) {
			splat := *n.Inputs[0].Node
			splat.Attrs = op.Attrs{"type": n.Outputs[0].Type, "value": splat.Attrs["value"]}
			splat.Origin, splat.Outputs = n.Origin, []*Value{{Type: n.Outputs[0].Type, Node: &splat}}
			spread[n.Outputs[0]] = splat.Outputs[0]
			b.Nodes[i] = &splat
		}
	}
	for i, v := range b.Results {
		if s := spread[v]; s != nil {
			b.Results[i] = s
		}
		used[b.Results[i]] = true
	}
	b.Sweep(used)
}

func isSplat(v *Value) bool { return v.Node != nil && v.Node.Op.Role == op.Uniform }
