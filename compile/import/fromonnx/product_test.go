package fromonnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// imported returns the nodes of an operation in the import of a model.
func imported(t *testing.T, o id.ID, inputs []onnx.ValueInfo, nodes ...onnx.Node) (list []*dag.Node) {
	t.Helper()
	m := built(inputs, infos(info("y", 0)), nodes...)
	m.Graph.Outputs[0].Ranked = false
	g, err := Import(m, Options{Evaluate: open.Evaluate})
	require.NoError(t, err)
	g.Funcs[0].Body.Walk(func(n *dag.Node) {
		if n.Op.ID == o {
			list = append(list, n)
		}
	})
	return list
}

// What the recorded cases compare cannot show: a matrix is not repeated for each element of
// a batch, integers are multiplied as they are stored, and squares are products.
func TestProductsAsStored(t *testing.T) {
	const f32, u8, i8 = 1, 2, 3
	batch := imported(t, id.DotGeneral, infos(info("x", f32, "batch", "seq", 8), info("w", f32, 8, 5)), does("product", "MatMul", "y", "x", "w"))
	require.Len(t, batch, 1)
	require.Empty(t, batch[0].Attrs.Ints("lhs_batching"))
	require.Equal(t, 2, batch[0].Inputs[1].Type.Shape.Rank())

	whole := imported(t, id.DotGeneral, infos(info("x", u8, "batch", "seq", 8), info("w", i8, 8, 5), info("a", u8), info("b", i8, 5)),
		does("product", "MatMulInteger", "y", "x", "w", "a", "b"))
	require.Len(t, whole, 1)
	made := whole[0].Inputs[1].Node
	require.Equal(t, id.Convert, made.Op.ID)
	require.Nil(t, made.Inputs[0].Node, "the argument itself")

	for exponent, powers := range map[float32]int{2: 0, 3: 0, 2.5: 1} {
		e := onnx.Node{Op: "Constant", Outputs: []string{"e"}, Attributes: map[string]onnx.Attribute{"value_float": {Float: exponent}}}
		require.Len(t, imported(t, id.Power, infos(info("x", f32, "n")), e, does("power", "Pow", "y", "x", "e")), powers, exponent)
	}
}
