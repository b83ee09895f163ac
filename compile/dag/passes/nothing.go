package passes

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// nothingRules are for tensors with a dimension of size 0. Compilers often remove such
// operations late, when the memory of the operands has already been assigned.
var nothingRules = []rule{
	{(*op.Op).MakesValues, "a value of no elements has no number that could differ", func(e *editor, n *dag.Node) []*dag.Value {
		if len(n.Outputs) != 1 || !n.Outputs[0].Type.Shape.IsStatic() || !empty(n.Outputs[0]) {
			return nil
		}
		return one(e.splat(n, 0))
	}},
	{on(id.Concatenate), "a part of no elements adds none", func(e *editor, n *dag.Node) []*dag.Value {
		parts := slices.DeleteFunc(slices.Clone(n.Inputs), empty)
		if len(parts) == len(n.Inputs) || len(parts) == 0 {
			return nil
		}
		return one(e.add("concatenate", n.Origin, n.Attrs, parts...))
	}},
	{updates, "an update by no elements changes nothing", unchanged},
	{on(id.Scatter), "neither does one at no place", unchanged},
}

// updates matches operations that replace elements of their first operand.
func updates(o *op.Op) bool { return o.Memory == op.Updates }

// unchanged returns the first operand if another has no elements.
func unchanged(_ *editor, n *dag.Node) []*dag.Value {
	if slices.ContainsFunc(n.Inputs[1:], empty) {
		return one(n.Inputs[0])
	}
	return nil
}

// empty reports whether v has no elements, whatever its dynamic sizes are.
func empty(v *dag.Value) bool {
	return slices.ContainsFunc(v.Type.Shape, func(d shape.Dim) bool { return d.Size == 0 })
}
