package cpu

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// registered computes an operation of another package by its function, which gets copies:
// whatever it does to them, and to what it returned before, stays there.
func registered(_ *frame, n *dag.Node, in []array) ([]array, error) {
	values := make([]tensor.Value, len(in))
	for i, a := range in {
		values[i] = array{op.Widened(a.typ), a.data}.value()
	}
	made, err := callOwn(n, values)
	if err != nil {
		return nil, err
	}
	if len(made) != len(n.Outputs) {
		return nil, faulty(n, nil, "it returns %d tensors, the rule gives %d", len(made), len(n.Outputs))
	}
	out := make([]array, len(made))
	for i, v := range made {
		t := n.Outputs[i].Type
		if want := op.Widened(t); !v.Type.Equal(want) {
			return nil, faulty(n, nil, "result %d is %s, the rule gives %s", i, v.Type, want)
		}
		if err := v.Check(); err != nil {
			return nil, faulty(n, err, "result %d", i)
		}
		out[i] = fromValue(v)
		if out[i].typ = t; t.DType != dtype.F32 {
			out[i] = roundToDType(out[i])
		}
	}
	return out, nil
}

func callOwn(n *dag.Node, in []tensor.Value) (out []tensor.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, faulty(n, nil, "it panicked: %v", r)
		}
	}()
	c := &op.Call{Op: n.Op, Attrs: n.Attrs}
	for _, v := range in {
		c.In = append(c.In, v.Type)
	}
	if out, err = n.Op.Custom.CPU(c, in); err != nil {
		return nil, faulty(n, err, "it failed")
	}
	return out, nil
}

func faulty(n *dag.Node, cause error, what string, args ...any) error {
	e := errs.Wrap(op.CodeCPU, cause, "the CPU function of "+n.Op.Name+": "+what, args...).On(n.Path)
	return e.Hint("this is a fault in the function that %s registers", n.Op.Custom.Package)
}
