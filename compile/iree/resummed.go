package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// resummedRow is a row of the table of barriers.
var resummedRow = Rewrite{
	ID:      "rows-resummed",
	Symptom: "A reduction of normalised rows to fewer elements than there are rows, such as the maximum of a whole layer norm, becomes a consumer in the kernel of the rows' sums, which sums each row again for every vector of its elements.",
	Instead: "a barrier before the second reduction",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: Time,
	install: func(t *target) { t.apart = append(t.apart, marks(t, resummed)) },
}

// resummed finds the operands of reductions that are made by other reductions.
func resummed(t *target, p *hlo.Printer) map[*dag.Value]bool {
	found := map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if kept, ok := reducesTo(n); ok && n.Op.Family == op.Reduction && n.Inputs[0].Type.Shape.Product() != kept {
				r := rows{t: t, p: p, kept: kept, seen: map[*dag.Value]bool{}}
				if v := analysis.Owner(n.Inputs[0]); r.sums(v) {
					found[v] = true
				}
			}
		})
	}
	return found
}

// reducesTo returns the number of elements to which a node reduces its operand, which a
// norm spreads over the operand again.
func reducesTo(n *dag.Node) (shape.Dim, bool) {
	if n.Op.Reduces != op.Dims && n.Op.Reduces != op.Dim || n.Op.Family == op.Indexing {
		return shape.Dim{}, false
	}
	return kept(n), true
}

// kept is the number of elements to which a node reduces its operand.
func kept(n *dag.Node) shape.Dim {
	in := n.Inputs[0].Type.Shape
	reduced := map[int64]bool{}
	for _, d := range n.Op.ReducedDims(n.Attrs, in.Rank()) {
		reduced[d] = true
	}
	var s shape.Shape
	for i, d := range in {
		if !reduced[int64(i)] {
			s = append(s, d)
		}
	}
	return s.Product()
}

// rows is a search for sums of rows.
type rows struct {
	t    *target
	p    *hlo.Printer
	kept shape.Dim // to which their elements are reduced again
	seen map[*dag.Value]bool
}

// sums reports whether the kernel that computes v also sums rows: v is made of a reduction
// to another number of elements by operations that fuse.
func (r rows) sums(v *dag.Value) bool {
	n := v.Node
	if n == nil || r.seen[v] || isStored(v) {
		return false
	}
	r.seen[v] = true
	if kept, ok := reducesTo(n); ok {
		return kept != r.kept
	}
	if n.Op.Family != op.Elementwise && n.Op.Role != op.Moves && n.Op.Memory != op.Same || r.t.behindBarrier(r.p, v) {
		return false
	}
	for _, in := range n.Inputs {
		if r.sums(in) {
			return true
		}
	}
	return false
}
