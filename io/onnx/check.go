package onnx

import (
	"maps"
	"slices"
	"strings"
)

// check lists the faults of a model that its messages alone do not show.
func (r *reader) check(m *Model) {
	r.scope(&m.Graph, nil, "")
	for i := range m.Functions {
		f := &m.Functions[i]
		s := &scope{made: map[string]bool{}}
		for _, in := range f.Inputs {
			s.made[in] = true
		}
		r.values(f.Values, f.Name)
		r.order(f.Nodes, s)
		for _, out := range f.Outputs {
			if out != "" && !s.has(out) {
				r.add(fail(CodeUndefined, f.At, "nothing in the function makes its output %q", out).On(f.Name))
			}
		}
		r.attributeTensors(f.Defaults)
	}
}

// scope is the values that nodes of a graph may use: its own and those of the graphs
// around it.
type scope struct {
	made  map[string]bool
	nodes []Node
	all   map[string]bool // what the nodes make, gathered for the first fault
	outer *scope
}

// later reports whether a node makes the value which is not made yet.
func (s *scope) later(name string) bool {
	for ; s != nil; s = s.outer {
		if s.all == nil {
			s.all = outputs(s.nodes)
		}
		if s.all[name] {
			return true
		}
	}
	return false
}

func (s *scope) has(name string) bool {
	for ; s != nil; s = s.outer {
		if s.made[name] {
			return true
		}
	}
	return false
}

// scope checks a graph; place is the node that it belongs to.
func (r *reader) scope(g *Graph, outer *scope, place string) {
	s := &scope{made: map[string]bool{}, outer: outer}
	for i := range g.Inputs {
		r.define(s, g.Inputs[i].Name, g.Inputs[i].At, "two inputs have the name %q", place)
	}
	stored := map[string]bool{}
	initializer := func(t *Tensor, name string) {
		if stored[name] {
			r.add(fail(CodeDuplicate, t.At, "two initializers have this name").On(t.Name))
		}
		stored[name], s.made[name] = true, true // an input of the name may be given in its place
		r.name(name, t.At)
	}
	for i := range g.Initializers {
		t := &g.Initializers[i]
		initializer(t, t.Name)
		r.add(t.check())
	}
	for i := range g.Sparse {
		initializer(&g.Sparse[i].Values, g.Sparse[i].Name)
		r.sparseTensor(&g.Sparse[i])
	}
	for _, list := range [][]ValueInfo{g.Inputs, g.Outputs, g.Values} {
		r.values(list, place)
	}
	r.order(g.Nodes, s)
	for _, o := range g.Outputs {
		if !s.has(o.Name) {
			r.add(fail(CodeUndefined, o.At, "nothing makes the output %q of the graph", o.Name).On(place))
		}
	}
}

// define adds a value to its graph.
func (r *reader) define(s *scope, name string, at int64, twice, place string) {
	if s.made[name] {
		r.add(fail(CodeDuplicate, at, twice, name).On(place))
	}
	s.made[name] = true
	r.name(name, at)
}

// name checks the name of a value.
func (r *reader) name(name string, at int64) {
	switch {
	case name == "":
		r.add(fail(CodeName, at, "a value has no name"))
	case strings.ContainsRune(name, 0):
		r.add(fail(CodeName, at, "the name %q has a NUL", name))
	}
}

// order checks that each value is made before it is used, and once.
func (r *reader) order(nodes []Node, s *scope) {
	arrange(nodes, s)
	s.nodes = nodes
	circle := map[string]bool{} // values of faults
	for i := range nodes {
		n := &nodes[i]
		for _, in := range n.Inputs {
			if in == "" || s.has(in) {
				continue
			}
			if s.later(in) {
				r.add(fail(CodeOrder, n.At, "the node uses %q, which needs the node's own output: the graph is a circle, or stands behind one", in).On(n.Place()).
					Hint("the file is damaged: a loop is a node Loop or Scan, not a circle of nodes"))
			} else {
				r.add(fail(CodeUndefined, n.At, "nothing makes %q, an input of the node", in).On(n.Place()))
			}
			s.made[in], circle[in] = true, true // named once
		}
		r.attributeTensors(n.Attributes)
		for _, name := range slices.Sorted(maps.Keys(n.Attributes)) {
			a := n.Attributes[name]
			if a.Graph != nil {
				r.scope(a.Graph, s, n.Place())
			}
			for i := range a.Graphs {
				r.scope(&a.Graphs[i], s, n.Place())
			}
		}
		for _, out := range n.Outputs {
			if out != "" && !circle[out] {
				r.define(s, out, n.At, "another node, input or initializer makes %q too", n.Place())
			}
		}
	}
}

func outputs(nodes []Node) map[string]bool {
	all := map[string]bool{}
	for i := range nodes {
		for _, o := range nodes[i].Outputs {
			all[o] = true
		}
	}
	return all
}

// attributeTensors checks the tensors of attributes.
func (r *reader) attributeTensors(all map[string]Attribute) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		a := all[name]
		if a.Tensor != nil {
			r.add(a.Tensor.check())
		}
		for i := range a.Tensors {
			r.add(a.Tensors[i].check())
		}
		if a.Sparse != nil {
			r.sparseTensor(a.Sparse)
		}
	}
}

// sparseTensor checks the elements, and that there is an index for each.
func (r *reader) sparseTensor(s *SparseTensor) {
	r.add(s.Values.check())
	r.add(s.Indices.check())
	whole := Tensor{Name: s.Name, Key: s.Values.Key, Dims: s.Dims, At: s.Values.At}
	_, err := whole.count()
	r.add(err)
	places := s.Indices.Dims
	if len(s.Values.Dims) != 1 || len(places) == 0 || len(places) > 2 || places[0] != s.Values.Dims[0] || len(places) == 2 && places[1] != int64(len(s.Dims)) {
		r.add(s.Values.wrong("%d values of a sparse tensor of shape %d have indices of shape %d", s.Values.Dims, s.Dims, places))
	}
}

// values checks the shapes that a file gives for values.
func (r *reader) values(list []ValueInfo, place string) {
	for i := range list {
		v := &list[i]
		if len(v.Shape) > MaxRank {
			r.add(fail(CodeLimit, v.At, "%q has %d dimensions, the limit is %d", v.Name, len(v.Shape), MaxRank).On(place))
			continue
		}
		n := int64(1)
		for _, d := range v.Shape {
			if !d.Known || d.Size == 0 {
				continue
			}
			if n > maxElement/d.Size {
				r.add(fail(CodeShape, v.At, "%q of shape %s has too many elements", v.Name, v.Shape).On(place))
				break
			}
			n *= d.Size
		}
	}
}
