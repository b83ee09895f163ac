package hlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
)

// longRow is how many elements a reduction may go through while it also writes
// them.
const longRow = 8192

// longRows finds the values that a long reduction reads and something else
// needs too. For SPIR-V the pinned compiler lets the reduction write such a
// value as well, and then goes through its elements one by one (IREE 3.13.0).
// That is slow everywhere, and Mesa's software driver ends a loop after 65535
// rounds: a wrong maximum over a vocabulary of 51864, no diagnostic. Behind a
// barrier the value is written first and the reduction stays parallel.
func longRows(g *dag.Graph) map[*dag.Value]bool {
	uses := map[*dag.Value]int{}
	long := map[*dag.Value]bool{}
	var walk func(b *dag.Block)
	walk = func(b *dag.Block) {
		for _, n := range b.Nodes {
			if n.Op.Name != "reshape" { // no copy: its users count
				for _, v := range n.Inputs {
					uses[source(v)]++
				}
			}
			if reducesLong(n) {
				long[source(n.Inputs[0])] = true
				if n.Op.Name == "softmax" { // needs its input for the maximum and for the difference
					uses[source(n.Inputs[0])]++
				}
			}
			for _, inner := range n.Blocks {
				walk(inner)
			}
		}
		for _, v := range b.Results {
			uses[source(v)]++
		}
	}
	for _, f := range g.Funcs {
		walk(f.Body)
		for _, w := range f.Writes {
			uses[source(w.Value)]++
		}
	}
	for v := range long {
		// Arguments and weights are in memory already.
		if uses[v] < 2 || v.Node == nil || v.Node.Op.Name == "constant" || v.Node.Op.Name == "parameter" || endsInBarrier(v) {
			delete(long, v)
		}
	}
	return long
}

// source looks through reshapes.
func source(v *dag.Value) *dag.Value {
	for v.Node != nil && v.Node.Op.Name == "reshape" {
		v = v.Node.Inputs[0]
	}
	return v
}

func reducesLong(n *dag.Node) bool {
	var dims []int64
	switch n.Op.Name {
	case "reduce_sum", "reduce_prod", "reduce_max", "reduce_min":
		dims = n.Attrs.Ints("dims")
	case "argmax", "softmax":
		dims = []int64{n.Attrs.Int("dim")}
	default:
		return false
	}
	return extent(n.Inputs[0].Type, dims) > longRow
}

// extent gives the number of elements over dims; one of unknown size counts as
// long.
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
