package iree

import (
	"maps"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// copiedWidenings finds the operands of products and convolutions that were widened and
// that a kernel copies for itself: slices of a tensor, and what was computed with after
// the widening. Behind a barrier the operand is stored first.
func copiedWidenings(_ *target, p *hlo.Printer) map[*dag.Value]bool {
	type way struct{ narrow, sliced, computed bool } // the values between
	ways := map[*dag.Value]way{}
	var visit func(v *dag.Value) way
	visit = func(v *dag.Value) way {
		if w, ok := ways[v]; ok {
			return w
		}
		w := way{narrow: v.Type.DType.Bits() < 32 || v.Node != nil && v.Node.Op.ID == id.DequantizeBlocks}
		if isCopied(v) {
			w.sliced = v.Node.Op.Memory == op.Part
			for _, in := range v.Node.Inputs {
				from := visit(in)
				w.narrow, w.sliced, w.computed = w.narrow || from.narrow, w.sliced || from.sliced, w.computed || from.computed
			}
			w.computed = w.computed || w.narrow && v.Node.Op.Family == op.Elementwise && v.Node.Op.ID != id.Convert && v.Type.DType.Bits() >= 32
		}
		ways[v] = w
		return w
	}
	found := map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Family != op.Contraction && n.Op.Family != op.Convolution {
				return
			}
			for _, v := range n.Inputs {
				w := visit(v)
				if w.narrow && (w.sliced || w.computed) && v.Type.DType.Bits() >= 32 {
					found[v] = true
				}
			}
		})
	}
	return found
}

// widenedParts finds the parts of concatenations of dynamic sizes that were widened.
func widenedParts(_ *target, p *hlo.Printer) map[*dag.Value]bool {
	widened := map[*dag.Value]bool{}
	found := map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.ID == id.Concatenate && !n.Outputs[0].Type.Shape.IsStatic() {
				for _, v := range n.Inputs {
					if widened[v] {
						found[v] = true
					}
				}
			}
			for _, v := range n.Outputs {
				widened[v] = isCopied(v) && (slices.ContainsFunc(n.Inputs, func(in *dag.Value) bool { return widened[in] }) ||
					n.Op.ID == id.Convert && significant(n.Inputs[0].Type.DType) < significant(v.Type.DType))
			}
		})
	}
	return found
}

// reshapedElements finds slices of one element that are reshaped to more dimensions.
func reshapedElements(_ *target, p *hlo.Printer) map[*dag.Value]bool {
	found := map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Role != op.Moves || len(n.Inputs) != 1 {
				return
			}
			x := n.Inputs[0]
			from, to := x.Type.Shape, n.Outputs[0].Type.Shape
			if x.Node != nil && x.Node.Op.Memory == op.Part && from.Product().Size == 1 && to.Product().Size == 1 && to.Rank() > from.Rank() {
				found[x] = true
			}
		})
	}
	return found
}

// lonelyConstants finds the constants from which, and from indices, alone numbers are
// computed. Exports fold such values unless they are large.
func lonelyConstants(_ *target, p *hlo.Printer) map[*dag.Value]bool {
	made := map[*dag.Value]map[*dag.Value]bool{} // the constants that a value is made of
	found := map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		f.Body.Walk(func(n *dag.Node) {
			of := map[*dag.Value]bool{}
			for _, v := range n.Inputs {
				constants, ok := made[v]
				if !ok {
					return
				}
				maps.Copy(of, constants)
			}
			switch out := n.Outputs; {
			case n.Op.Role == op.Literal:
				of[out[0]] = true
			case n.Op.Role != op.Uniform && n.Op.Role != op.Counts && (len(out) != 1 || !isCopied(out[0])):
				return
			}
			made[n.Outputs[0]] = of
			for v := range of {
				if n.Op.Family == op.Elementwise && v.Type.Shape.Rank() > 0 {
					found[v] = true
				}
			}
		})
	}
	return found
}

// isCopied reports whether the compiler may recompute v where it is read.
func isCopied(v *dag.Value) bool {
	if v.Node == nil {
		return false
	}
	switch v.Node.Op.Family {
	case op.Elementwise, op.Layout:
		return true
	}
	return v.Node.Op.ID == id.DynamicSlice
}
