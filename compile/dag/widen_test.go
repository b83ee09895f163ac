package dag

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Selected operations compute in f32, in nested blocks too; all values keep
// their types, and the original graph is unchanged.
func TestWiden(t *testing.T) {
	half := tensor.TypeOf(dtype.F16, 2)
	body := &Block{}
	x := body.AddArg(half)
	tenth := node(t, body, "splat", "main/tenth", op.Attrs{"type": half, "value": 0.1}).Outputs[0]
	sum := node(t, body, "add", "main/add", nil, x, tenth).Outputs[0]
	less := node(t, body, "compare", "main/compare", op.Attrs{"direction": "LT"}, sum, x).Outputs[0]
	turned := node(t, body, "reverse", "main/reverse", op.Attrs{"dims": []int64{0}}, sum).Outputs[0]
	then, otherwise := &Block{}, &Block{}
	then.Results = []*Value{node(t, then, "negate", "main/negate", nil, turned).Outputs[0]}
	otherwise.Results = []*Value{x}
	flag := node(t, body, "splat", "main/flag", op.Attrs{"type": tensor.TypeOf(dtype.Bool), "value": 1.0}).Outputs[0]
	n, err := body.AddCond("main/cond", then, otherwise, flag)
	require.NoError(t, err)
	body.Results = []*Value{n.Outputs[0], less}
	g := &Graph{Name: "halves", Funcs: []*Func{{Name: "main", Entry: true, Args: []string{"x"}, Results: []string{"y", "less"}, Body: body}}}
	require.NoError(t, Verify(g))
	require.True(t, g.Holds(dtype.F16))
	require.False(t, g.Holds(dtype.BF16))

	got, err := Widen(g, dtype.F16, func(n *Node) bool { return n.Op.Name != "reverse" && n.Op.Name != "cond" })
	require.NoError(t, err)
	require.NoError(t, Verify(got))
	var listed []string
	got.Funcs[0].Body.Walk(func(n *Node) { listed = append(listed, n.Path+" "+n.Outputs[0].Type.String()) })
	require.Equal(t, []string{
		"main/tenth f16[2]", "main/add/convert f32[2]", "main/add/convert f32[2]", "main/add f32[2]", "main/add/convert f16[2]",
		"main/compare/convert f32[2]", "main/compare/convert f32[2]", "main/compare bool[2]",
		"main/reverse f16[2]", "main/flag bool[scalar]",
		"main/cond f16[2]", "main/negate/convert f32[2]", "main/negate f32[2]", "main/negate/convert f16[2]",
	}, listed)
	require.Len(t, body.Nodes, 6)
	require.Equal(t, 0.0999755859375, got.Funcs[0].Body.Nodes[2].Attrs.Float("value"), "0.1 as f16 holds it")

	same, err := Widen(g, dtype.BF16, func(*Node) bool { return true })
	require.NoError(t, err)
	require.Len(t, same.Funcs[0].Body.Nodes, 6)

	// Also for state variables and arguments of nested blocks.
	require.True(t, (&Graph{States: []*State{{Name: "s", Type: half}}}).Holds(dtype.F16))
	loop := &Block{}
	count := node(t, loop, "splat", "main/count", op.Attrs{"type": tensor.TypeOf(dtype.I32), "value": 0.0}).Outputs[0]
	cond, round := &Block{}, &Block{}
	cond.AddArg(half)
	round.AddArg(half)
	loop.Nodes = append(loop.Nodes, &Node{Op: count.Node.Op, Origin: Origin{Path: "main/while"}, Blocks: []*Block{cond, round}})
	require.True(t, (&Graph{Funcs: []*Func{{Name: "main", Body: loop}}}).Holds(dtype.F16))
}
