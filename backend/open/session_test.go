package open

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/test/adapters"
)

// adapted is a layer in Q8_0 with an adapter of rank 2, and the files of two adapters: of
// PEFT, and an archive of zeros.
func adapted(t *testing.T) (g *dag.Graph, file, poet, none string) {
	t.Helper()
	file, _ = inBlocks(t, map[string]quant.Encoding{"a": "Q8_0", "b": "Q8_0", "c": "Q8_0"})
	w, err := weights.Open(file)
	require.NoError(t, err)
	defer w.Close()
	index, err := w.Index()
	require.NoError(t, err)
	g, err = lang.Capture("adapted", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 1, 64)
			y := x.Dot(f.Param("a"), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}})
			f.Output("y", y.Add(nn.LoRA{Scope: "adapter", Rank: 2}.Delta(f, adapters.Key(0, "a"), x, 4, nil)))
		})
	})
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, adapters.Adapter{Seed: "poet", Rank: 2, Alpha: 2, Blocks: 1, Size: 1, Modules: []adapters.Module{{Name: "a", In: 64, Out: 4}}}.Write(dir))
	c, err := describe.Contract(g)
	require.NoError(t, err)
	none = filepath.Join(dir, "none.irpa")
	_, err = pack.Program(none, c, "adapter", nil, pack.Options{Zeros: true})
	require.NoError(t, err)
	return g, file, filepath.Join(dir, adapters.Config), none
}

func TestScopesHaveFilesOfTheirOwn(t *testing.T) {
	g, file, poet, none := adapted(t)
	data := make([]float32, 64)
	for i := range data {
		data[i] = float32(i%5) - 2
	}
	in, err := tensor.Of(data, 1, 64)
	require.NoError(t, err)
	y := func(x backend.Executable) []float32 {
		out, err := x.Call(context.Background(), "main", in)
		require.NoError(t, err)
		s, err := tensor.Slice[float32](out[0])
		require.NoError(t, err)
		return append([]float32{}, s...)
	}
	opened := func(adapter string) backend.Executable {
		x, err := Graph(context.Background(), g, Options{Backend: CPU, Weights: file, Scopes: map[string]string{"adapter": adapter}})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, x.Close()) })
		return x
	}
	base := opened(none)
	s, err := base.(backend.Shared).Session(map[string][]string{"adapter": {poet}})
	require.NoError(t, err)
	defer s.Close()
	require.Equal(t, y(opened(poet)), y(s), "as if it had been opened with the adapter")
	require.NotEqual(t, y(base), y(s))
	back, err := s.(backend.Shared).Session(map[string][]string{"adapter": {none}})
	require.NoError(t, err)
	defer back.Close()
	require.Equal(t, y(base), y(back))

	_, err = base.(backend.Shared).Session(map[string][]string{"adaptr": {poet}})
	require.Equal(t, pack.CodeNoScope, errs.CodeOf(err))
	_, err = base.(backend.Shared).Session(map[string][]string{"adapter": {file}})
	require.Equal(t, pack.CodeMissing, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "adapter::"+adapters.Key(0, "a"))
	_, err = Graph(context.Background(), g, Options{Backend: CPU, Weights: file, Scopes: map[string]string{"other": none}})
	require.Equal(t, pack.CodeNoScope, errs.CodeOf(err))
}
