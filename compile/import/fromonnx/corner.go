package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Exporters write x[..., 3] = y as ScatterND at all coordinates of that window. Where they
// are such, one update of a window stands for them.

// corner returns where in x a window lies, whose elements the coordinates list in their
// order and which updates replace; nil if they list something else.
func (n *node) corner(x, at, updates *dag.Value) []int64 {
	r := rank(at) - 1
	if r < 1 || extentOf(at, r) != int64(r) || r > rank(x) || n.mode() != op.ScatterSet || rank(updates) != rank(x) || !dims(updates)[:r].Same(dims(at)[:r]) {
		return nil
	}
	if list, ok := n.certain(at); ok {
		if start := boxed(wholes(list), dims(at)[:r], dims(x)); start != nil {
			return start
		}
	}
	columns := []*dag.Value{at}
	if r > 1 {
		if at.Node == nil || at.Node.Op.ID != id.Concatenate || at.Node.Attrs.Int("dim") != int64(r) {
			return nil
		}
		columns = at.Node.Inputs
	}
	start := make([]int64, rank(x))
	if len(columns) != r {
		return nil
	}
	for k, c := range columns {
		f, ok := n.column(c)
		switch size := dims(at)[k]; {
		case !ok || extentOf(c, r) != 1:
			return nil
		case f.along == k && size.Same(dims(x)[k]):
		case f.along < 0 && size.Same(shape.N(1)) && f.value >= 0:
			start[k] = f.value
		default:
			return nil
		}
	}
	return start
}

// boxed returns the first of coordinates that are those of a window of these sizes, within
// the sizes of x; nil if they are not.
func boxed(list []int64, sizes, x shape.Shape) []int64 {
	r := len(sizes)
	if len(list) == 0 || !sizes.IsStatic() {
		return nil
	}
	start := make([]int64, len(x))
	copy(start, list[:r])
	for k := range r {
		if start[k] < 0 && x[k].IsStatic() {
			start[k] += x[k].Size
		}
		if start[k] < 0 || !x[k].IsStatic() || start[k]+sizes[k].Size > x[k].Size {
			return nil
		}
	}
	place := make([]int64, r)
	for at := 0; at < len(list); at += r {
		for k := range r {
			if c := list[at+k]; c != start[k]+place[k] && c != start[k]+place[k]-x[k].Size {
				return nil
			}
		}
		for k := r - 1; k >= 0; k-- {
			if place[k]++; place[k] < sizes[k].Size {
				break
			}
			place[k] = 0
		}
	}
	return start
}

// extentOf returns size i of a value, or -1 for a named one.
func extentOf(v *dag.Value, i int) int64 {
	if d := dims(v)[i]; d.IsStatic() {
		return d.Size
	}
	return -1
}

// integers tell what integers a tensor has: with along, its elements are their own indices
// in that dimension, since those of the iota root are; else, with -1, all are one value.
type integers struct {
	along int
	value int64
	root  *dag.Value
}

// column returns what integers v has.
func (n *node) column(v *dag.Value) (f integers, ok bool) {
	if x, ok := n.same(v); ok {
		return integers{along: -1, value: x}, true
	}
	m := v.Node
	if m == nil {
		return f, false
	}
	switch m.Op.ID {
	case id.Iota:
		return integers{along: int(m.Attrs.Int("dim")), root: v}, true
	case id.Convert:
		if m.Inputs[0].Type.DType.IsInt() {
			return n.column(m.Inputs[0])
		}
	case id.BroadcastInDim, id.Reshape, id.Transpose:
		if f, ok = n.column(m.Inputs[0]); ok && f.along >= 0 {
			f.along, ok = carried(m, f.along)
		}
		return f, ok
	case id.Add, id.Multiply:
		neutral := int64(0)
		if m.Op.ID == id.Multiply {
			neutral = 1
		}
		for k, in := range m.Inputs {
			if x, ok := n.same(in); ok && x == neutral {
				return n.column(m.Inputs[1-k])
			}
		}
	}
	return f, false
}

// same returns the integer that every element of v is.
func (n *node) same(v *dag.Value) (int64, bool) {
	for v.Node != nil && (v.Node.Op.ID == id.BroadcastInDim || v.Node.Op.ID == id.Reshape) {
		v = v.Node.Inputs[0]
	}
	if v.Node != nil && v.Node.Op.ID == id.Splat {
		x := v.Node.Attrs.Float("value")
		return int64(x), x == float64(int64(x))
	}
	list := n.session.numbers(v)
	if len(list) == 0 {
		return 0, false
	}
	first, known := list[0].constant()
	for _, x := range list {
		c, also := x.constant()
		known = known && also && c == first
	}
	return first, known
}

// carried returns where in the result of a node a dimension of its operand is.
func carried(m *dag.Node, along int) (to int, ok bool) {
	in, out := dims(m.Inputs[0]), dims(m.Outputs[0])
	switch m.Op.ID {
	case id.Transpose:
		to = slices.Index(m.Attrs.Ints("permutation"), int64(along))
	case id.BroadcastInDim:
		to = int(m.Attrs.Ints("dims")[along])
	default:
		before := in[:along].Product()
		to = -1
		for i, d := range out {
			if d.Same(in[along]) && out[:i].Product().Same(before) {
				to = i
			}
		}
	}
	return to, to >= 0 && out[to].Same(in[along])
}

// overwritten returns x with a window replaced.
func (n *node) overwritten(x, updates *dag.Value, start []int64) *dag.Value {
	in := []*dag.Value{x, updates}
	for _, s := range start {
		in = append(in, n.splatOf(dtype.I64, float64(s)))
	}
	return n.add("dynamic_update_slice", nil, in...)
}
