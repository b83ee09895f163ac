package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// transposedProducts finds the transposed results of products that a reduction or a
// norm reads, as in models that mix tokens (//toolchains/iree/matrix, transposed_norm).
// Behind a barrier the transposed result is stored first.
func transposedProducts(_ *target, p *hlo.Printer) map[*dag.Value]bool {
	products := map[*dag.Value]bool{}
	var product func(v *dag.Value) bool
	product = func(v *dag.Value) bool {
		if known, ok := products[v]; ok {
			return known
		}
		is := v.Node != nil && v.Node.Op.Family == op.Contraction
		if isCopied(v) {
			for _, in := range v.Node.Inputs {
				is = product(in) || is
			}
		}
		products[v] = is
		return is
	}
	found, seen := map[*dag.Value]bool{}, map[*dag.Value]bool{}
	var visit func(v *dag.Value)
	visit = func(v *dag.Value) {
		if seen[v] || !isCopied(v) {
			return
		}
		seen[v] = true
		if v.Node.Op.ID == id.Transpose && product(v.Node.Inputs[0]) {
			found[v] = true
			return
		}
		for _, in := range v.Node.Inputs {
			visit(in)
		}
	}
	for _, f := range p.Graph().Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.Family != op.Reduction && n.Op.Family != op.Normalising {
				return
			}
			for _, v := range n.Inputs {
				visit(v)
			}
		})
	}
	return found
}
