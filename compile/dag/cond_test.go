package dag

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// chosen returns a graph that selects one of two sums.
func chosen(t *testing.T) (g *Graph, choice *Node) {
	m := &Block{}
	p, x := m.AddArg(tensor.TypeOf(dtype.Bool)), m.AddArg(vec)
	then, otherwise := &Block{}, &Block{}
	then.Results = node(t, then, "add", "main/cond/then/add", nil, x, x).Outputs
	otherwise.Results = []*Value{x}
	choice, err := m.AddCond("main/cond", then, otherwise, p)
	require.NoError(t, err)
	m.Results = choice.Outputs
	return &Graph{Name: "m", Funcs: []*Func{{Name: "main", Entry: true, Args: []string{"p", "x"}, Results: []string{"y"}, Body: m}}}, choice
}

func TestCond(t *testing.T) {
	g, _ := chosen(t)
	require.NoError(t, Verify(g))
	for name, edit := range map[string]func(n *Node){
		"argument of a block": func(n *Node) { n.Blocks[0].AddArg(vec) },
		"another type":        func(n *Node) { n.Outputs[0].Type = half },
		"other results":       func(n *Node) { n.Blocks[1].Results = nil },
		"no results":          func(n *Node) { n.Outputs, n.Blocks[0].Results, n.Blocks[1].Results = nil, nil, nil },
	} {
		g, n := chosen(t)
		edit(n)
		err := Verify(g)
		require.Equal(t, errs.Code("DAG_COND"), errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, "main/cond")
	}
	_, n := chosen(t)
	_, err := (&Block{}).AddCond("c", n.Blocks[0], n.Blocks[1], (&Block{}).AddArg(vec))
	require.Equal(t, op.CodeDType, errs.CodeOf(err))
}

// A composite operation is in the graph as its decomposition, and a rejected
// one leaves nothing.
func TestCompositesExpand(t *testing.T) {
	b := &Block{}
	n, err := b.Add("log_softmax", "main/log_softmax", op.Attrs{"dim": int64(0)}, b.AddArg(vec))
	require.NoError(t, err)
	require.NotContains(t, b.Nodes, n)
	require.Same(t, b.Nodes[len(b.Nodes)-1].Outputs[0], n.Outputs[0])
	for _, inner := range b.Nodes {
		require.False(t, inner.Op.IsComposite(), inner.Path)
		require.Regexp(t, "^main/log_softmax/", inner.Path)
	}
	before := len(b.Nodes)
	_, err = b.Add("log_softmax", "main/log_softmax", op.Attrs{"dim": int64(1)}, b.Args[0])
	require.Equal(t, op.CodeAttribute, errs.CodeOf(err))
	require.Len(t, b.Nodes, before)
	_, err = fromRefs([]op.Ref{{}})
	require.Equal(t, errs.Code("DAG_UNDEFINED"), errs.CodeOf(err))
}
