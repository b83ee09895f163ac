package randgraph

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/dtype"
)

// fault is something that a backend computes wrongly, or not at all. Graphs stay
// away from it until it is put right, and then the line goes.
type fault struct {
	ops   []string // of the table
	types []dtype.DType
	when  func(n *dag.Node) bool // nil means always
	what  string
}

// faults are those of nodes of any sizes; none is known that more than single
// graphs have, whose seeds the tests leave out.
var faults []fault

// faulty says whether a node is a known fault.
func faulty(n *dag.Node) bool {
	return slices.ContainsFunc(faults, func(f fault) bool {
		return slices.Contains(f.ops, n.Op.Name) && slices.Contains(f.types, typed(n).Type.DType) && (f.when == nil || f.when(n))
	})
}

// dynamicFaults are those of nodes of dynamic sizes; none is known that more than
// single graphs have, whose seeds the tests leave out.
var dynamicFaults []fault

// faultyDynamic says whether a node of dynamic sizes is a known fault.
func faultyDynamic(n *dag.Node) bool {
	if !slices.ContainsFunc(slices.Concat(n.Inputs, n.Outputs), func(v *dag.Value) bool { return !v.Type.Shape.IsStatic() }) {
		return false
	}
	return slices.ContainsFunc(dynamicFaults, func(f fault) bool {
		return (f.ops == nil || slices.Contains(f.ops, n.Op.Name)) && f.when(n)
	})
}

// typed is the operand that says what type a node computes in, or the result where
// there is none.
func typed(n *dag.Node) *dag.Value {
	if len(n.Inputs) > 0 {
		return n.Inputs[0]
	}
	return n.Outputs[0]
}
