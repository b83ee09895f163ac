package cpu

import (
	"context"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Evaluate computes one node from the values of its inputs,
// for constant folding (compile/dag/passes). The node must depend only
// on these: parameters, states, calls and nodes with nested
// blocks are CPU_GRAPH.
func Evaluate(n *dag.Node, in []tensor.Value) (_ []tensor.Value, err error) {
	x := &executable{graph: &dag.Graph{Name: "evaluate"}}
	defer x.recovered(&err)
	switch n.Op.Role {
	case op.Weight, op.Variable, op.Calls:
		return nil, errs.New(CodeGraph, "%s depends on more than the values of its inputs", n.Op.Name).On(n.Path)
	}
	if len(n.Blocks) > 0 || n.Op.Blocks > 0 || n.Op.IsComposite() || len(in) != len(n.Inputs) {
		return nil, errs.New(CodeGraph, "%s cannot be evaluated by itself, or not with %d values", n.Op.Name, len(in)).On(n.Path)
	}
	for _, v := range n.Outputs {
		if err := supported(v.Type); err != nil {
			return nil, errs.Wrap(errs.CodeOf(err), err, "cannot run here").On(n.Path)
		}
	}
	arrays := make([]array, len(in))
	for i, v := range in {
		if err := supported(v.Type); err != nil {
			return nil, errs.Wrap(errs.CodeOf(err), err, "cannot run here").On(n.Path)
		}
		if err := v.Check(); err != nil || !v.Type.Equal(n.Inputs[i].Type) {
			return nil, errs.New(CodeGraph, "operand %d is %s, but the node takes %s", i, v.Type, n.Inputs[i].Type).On(n.Path)
		}
		arrays[i] = fromValue(v)
	}
	out, err := x.frame(context.Background()).apply(n, arrays)
	if err != nil {
		return nil, err
	}
	values := make([]tensor.Value, len(out))
	for i, a := range out {
		values[i] = a.value()
	}
	return values, nil
}
