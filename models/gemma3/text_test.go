package gemma3

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/lang"
)

// texts gives the text and the one with kernels.
func texts(t *testing.T, g *dag.Graph) (plain, kernels *hlo.Module) {
	t.Helper()
	plain, err := hlo.Emit(g, hlo.Options{})
	require.NoError(t, err)
	kernels, err = hlo.Emit(g, hlo.Options{Kernels: true})
	require.NoError(t, err)
	return plain, kernels
}

// All entry points together fit in 400 kB: layers share functions, and each kind of
// kernel is there once.
func TestSizeOfTheText(t *testing.T) {
	g, err := lang.Capture("gemma3", indexOf("270M", q4KM), Model)
	require.NoError(t, err)
	plain, kernels := texts(t, g)
	t.Logf("%d bytes, with kernels %d", len(plain.Text), len(kernels.Text))
	require.Less(t, len(plain.Text), 400_000)
	require.Less(t, len(kernels.Text), 400_000)

	again, err := lang.Capture("gemma3", indexOf("270M", q4KM), Model)
	require.NoError(t, err)
	samePlain, sameKernels := texts(t, again)
	require.Equal(t, plain.Contract, samePlain.Contract, "the text depends only on the index")
	require.Equal(t, kernels.Contract, sameKernels.Contract)
}

// Every size of the family has a graph.
func TestGraphsOfTheFamily(t *testing.T) {
	for size := range family {
		g, err := lang.Capture("gemma3", indexOf(size, dense), Model)
		require.NoError(t, err, size)
		require.NoError(t, dag.Verify(g))
		require.Len(t, g.States, 1+2*int(family[size]["block_count"]))
	}
}
