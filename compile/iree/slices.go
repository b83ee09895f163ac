package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// slicedWidenings finds the operands of products and convolutions that are slices of
// a tensor and were widened. Behind a barrier the operand is stored first.
func slicedWidenings(_ *target, p *hlo.Printer) map[*dag.Value]bool {
	type way struct{ narrow, sliced bool } // the values between
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
				w.narrow, w.sliced = w.narrow || from.narrow, w.sliced || from.sliced
			}
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
				if w := visit(v); w.narrow && w.sliced && v.Type.DType.Bits() >= 32 {
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
