package passes

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// windowRules are the rules of Layout for slices and pads.
var windowRules = []rule{
	{on(id.Slice), "every element is taken", func(e *editor, n *dag.Node) []*dag.Value {
		if whole(n.Inputs[0].Type, n.Outputs[0].Type) {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.Slice), "a part of a part is one part", func(e *editor, n *dag.Node) []*dag.Value {
		inner := made(n.Inputs[0], id.Slice)
		if inner == nil || !inner.Inputs[0].Type.Shape.IsStatic() {
			return nil
		}
		start, strides := slices.Clone(n.Attrs.Ints("start")), slices.Clone(n.Attrs.Ints("strides"))
		limit := slices.Clone(n.Attrs.Ints("limit"))
		for i := range start {
			first, step := inner.Attrs.Ints("start")[i], inner.Attrs.Ints("strides")[i]
			if n.Outputs[0].Type.Shape[i].Size == 0 || strides[i] > 1<<31 || step > 1<<31 {
				return nil
			}
			last := start[i] + (n.Outputs[0].Type.Shape[i].Size-1)*strides[i]
			start[i], limit[i], strides[i] = first+start[i]*step, first+last*step+1, strides[i]*step
		}
		return one(e.add("slice", n.Origin, op.Attrs{"start": start, "limit": limit, "strides": strides}, inner.Inputs[0]))
	}},
	{on(id.Concatenate), "one tensor alone", func(e *editor, n *dag.Node) []*dag.Value {
		if len(n.Inputs) == 1 {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.Pad), "nothing is added", func(e *editor, n *dag.Node) []*dag.Value {
		if isZeros(n.Attrs.Ints("low")) && isZeros(n.Attrs.Ints("high")) {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.Reverse), "no dimension, or none of more than one element, is turned round", func(e *editor, n *dag.Node) []*dag.Value {
		for _, d := range n.Attrs.Ints("dims") {
			if size := n.Inputs[0].Type.Shape[d].Size; size != 0 && size != 1 {
				return nil
			}
		}
		return one(n.Inputs[0])
	}},
	{on(id.Reverse), "turned round twice", func(e *editor, n *dag.Node) []*dag.Value {
		inner := made(n.Inputs[0], id.Reverse)
		if inner != nil && slices.Equal(sorted(n.Attrs.Ints("dims")), sorted(inner.Attrs.Ints("dims"))) {
			return one(inner.Inputs[0])
		}
		return nil
	}},
}

func isZeros(list []int64) bool {
	return !slices.ContainsFunc(list, func(x int64) bool { return x != 0 })
}

func sorted(list []int64) []int64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
