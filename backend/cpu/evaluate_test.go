package cpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestEvaluate(t *testing.T) {
	b := newBuilder(t)
	x, err := tensor.Of([]float32{3, 1, 2}, 3)
	require.NoError(t, err)
	in := b.node("constant", op.Attrs{"value": x})
	out, err := Evaluate(b.node("reverse", op.Attrs{"dims": []int64{0}}, in).Node, []tensor.Value{x})
	require.NoError(t, err)
	got, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	require.Equal(t, []float32{2, 1, 3}, got)
	sum := b.node("add", nil, in, in).Node

	refused := func(code errs.Code, n *dag.Node, in ...tensor.Value) {
		t.Helper()
		_, err := Evaluate(n, in)
		require.Equal(t, code, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, n.Path)
	}
	refused(CodeGraph, b.node("parameter", op.Attrs{"type": x.Type, "key": "w"}).Node)
	refused(CodeGraph, b.node("state", op.Attrs{"type": x.Type, "name": "s"}).Node)
	refused(CodeGraph, sum, x)
	short := tensor.Value{Type: x.Type, Bytes: x.Bytes[:4]}
	refused(CodeGraph, sum, x, short)
	refused(CodeGraph, sum, x, tensor.Value{Type: tensor.TypeOf(dtype.I32, 3), Bytes: x.Bytes})
	refused(CodeDType, sum, x, tensor.Value{Type: tensor.TypeOf(dtype.I4, 3), Bytes: []byte{0, 0}})
	narrow := &dag.Node{Op: sum.Op, Origin: dag.Origin{Path: "narrow"}}
	narrow.Outputs = []*dag.Value{{Type: tensor.TypeOf(dtype.U4, 3), Node: narrow}}
	refused(CodeDType, narrow)
	zero, err := tensor.Zero(tensor.TypeOf(dtype.I32))
	require.NoError(t, err)
	loop, err := b.AddWhile("loop", &dag.Block{}, &dag.Block{}, b.node("constant", op.Attrs{"value": zero}))
	require.NoError(t, err)
	refused(CodeGraph, loop, zero)
}

// A node that cannot occur in a graph is an error of this package, not a panic.
func TestEvaluateKeepsItsPanics(t *testing.T) {
	o, err := op.Lookup("transpose")
	require.NoError(t, err)
	n := &dag.Node{Op: o, Origin: dag.Origin{Path: "broken"}, Attrs: op.Attrs{"permutation": []int64{7}}}
	x, err := tensor.Of([]float32{1}, 1)
	require.NoError(t, err)
	n.Inputs = []*dag.Value{{Type: x.Type}}
	n.Outputs = []*dag.Value{{Type: x.Type, Node: n}}
	_, err = Evaluate(n, []tensor.Value{x})
	require.Equal(t, CodeInternal, errs.CodeOf(err), "%v", err)
}
