package opencpu_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// file writes weights w = [first, second] and returns their path.
func file(t *testing.T, first, second float32) string {
	t.Helper()
	data, err := binary.Append(nil, binary.LittleEndian, []float32{first, second})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "w.safetensors")
	spec := tensor.Spec{Name: "w", DType: dtype.F32, Shape: shape.Of(2)}
	require.NoError(t, safetensors.Write(path, []safetensors.Item{{Spec: spec, Data: tensor.Owned(data)}}, nil))
	return path
}

// sum is the graph of w[0] + w[1] + x.
func sum(t *testing.T) *dag.Graph {
	t.Helper()
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(2), Bytes: 8}}}
	g, err := lang.Capture("sum", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.F32).Add(f.Param("w").Sum(false, 0)))
		})
	})
	require.NoError(t, err)
	return g
}

func call(t *testing.T, x backend.Executable) float32 {
	t.Helper()
	arg, err := tensor.Of([]float32{100})
	require.NoError(t, err)
	out, err := x.Call(context.Background(), "main", arg)
	require.NoError(t, err)
	y, err := tensor.Slice[float32](out[0])
	require.NoError(t, err)
	return y[0]
}

// A session with other weights leaves the first one its own, and nothing is left on the disk.
func TestSession(t *testing.T) {
	temporary := t.TempDir()
	first, second := file(t, 1, 2), file(t, 30, 40)
	t.Setenv("TMPDIR", temporary)
	x, err := opencpu.Graph(sum(t), opencpu.Options{Weights: first})
	require.NoError(t, err)
	other, err := x.(backend.Shared).Session(map[string][]string{"model": {second}})
	require.NoError(t, err)
	require.Equal(t, []float32{103, 170, 103}, []float32{call(t, x), call(t, other), call(t, x)})
	require.NoError(t, x.Close())
	require.Equal(t, float32(170), call(t, other))
	require.NoError(t, other.Close())
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestErrors(t *testing.T) {
	g, path := sum(t), file(t, 1, 2)
	x, err := opencpu.Graph(g, opencpu.Options{Weights: path})
	require.NoError(t, err)
	defer x.Close()
	session := func(files map[string][]string) error {
		_, err := x.(backend.Shared).Session(files)
		return err
	}
	graph := func(o opencpu.Options) error {
		_, err := opencpu.Graph(g, o)
		return err
	}
	for name, c := range map[string]struct {
		err  error
		want errs.Code
	}{
		"no weights":       {graph(opencpu.Options{}), pack.CodeNoWeights},
		"no such scope":    {graph(opencpu.Options{Weights: path, Scopes: map[string]string{"adapter": path}}), pack.CodeNoScope},
		"session of none":  {session(map[string][]string{"adapter": {path}}), pack.CodeNoScope},
		"session, no file": {session(map[string][]string{"model": nil}), pack.CodeNoWeights},
		"a missing file":   {graph(opencpu.Options{Weights: path + "x"}), "FILE_OPEN"},
	} {
		require.Equal(t, c.want, errs.CodeOf(c.err), "%s: %v", name, c.err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	require.Equal(t, opencpu.CodeWork, errs.CodeOf(graph(opencpu.Options{Weights: path})))
}
