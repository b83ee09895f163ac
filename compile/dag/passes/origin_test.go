package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// origins lists the composites of the nodes of one operation.
func origins(g *dag.Graph, i op.ID) [][]op.ID {
	var all [][]op.ID
	for _, f := range g.Funcs {
		f.Body.Walk(func(n *dag.Node) {
			if n.Op.ID == i {
				all = append(all, n.From)
			}
		})
	}
	return all
}

// A node records the composites that it is a part of, whatever the names of the model's
// scopes, and keeps them through passes, documents, portable forms and specialisation.
func TestNodesKnowTheirComposites(t *testing.T) {
	b := &dag.Block{}
	x := b.AddArg(tensor.Type{DType: dtype.F32, Shape: shape.Shape{shape.Named("n"), shape.N(4)}})
	top, err := b.Add("top_k", "main/softmax/top_k", op.Attrs{"dim": int64(1), "k": int64(2)}, x)
	require.NoError(t, err)
	plain, err := b.Add("exp", "main/log_softmax/exp", nil, top.Outputs[0])
	require.NoError(t, err)
	b.Results = []*dag.Value{plain.Outputs[0], top.Outputs[1]}
	g := &dag.Graph{Name: "origins", Funcs: []*dag.Func{{Name: "main", Entry: true, Args: []string{"x"}, Results: []string{"y", "i"}, Body: b}}}
	check := func(g *dag.Graph) {
		t.Helper()
		require.NoError(t, dag.Verify(g))
		require.Equal(t, [][]op.ID{nil}, origins(g, id.Exp))
		require.Equal(t, [][]op.ID{{id.TopK}}, origins(g, id.Argsort))
		require.Equal(t, [][]op.ID{{id.TopK, id.TakeAlong}}, origins(g, id.Take))
	}
	check(g)
	require.NoError(t, passes.Run(g, passes.Default...))
	check(g)
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	back, err := graphjson.Parse(doc)
	require.NoError(t, err)
	check(back)
	fixed, err := dag.Specialize(back, "main", tensor.TypeOf(dtype.F32, 3, 4))
	require.NoError(t, err)
	check(fixed)
	wide, err := dag.Widen(fixed, dtype.F32, func(*dag.Node) bool { return true })
	require.NoError(t, err)
	check(wide)
}
