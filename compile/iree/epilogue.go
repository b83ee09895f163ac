package iree

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// epilogue is what follows a convolution and its kernel does as well: the nodes have one
// user each, the next of them.
type epilogue struct {
	kernels.Epilogue
	bias  *dag.Value  // an element for each feature
	adds  bool        // whether the kernel can add a value like the result
	added *dag.Value  // that value, or nil
	nodes []*dag.Node // from the convolution to the one before the last
	last  *dag.Node   // whose result the kernel stores
}

// users are the nodes that read values, with the block that each is in.
type users map[*dag.Value][]user

type user struct {
	node  *dag.Node
	block *dag.Block
}

func readersOf(nodes []user) users {
	readers := users{}
	for _, u := range nodes {
		for _, v := range u.node.Inputs {
			readers[v] = append(readers[v], u)
		}
	}
	return readers
}

// inBlocks lists the nodes of a block and of those in it.
func inBlocks(b *dag.Block) (list []user) {
	for _, n := range b.Nodes {
		list = append(list, user{n, b})
		for _, inner := range n.Blocks {
			list = append(list, inBlocks(inner)...)
		}
	}
	return list
}

// epilogueOf returns what follows the result of n, whose uses are counted, up to a node that
// a kernel computes already.
func (k *kernelForm) epilogueOf(n *dag.Node, adds bool, readers users, uses map[*dag.Value]int, block *dag.Block) (epilogue, bool) {
	e := epilogue{last: n, adds: adds}
	for {
		v := e.last.Outputs[0]
		list := readers[v]
		if uses[v] != 1 || len(list) != 1 || list[0].block != block || v.Type.DType != dtype.F32 {
			break
		}
		next := list[0].node
		if _, computed := k.calls[next]; computed || !e.takes(next, v) {
			break
		}
		e.nodes = append(e.nodes, e.last)
		e.last = next
	}
	return e, e.last != n
}

// takes reports whether the kernel can do what a node does with v, and has it do so: a bias,
// then another value, then a leaky ReLU, then a lower limit, then an upper one.
func (e *epilogue) takes(n *dag.Node, v *dag.Value) bool {
	var other *dag.Value
	if len(n.Inputs) == 2 {
		other = n.Inputs[0]
		if other == v {
			other = n.Inputs[1]
		}
	}
	if n.Op.Terms == op.Addends && n.Op.Algebra&op.Commutative != 0 {
		return e.takesTerm(other, v)
	}
	if n.Op.ID == id.LeakyRelu {
		if e.Epilogue != (kernels.Epilogue{Bias: e.Bias}) {
			return false
		}
		e.Slope = kernels.Limit{Set: true, At: n.Attrs.Float("slope")}
		return true
	}
	limits, ok := limitsOf(n, other)
	low, high := !math.IsInf(limits.Low, -1), !math.IsInf(limits.High, 1)
	if !ok || e.High.Set || low && e.Low.Set {
		return false
	}
	if low {
		e.Low = kernels.Limit{Set: true, At: limits.Low}
	}
	if high {
		e.High = kernels.Limit{Set: true, At: limits.High}
	}
	return low || high
}

// takesTerm is takes for a sum of v and another value.
func (e *epilogue) takesTerm(other, v *dag.Value) bool {
	if e.Epilogue != (kernels.Epilogue{Bias: e.Bias}) || e.added != nil {
		return false
	}
	if !e.Bias {
		if e.bias, e.Bias = biasOf(other, v.Type.Shape); e.Bias {
			return true
		}
	}
	if !e.adds || other == v || other.Type.DType != dtype.F32 || !slices.Equal(other.Type.Shape, v.Type.Shape) {
		return false
	}
	e.added = other
	return true
}

// limitsOf returns the limits of a node's operand, which may follow from the number that all
// elements of the other one are.
func limitsOf(n *dag.Node, other *dag.Value) (op.Interval, bool) {
	if n.Op.Limits == nil {
		return op.Interval{}, false
	}
	r := op.Interval{}
	if other != nil {
		r = hlo.Interval(other, 4)
	}
	return n.Op.Limits(r.Low), r.Low == r.High && !r.NaN
}

// biasOf returns the value that v repeats along all dimensions of a convolution's result but
// the second.
func biasOf(v *dag.Value, of shape.Shape) (*dag.Value, bool) {
	n := v.Node
	if n == nil || n.Op.ID != id.BroadcastInDim || v.Type.DType != dtype.F32 {
		return nil, false
	}
	from := n.Inputs[0]
	for i, to := range n.Attrs.Ints("dims") {
		if to != 1 && from.Type.Shape[i] != shape.N(1) {
			return nil, false
		}
	}
	return from, from.Type.Shape.Product() == of[1]
}
