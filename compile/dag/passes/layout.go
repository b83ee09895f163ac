package passes

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Layout removes and merges operations that only move elements, or have none. All of its
// rules are exact, since no number is computed; products keep their order
// of summation.
func Layout(g *dag.Graph) { fixpoint(g, layout) }

var layout = table(nothingRules, layoutRules, windowRules)

var layoutRules = []rule{
	{on(id.Transpose), "a permutation of a permutation is one permutation", func(e *editor, n *dag.Node) []*dag.Value {
		inner := made(n.Inputs[0], id.Transpose)
		if inner == nil {
			return nil
		}
		perm := through(inner.Attrs.Ints("permutation"), n.Attrs.Ints("permutation"))
		if isIdentity(perm) {
			return one(inner.Inputs[0])
		}
		return one(e.add("transpose", n.Origin, op.Attrs{"permutation": perm}, inner.Inputs[0]))
	}},
	{on(id.Transpose), "the permutation keeps every dimension in its place", func(e *editor, n *dag.Node) []*dag.Value {
		if isIdentity(n.Attrs.Ints("permutation")) {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.Transpose), "only dimensions of size 1 change their place, so that the elements keep their order: a reshape, which moves nothing", func(e *editor, n *dag.Node) []*dag.Value {
		x := n.Inputs[0].Type.Shape
		if !x.IsStatic() {
			return nil
		}
		last := int64(-1)
		for _, d := range n.Attrs.Ints("permutation") {
			if x[d].Size == 1 {
				continue
			}
			if d < last {
				return nil
			}
			last = d
		}
		return one(reshaped(e, n, n.Inputs[0]))
	}},
	{on(id.Reshape), "the second shape is the one that counts", func(e *editor, n *dag.Node) []*dag.Value {
		if inner := made(n.Inputs[0], id.Reshape); inner != nil {
			return one(e.add("reshape", n.Origin, n.Attrs, inner.Inputs[0]))
		}
		return nil
	}},
	{on(id.Reshape), "the shape is the one that x has", func(e *editor, n *dag.Node) []*dag.Value {
		if known(n.Outputs[0].Type.Shape) && n.Outputs[0].Type.Equal(n.Inputs[0].Type) {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.BroadcastInDim), "nothing is repeated", func(e *editor, n *dag.Node) []*dag.Value {
		if known(n.Outputs[0].Type.Shape) && n.Outputs[0].Type.Equal(n.Inputs[0].Type) {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.BroadcastInDim), "what is repeated twice is repeated once, along both", func(e *editor, n *dag.Node) []*dag.Value {
		inner := made(n.Inputs[0], id.BroadcastInDim)
		if inner == nil {
			return nil
		}
		attrs := op.Attrs{"sizes": n.Attrs["sizes"], "dims": through(n.Attrs.Ints("dims"), inner.Attrs.Ints("dims"))}
		return one(e.add("broadcast_in_dim", n.Origin, attrs, inner.Inputs[0]))
	}},
	{on(id.DotGeneral), "a product names its dimensions, so it can take x where it is given a permutation of x, if the remaining dimensions of x are in the wanted order", func(e *editor, n *dag.Node) []*dag.Value {
		for side, name := range []string{"lhs", "rhs"} {
			if y := untransposed(e, n, side, name); y != nil {
				return one(y)
			}
		}
		return nil
	}},
}

// untransposed returns the product n without the transpose of an operand.
// Batching dimensions must stay leading: compilers handle such products directly
// and copy the operands of others.
func untransposed(e *editor, n *dag.Node, side int, name string) *dag.Value {
	t := made(n.Inputs[side], id.Transpose)
	if t == nil {
		return nil
	}
	perm := t.Attrs.Ints("permutation")
	batching := through(perm, n.Attrs.Ints(name+"_batching"))
	contracting := through(perm, n.Attrs.Ints(name+"_contracting"))
	last := int64(-1)
	for i, d := range perm {
		switch {
		case slices.Contains(batching, d):
			if int64(i) != d {
				return nil
			}
		case !slices.Contains(contracting, d):
			if d < last {
				return nil
			}
			last = d
		}
	}
	attrs := with(with(n.Attrs, name+"_batching", batching), name+"_contracting", contracting)
	in := slices.Clone(n.Inputs)
	in[side] = t.Inputs[0]
	return e.add("dot_general", n.Origin, attrs, in...)
}

// through returns outer[i] for each i of inner; never nil.
func through(outer, inner []int64) []int64 {
	list := make([]int64, len(inner))
	for i, d := range inner {
		list[i] = outer[d]
	}
	return list
}

func isIdentity(perm []int64) bool {
	for i, d := range perm {
		if int64(i) != d {
			return false
		}
	}
	return true
}

// reshaped returns x with the shape of n's result, which is static.
func reshaped(e *editor, n *dag.Node, x *dag.Value) *dag.Value {
	to := n.Outputs[0].Type
	if !to.Shape.IsStatic() || !x.Type.Shape.IsStatic() {
		return nil
	}
	if x.Type.Equal(to) {
		return x
	}
	return e.add("reshape", n.Origin, op.Attrs{"sizes": to.Shape.Sizes()}, x)
}

// known reports whether two equal shapes have the same sizes: a dynamic dimension
// without a name equals nothing, not even itself.
func known(s shape.Shape) bool {
	for _, d := range s {
		if d.Size == shape.Dynamic && d.Name == "" {
			return false
		}
	}
	return true
}

// whole reports whether a node's result has the size of its operand in
// every dimension.
func whole(from, to tensor.Type) bool { return from.Shape.IsStatic() && from.Equal(to) }
