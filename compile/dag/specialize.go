package dag

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// IsStatic reports whether every size in f is static, not considering callees.
func (f *Func) IsStatic() bool {
	static := true
	for _, v := range f.Body.Args {
		static = static && v.Type.Shape.IsStatic()
	}
	return static // sizes come from nowhere else
}

// Bind returns the sizes of the names in f's arguments for arguments of these
// static types.
func (f *Func) Bind(types ...tensor.Type) (map[string]int64, error) {
	if len(types) != len(f.Body.Args) {
		return nil, errs.New(CodeArgs, "got %d arguments, want %d", len(types), len(f.Body.Args)).On(f.Name)
	}
	args := make([]shape.Argument, len(types))
	for i, v := range f.Body.Args {
		name := fmt.Sprint(i)
		if i < len(f.Args) {
			name = f.Args[i]
		}
		if types[i].DType != v.Type.DType || !types[i].Shape.IsStatic() {
			return nil, errs.New(CodeArgs, "argument %q is %s, want %s", name, types[i], v.Type).On(f.Name)
		}
		args[i] = shape.Argument{Name: name, Want: v.Type.Shape, Given: types[i].Shape}
	}
	sizes, err := shape.Bind(args...)
	return sizes, at(err, f.Name)
}

// Specialize returns the graph of the entry point and its callees for
// arguments of these static types: every size in it is static, and every node has
// passed shape inference again. g is not changed; both share constants.
//
// Sizes that a call may not have are SHAPE_SIZES; sizes that an operation rejects
// are its OP_* error.
func Specialize(g *Graph, entry string, types ...tensor.Type) (*Graph, error) {
	s, _, err := SpecializeFrom(g, entry, types...)
	return s, err
}

// SpecializeFrom is like Specialize, and also maps each value of the new graph
// to its value in g.
func SpecializeFrom(g *Graph, entry string, types ...tensor.Type) (*Graph, map[*Value]*Value, error) {
	f, err := g.Func(entry)
	if err != nil {
		return nil, nil, err
	}
	s := &specializer{
		from: g, to: &Graph{Name: g.Name, States: g.States, Mesh: g.Mesh},
		funcs: map[string]*Func{}, names: map[string]bool{}, origins: map[*Value]*Value{},
	}
	if _, err := s.function(f, types); err != nil {
		return nil, nil, err
	}
	s.to.Mesh = g.Mesh.Within(s.to)
	return s.to, s.origins, Verify(s.to)
}

type specializer struct {
	from, to *Graph
	funcs    map[string]*Func // by name and types of arguments
	names    map[string]bool  // in use in to
	origins  map[*Value]*Value
}

// body is a function being built.
type body struct {
	*specializer
	sizes  map[string]int64
	values map[*Value]*Value
}

func (s *specializer) function(f *Func, types []tensor.Type) (*Func, error) {
	if made := s.funcs[f.Name+fmt.Sprint(types)]; made != nil {
		return made, nil
	}
	sizes, err := f.Bind(types...)
	if err != nil {
		return nil, err
	}
	return s.bound(f, types, sizes)
}

// bound adds f with numbers in place of the names in sizes.
func (s *specializer) bound(f *Func, types []tensor.Type, sizes map[string]int64) (*Func, error) {
	b := &body{s, sizes, map[*Value]*Value{}}
	block, err := b.block(f.Body, types)
	if err != nil {
		return nil, err
	}
	name := f.Name
	for i := 2; s.names[name]; i++ { // a callee may be called with different sizes
		name = fmt.Sprintf("%s_%d", f.Name, i)
	}
	made := &Func{Name: name, Entry: f.Entry, Args: f.Args, Results: f.Results, Body: block}
	for from, to := range b.values {
		s.origins[to] = from
	}
	for _, w := range f.Writes {
		made.Writes = append(made.Writes, Write{w.State, b.values[w.Value]})
	}
	s.funcs[f.Name+fmt.Sprint(types)], s.names[name] = made, true
	s.to.Funcs = append(s.to.Funcs, made)
	return made, nil
}

func (b *body) block(from *Block, types []tensor.Type) (*Block, error) {
	to := &Block{}
	for i, v := range from.Args {
		b.values[v] = to.AddArg(types[i])
	}
	for _, n := range from.Nodes {
		made, err := b.node(to, n)
		if err != nil {
			return nil, err
		}
		for i, v := range n.Outputs {
			b.values[v] = made.Outputs[i]
		}
	}
	to.Results = b.all(from.Results)
	return to, nil
}

func (b *body) all(vs []*Value) []*Value {
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = b.values[v]
	}
	return out
}

func (b *body) node(to *Block, n *Node) (*Node, error) {
	made, err := b.made(to, n)
	if err == nil {
		made.Origin = n.Origin
	}
	return made, err
}

func (b *body) made(to *Block, n *Node) (*Node, error) {
	in := b.all(n.Inputs)
	blocks := make([]*Block, len(n.Blocks))
	for i, inner := range n.Blocks {
		var err error
		var args []tensor.Type
		if n.Op.Role == op.Loops {
			args = types(in)
		}
		if blocks[i], err = b.block(inner, args); err != nil {
			return nil, err
		}
	}
	switch n.Op.Role {
	case op.Loops:
		return to.AddWhile(n.Path, blocks[0], blocks[1], in...)
	case op.Chooses:
		return to.AddCond(n.Path, blocks[0], blocks[1], in[0])
	case op.Calls:
		callee, err := b.from.Func(n.Attrs.String("function"))
		if err != nil {
			return nil, err
		}
		made, err := b.function(callee, types(in))
		if err != nil {
			return nil, err
		}
		return to.AddCall(n.Path, made, in...)
	}
	attrs, err := b.attrs(n)
	if err != nil {
		return nil, at(err, n.Path)
	}
	return to.AddAt(n.Origin, n.Op.Name, attrs, in...)
}

// attrs returns the attributes of n with numbers instead of names.
func (b *body) attrs(n *Node) (op.Attrs, error) {
	out := op.Attrs{}
	for name, v := range n.Attrs {
		out[name] = v
		switch v := v.(type) {
		case shape.Shape:
			s, err := v.Bind(b.sizes)
			if err != nil {
				return nil, err
			}
			out[name] = slices.Clone(s)
		case tensor.Type:
			s, err := v.Shape.Bind(b.sizes)
			if err != nil {
				return nil, err
			}
			out[name] = tensor.Type{DType: v.DType, Shape: s}
		}
	}
	return out, nil
}
