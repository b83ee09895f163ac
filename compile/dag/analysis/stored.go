package analysis

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

// Stored finds the tensors that bytes come from: through operations that move elements or
// only read their bits as another type, through blocks, calls and state variables.
type Stored struct {
	funcs  map[string]*dag.Func
	within map[*dag.Value]*dag.Func // the function of an argument
	loops  map[*dag.Value]*dag.Node // the loop of an argument of its blocks
	calls  map[*dag.Func][]*dag.Node
	writes map[string][]*dag.Value     // by state variable
	passed map[*dag.Value]map[int]bool // the arguments that a function's result comes from
}

// NewStored prepares questions about g.
func NewStored(g *dag.Graph) *Stored {
	s := &Stored{
		map[string]*dag.Func{}, map[*dag.Value]*dag.Func{}, map[*dag.Value]*dag.Node{},
		map[*dag.Func][]*dag.Node{}, map[string][]*dag.Value{}, map[*dag.Value]map[int]bool{},
	}
	for _, f := range g.Funcs {
		s.funcs[f.Name] = f
		for _, v := range f.Body.Args {
			s.within[v] = f
		}
		for _, w := range f.Writes {
			s.writes[w.State] = append(s.writes[w.State], w.Value)
		}
	}
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			switch n.Op.Role {
			case op.Loops:
				for _, b := range n.Blocks {
					for _, v := range b.Args {
						s.loops[v] = n
					}
				}
			case op.Calls:
				if callee := s.callee(n); callee != nil {
					s.calls[callee] = append(s.calls[callee], n)
				}
			}
		})
	}
	return s
}

func (s *Stored) callee(n *dag.Node) *dag.Func { return s.funcs[n.Attrs.String("function")] }

// place is a value on the way back. One that was reached from a caller's result leads to
// that caller's operands alone, which were visited there.
type place struct {
	v      *dag.Value
	inside bool
}

// Trail is a walk back, from any number of values.
type Trail struct {
	*Stored
	seen map[place]bool
}

// Trail returns one that has been nowhere.
func (s *Stored) Trail() Trail { return Trail{s, map[place]bool{}} }

// Walk visits v and each value that its bytes come from, unless the trail came by before,
// in an order that depends on the graph alone; scalars, which fill or pad, are no stored
// bytes.
func (s Trail) Walk(v *dag.Value, visit func(v *dag.Value)) {
	for todo := []place{{v, false}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.seen[at] || at.v.Type.Shape.Rank() == 0 {
			continue
		}
		s.seen[at] = true
		visit(at.v)
		var next []place
		add := func(inside bool, vs ...*dag.Value) {
			for _, v := range vs {
				next = append(next, place{v, inside})
			}
		}
		add(at.inside, s.from(at.v)...)
		switch n := at.v.Node; {
		case n == nil && !at.inside:
			if f := s.within[at.v]; f != nil {
				for _, call := range s.calls[f] {
					add(false, call.Inputs[at.v.Port])
				}
			}
		case n != nil && n.Op.Role == op.Calls && s.callee(n) != nil:
			add(true, s.callee(n).Body.Results[at.v.Port])
		case n != nil && n.Op.Role == op.Variable:
			add(false, s.writes[n.Attrs.String("name")]...)
		}
		for i := len(next) - 1; i >= 0; i-- { // the first operand first
			todo = append(todo, next[i])
		}
	}
}

// from returns the values of the same function that the bytes of v come from.
func (s *Stored) from(v *dag.Value) []*dag.Value {
	n := v.Node
	if n == nil {
		loop := s.loops[v]
		if loop == nil {
			return nil
		}
		return []*dag.Value{loop.Inputs[v.Port], loop.Blocks[1].Results[v.Port]}
	}
	var out []*dag.Value
	switch n.Op.Role {
	case op.Moves:
		for i, in := range n.Inputs {
			if n.Op.OperandAt(i).Class&op.Float != 0 { // indices and conditions have other classes
				out = append(out, in)
			}
		}
	case op.Converts:
		if in := n.Inputs[0]; isByte(in) && isByte(v) {
			out = append(out, in)
		}
	case op.Loops:
		out = append(out, n.Inputs[v.Port], n.Blocks[1].Results[v.Port])
	case op.Chooses:
		for _, b := range n.Blocks {
			out = append(out, b.Results[v.Port])
		}
	case op.Calls:
		if callee := s.callee(n); callee != nil {
			for i, in := range n.Inputs {
				if s.through(callee.Body.Results[v.Port])[i] {
					out = append(out, in)
				}
			}
		}
	}
	return out
}

// through returns the arguments that a function's result comes from.
func (s *Stored) through(result *dag.Value) map[int]bool {
	if known := s.passed[result]; known != nil {
		return known
	}
	args, seen := map[int]bool{}, map[*dag.Value]bool{}
	s.passed[result] = args
	for todo := []*dag.Value{result}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if s.within[v] != nil {
			args[v.Port] = true
		}
		todo = append(todo, s.from(v)...)
	}
	return args
}

func isByte(v *dag.Value) bool { return v.Type.DType.IsInt() && v.Type.DType.Bits() == 8 }
