package fromonnx

import (
	"maps"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// Limits of functions that call each other.
const (
	deepestCall = 64
	mostNodes   = 1 << 20 // of all graphs, as often as they are added
	mostAdded   = 1 << 17 // operations that one node of the model's own graph becomes
)

// function returns the function of the model that a node calls, or nil.
func (s *session) called(n *onnx.Node) *onnx.Function {
	if s.functions == nil {
		s.functions = map[[3]string]*onnx.Function{}
		for i := range s.model.Functions {
			f := &s.model.Functions[i]
			s.functions[[3]string{f.Domain, f.Name, f.Overload}] = f
		}
	}
	return s.functions[[3]string{n.Domain, n.Op, n.Overload}]
}

// expansion counts nodes with those of functions in place of the calls, at most one more
// than mostNodes.
type expansion struct {
	functions map[[3]string]*onnx.Function
	counts    map[*onnx.Function]int // 0 while one is counted: a call in a circle is refused later
}

func newExpansion(m *onnx.Model) *expansion {
	x := &expansion{map[[3]string]*onnx.Function{}, map[*onnx.Function]int{}}
	for i := range m.Functions {
		f := &m.Functions[i]
		x.functions[[3]string{f.Domain, f.Name, f.Overload}] = f
	}
	return x
}

func (x *expansion) nodes(list []onnx.Node) int {
	count := 0
	for i := range list {
		n := &list[i]
		count++
		for _, a := range n.Attributes {
			if a.Graph != nil {
				count += x.nodes(a.Graph.Nodes)
			}
		}
		if f := x.functions[[3]string{n.Domain, n.Op, n.Overload}]; f != nil && rules[operator(n)] == nil {
			of, known := x.counts[f]
			if !known {
				x.counts[f] = 0
				of = x.nodes(f.Nodes)
				x.counts[f] = of
			}
			count += of
		}
		if count > mostNodes {
			return mostNodes + 1
		}
	}
	return count
}

// inlined adds the nodes of a function for a node that calls it.
func (n *node) inlined(f *onnx.Function) []*dag.Value {
	depth := 1
	for at := n.env; at != nil; at = at.outer {
		depth += at.calls
	}
	if depth > deepestCall {
		n.refuse("functions that call each other more than %d deep", deepestCall)
	}
	e := &env{
		session: n.session, b: n.b, opset: n.opset, values: map[string]*dag.Value{}, lists: map[string]*list{},
		scope: n.at, at: n.at, calls: depth, absent: map[string]bool{}, attributes: map[string]onnx.Attribute{},
	}
	if v, ok := f.Opsets[""]; ok {
		e.opset = v
	}
	for i, name := range f.Inputs {
		if n.has(i) {
			e.bind(name, n.given(i))
		} else {
			e.absent[name] = true
		}
	}
	maps.Copy(e.attributes, f.Defaults)
	for _, name := range f.Attributes {
		if a, ok := n.Attributes[name]; ok {
			e.attributes[name] = a
		}
	}
	for name := range f.Defaults {
		if a, ok := n.Attributes[name]; ok {
			e.attributes[name] = a
		}
	}
	e.convertNodes(&onnx.Graph{Nodes: f.Nodes}, f.Outputs)
	out := make([]*dag.Value, len(n.Outputs))
	for i := range out {
		if i >= len(f.Outputs) || n.Outputs[i] == "" {
			continue
		}
		t := e.lookup(f.Outputs[i])
		if t.value == nil && t.list == nil {
			n.refuse("the output %q of the function %s, which no node makes", f.Outputs[i], f.Name)
		}
		out[i] = n.gives(i, t)
	}
	return out
}

// resolved returns a node whose attributes that refer to those of a function are what the
// call of it gives.
func (e *env) resolved(n *onnx.Node) *onnx.Node {
	refers := false
	for _, a := range n.Attributes {
		refers = refers || a.Ref != ""
	}
	if !refers {
		return n
	}
	own := *n
	own.Attributes = map[string]onnx.Attribute{}
	for name, a := range n.Attributes {
		if a.Ref == "" {
			own.Attributes[name] = a
			continue
		}
		for at := e; at != nil; at = at.outer {
			if given, ok := at.attributes[a.Ref]; ok {
				own.Attributes[name] = given
				break
			}
		}
	}
	return &own
}
