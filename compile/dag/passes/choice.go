package passes

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// choiceRules are the rules of Simplify for selections, bits and conversions.
var choiceRules = []rule{
	{on(id.Select), "both branches are one value", func(e *editor, n *dag.Node) []*dag.Value {
		if n.Inputs[1] == n.Inputs[2] {
			return one(n.Inputs[1])
		}
		return nil
	}},
	{on(id.Select), "the condition is one constant", func(e *editor, n *dag.Node) []*dag.Value {
		c, ok := truthOf(n.Inputs[0])
		switch {
		case !ok:
			return nil
		case c:
			return one(n.Inputs[1])
		}
		return one(n.Inputs[2])
	}},
	{on(id.Select), "not c ? a : b = c ? b : a", func(e *editor, n *dag.Node) []*dag.Value {
		if c := made(n.Inputs[0], id.Not); c != nil {
			return one(e.add("select", n.Origin, nil, c.Inputs[0], n.Inputs[2], n.Inputs[1]))
		}
		return nil
	}},
	{obeying(op.Selects), "f(x, x) = x, NaN included", func(e *editor, n *dag.Node) []*dag.Value {
		if n.Inputs[0] == n.Inputs[1] {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.And), "x and true = x, x and false = false; of integers with all bits or none", func(e *editor, n *dag.Node) []*dag.Value {
		if x := besides(n, func(c float64) bool { return c == allBits(n) }); x != nil {
			return x
		}
		return absorbed(n, isZero)
	}},
	{on(id.Or), "x or false = x, x or true = true; of integers with no bits or all", func(e *editor, n *dag.Node) []*dag.Value {
		if x := besides(n, isZero); x != nil {
			return x
		}
		return absorbed(n, func(c float64) bool { return c == allBits(n) })
	}},
	{on(id.Xor), "x xor false = x; of integers with no bits", func(e *editor, n *dag.Node) []*dag.Value {
		return besides(n, isZero)
	}},
	{on(id.Convert), "a conversion to the type that x has", func(e *editor, n *dag.Node) []*dag.Value {
		if n.Attrs.DType("dtype") == n.Inputs[0].Type.DType {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.Convert), "a second conversion sees the same number after a first one to a type that holds every value of x", func(e *editor, n *dag.Node) []*dag.Value {
		inner := made(n.Inputs[0], id.Convert)
		if inner == nil || !inner.Outputs[0].Type.DType.Holds(inner.Inputs[0].Type.DType) {
			return nil
		}
		x := inner.Inputs[0]
		// A value out of range of the last type saturates if converted from a float,
		// and wraps if converted from an integer.
		if to := n.Outputs[0].Type.DType; to.IsInt() && inner.Outputs[0].Type.DType.IsFloat() && !x.Type.DType.IsFloat() && !to.Holds(x.Type.DType) {
			return nil
		}
		if x.Type.Equal(n.Outputs[0].Type) {
			return one(x)
		}
		return one(e.add("convert", n.Origin, op.Attrs{"dtype": n.Attrs.DType("dtype")}, x))
	}},
}

// absorbed returns the operand that is a splat of a value that ok accepts, which is
// the result whatever the other operand is.
func absorbed(n *dag.Node, ok func(c float64) bool) []*dag.Value {
	for _, v := range n.Inputs {
		if c, is := splatOf(v); is && ok(c) {
			return one(v)
		}
	}
	return nil
}

// truthOf returns the value of a bool tensor that is a splat.
func truthOf(v *dag.Value) (value, ok bool) {
	if c, is := splatOf(v); is {
		return c != 0, true
	}
	n := made(v, id.Constant)
	if n == nil || v.Type.DType != dtype.Bool || len(n.Attrs.Value("value").Bytes) == 0 {
		return false, false
	}
	b := n.Attrs.Value("value").Bytes
	for _, x := range b {
		if (x != 0) != (b[0] != 0) {
			return false, false
		}
	}
	return b[0] != 0, true
}

// allBits returns true, or the integer of n's type with all bits set; NaN,
// which equals nothing, if a float64 cannot represent it.
func allBits(n *dag.Node) float64 {
	d := n.Outputs[0].Type.DType
	switch {
	case d == dtype.Bool:
		return 1
	case d.IsSigned():
		return -1
	case d.Bits() <= 32:
		return math.Ldexp(1, d.Bits()) - 1
	}
	return math.NaN()
}
