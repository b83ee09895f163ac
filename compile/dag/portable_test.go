package dag

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Operations with a portable form become calls of one function for each form, in
// nested blocks too; others, and the original graph, are unchanged.
func TestPortable(t *testing.T) {
	w8 := tensor.TypeOf(dtype.I8, 32, 1, 34)
	attrs := op.Attrs{"encoding": "Q8_0"}
	product := func(b *Block, x, w *Value) *Value {
		return node(t, b, "dequant_matmul", "main/product", attrs, x, w).Outputs[0]
	}
	body := &Block{}
	x, w := body.AddArg(tensor.TypeOf(dtype.F32, 1, 32)), body.AddArg(w8)
	rows := body.AddArg(tensor.TypeOf(dtype.F32, 3, 32))
	y := product(body, product(body, x, w), w)
	many := product(body, product(body, rows, w), w)
	then, otherwise := &Block{}, &Block{}
	then.Results = []*Value{product(then, y, w)}
	otherwise.Results = []*Value{node(t, otherwise, "negate", "main/negate", nil, y).Outputs[0]}
	flag := node(t, body, "splat", "main/flag", op.Attrs{"type": tensor.TypeOf(dtype.Bool), "value": 1.0}).Outputs[0]
	n, err := body.AddCond("main/cond", then, otherwise, flag)
	require.NoError(t, err)
	taken := node(t, body, "dequantize_blocks", "main/all", attrs, w).Outputs[0]
	body.Results = []*Value{n.Outputs[0], many, taken}
	names := []string{"a", "b", "c"}
	g := &Graph{Name: "blocks", Funcs: []*Func{{Name: "dequant_matmul_1", Entry: true, Args: names, Results: names, Body: body}}}
	require.NoError(t, Verify(g))

	got, err := Portable(g, func(n *Node) bool { return true })
	require.NoError(t, err)
	require.NoError(t, Verify(got))
	var functions []string
	for _, f := range got.Funcs {
		functions = append(functions, f.Name)
		f.Body.Walk(func(n *Node) { require.Nil(t, n.Op.Portable, n.Path) })
	}
	// One form of the unpacked weight serves the product with several rows and the
	// other use; the entry point has the name that the first function would have had.
	require.Equal(t, []string{"dequant_matmul_2", "dequantize_blocks_1", "dequant_matmul_3", "dequant_matmul_1"}, functions)
	calls := map[string]int{}
	got.Funcs[3].Body.Walk(func(n *Node) { calls[n.Attrs.String("function")]++ })
	require.Equal(t, 3, calls["dequant_matmul_2"])
	require.Equal(t, 2, calls["dequant_matmul_3"])
	require.Equal(t, 1, calls["dequantize_blocks_1"])

	again := 0
	g.Funcs[0].Body.Walk(func(n *Node) {
		if n.Op.Name == "dequant_matmul" {
			again++
		}
	})
	require.Equal(t, 5, again, "the graph was changed")
	same, err := Portable(g, func(n *Node) bool { return false })
	require.NoError(t, err)
	require.Same(t, g, same)
}
