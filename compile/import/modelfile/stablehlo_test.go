package modelfile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

const text = `// as JAX writes
module @jit_model attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<?x2xf32>) -> (tensor<?x2xf32> {jax.result_info = "y"}) {
    %cst = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %0 = stablehlo.dot_general %arg0, %cst, contracting_dims = [1] x [0] : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
    return %0 : tensor<?x2xf32>
  }
}
`

// The constants of a StableHLO text are weights, which the text holds.
func TestAStableHLOText(t *testing.T) {
	m, err := Open(write(t, "model.onnx", []byte(text)))
	require.NoError(t, err)
	defer m.Close()
	require.Equal(t, constants.Format, m.Format())
	require.Equal(t, []Fact{{"module", "jit_model"}, {"entry points", "main"}}, m.Facts())
	require.Len(t, m.Inputs(), 1)
	require.Equal(t, "f32[arg0_0?x2]", m.Inputs()[0].Type().String())
	index, err := m.Index()
	require.NoError(t, err)
	require.Equal(t, "main.cst", index.Tensors[0].Name)
	b, err := m.Weights().Tensor("main.cst")
	require.NoError(t, err)
	require.Equal(t, int64(16), b.Len())
	for _, inline := range []int64{0, 16} {
		g, err := m.Graph(Options{Name: "line", Inline: inline, Shapes: map[string]shape.Shape{"arg0": {shape.Named("batch"), shape.N(2)}}})
		require.NoError(t, err)
		require.Equal(t, "line", g.Name)
		require.Equal(t, []string{"y"}, g.Funcs[0].Results)
		require.Equal(t, "f32[batch?x2]", g.Funcs[0].Body.Args[0].Type.String())
		require.Equal(t, inline == 0, g.Funcs[0].Body.Nodes[0].Op.Name == "parameter")
	}
	_, err = m.Graph(Options{Outputs: []string{"y"}})
	require.Equal(t, CodeOption, errs.CodeOf(err))
	_, err = Open(write(t, "cut", []byte(text)[:100]))
	require.Equal(t, verify.CodeSyntax, errs.CodeOf(err))
}
