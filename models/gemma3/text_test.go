package gemma3

import (
	"maps"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
)

// packed returns the text of a size whose weights are stored as in llama.cpp's Q4_K_M.
func packed(t *testing.T, size string) *hlo.Module {
	t.Helper()
	plain, _ := texts(t, size)
	return plain
}

// texts returns the text, and the one with kernels.
func texts(t *testing.T, size string) (plain, kernels *hlo.Module) {
	t.Helper()
	g, err := export.Capture(cpu.Evaluate, "gemma3", indexOf(size, q4KM), Model, "", "")
	require.NoError(t, err)
	plain, err = iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	kernels, err = iree.Emit(g, iree.Options{Kernels: true})
	require.NoError(t, err)
	return plain, kernels
}

// The text of all entry points together stays below 420 kB, of which the encodings of
// the weights take 15: layers share functions, and each form of a product occurs once.
// The text for CPUs also has kernels, some kilobytes for each block type, and stays as
// small.
func TestSizeOfTheText(t *testing.T) {
	plain, kernels := texts(t, "270M")
	t.Logf("%d bytes, with kernels %d", len(plain.Text), len(kernels.Text))
	require.Less(t, len(plain.Text), 420_000)
	require.Less(t, len(kernels.Text), 420_000)

	samePlain, sameKernels := texts(t, "270M")
	require.Equal(t, plain.Contract, samePlain.Contract, "the text depends only on the index")
	require.Equal(t, kernels.Contract, sameKernels.Contract)
}

// The contract names each weight once, with its name and encoding in the
// file, so that one archive serves all entry points.
func TestParameters(t *testing.T) {
	x := indexOf("270M", q4KM)
	var keys, names []string
	for _, p := range packed(t, "270M").Contract.Parameters {
		keys = append(keys, p.Key)
		s, err := x.Lookup(p.Key)
		require.NoError(t, err)
		require.Equal(t, s.Encoding.Stored(), p.Encoding, p.Key)
		require.Equal(t, s.Bytes, p.Bytes, "%s: stored as it is in the file", p.Key)
	}
	for _, s := range x.Tensors {
		names = append(names, s.Name)
	}
	require.ElementsMatch(t, names, keys)
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

// The cost is linear in the number of layers: memory is a proxy for work,
// since every per-layer pass over all layers would fill a table.
func TestCostOfLayers(t *testing.T) {
	cost := func(layers int64) uint64 {
		size := maps.Clone(family["270M"])
		size["block_count"] = layers
		family["layers"] = size
		defer delete(family, "layers")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		texts(t, "layers")
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := cost(60), cost(240)
	t.Logf("%d and %d bytes", few, many)
	require.Less(t, many, 5*few, "4 times the layers, and tables that grow in steps")
}
