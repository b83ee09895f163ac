package iree

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

// longRow is how many elements a reduction may iterate over while it also writes
// them.
const longRow = 8192

// longRows finds the values that are read by a long reduction and by something else.
// Behind a barrier such a value is stored first and the reduction stays parallel. On
// CPUs only rows of unknown length need this.
func longRows(t *target, p *hlo.Printer) map[*dag.Value]bool {
	long := readAgain(t, p, reducesLong)
	for v := range long {
		if t.o.Kernels && v.Type.Shape.IsStatic() {
			delete(long, v)
		}
	}
	return long
}

// unknownRows finds the values of which a sum, or a norm of the last dimension, reads an
// unknown number of rows, and that something else reads. A softmax gains nothing.
func unknownRows(t *target, p *hlo.Printer) map[*dag.Value]bool {
	return readAgain(t, p, func(n *dag.Node) bool {
		return (n.Op.ID == id.ReduceSum || n.Op.Reduces == op.Last) && !kept(n).IsStatic()
	})
}

// readAgain finds the values that are read by reductions of a kind and by something else.
func readAgain(t *target, p *hlo.Printer, reduces func(n *dag.Node) bool) map[*dag.Value]bool {
	uses := map[*dag.Value]int{}
	found := map[*dag.Value]bool{}
	for _, f := range p.Graph().Funcs {
		analysis.Uses(f, func(v *dag.Value, by *dag.Node, _ int) {
			if by == nil || by.Op.Memory != op.Same { // no copy: its users count
				uses[analysis.Owner(v)]++
			}
		})
		f.Body.Walk(func(n *dag.Node) {
			if reduces(n) {
				found[analysis.Owner(n.Inputs[0])] = true
				if n.Op.Family == op.Normalising { // needs its input for the maximum and for the difference
					uses[analysis.Owner(n.Inputs[0])]++
				}
			}
		})
	}
	for v := range found {
		if uses[v] < 2 || isStored(v) || t.behindBarrier(p, v) {
			delete(found, v)
		}
	}
	return found
}

// isStored reports whether v is in memory already: an argument, a weight, or a product
// of dynamic sizes, which is a kernel of its own.
func isStored(v *dag.Value) bool {
	n := v.Node
	return n == nil || n.Op.Role == op.Literal || n.Op.Role == op.Weight || n.Op.Family == op.Contraction && hlo.IsDynamic(n)
}

func reducesLong(n *dag.Node) bool {
	if n.Op.Reduces != op.Dims && n.Op.Reduces != op.Dim || n.Op.Family == op.Indexing {
		return false
	}
	t := n.Inputs[0].Type
	return extent(t, n.Op.ReducedDims(n.Attrs, t.Shape.Rank())) > longRow
}

// extent returns the number of elements over dims; an unknown size counts as long.
func extent(t tensor.Type, dims []int64) int64 {
	total := int64(1)
	for _, d := range dims {
		size := t.Shape[d].Size
		if size < 0 {
			return longRow + 1
		}
		total *= max(size, 1)
		if total > longRow {
			break
		}
	}
	return total
}
