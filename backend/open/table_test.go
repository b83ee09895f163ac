package open

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// saved writes f32 tensors to a file.
func saved(t *testing.T, path string, tensors map[string][]float32, sizes map[string]shape.Shape) {
	t.Helper()
	var items []safetensors.Item
	for _, name := range []string{"table", "w"} {
		data, has := tensors[name]
		if !has {
			continue
		}
		v, err := tensor.Of(data, int64(len(data)))
		require.NoError(t, err)
		s := tensor.Spec{Name: name, DType: dtype.F32, Shape: sizes[name], Bytes: int64(len(v.Bytes))}
		items = append(items, safetensors.Item{Spec: s, Data: tensor.Owned(v.Bytes)})
	}
	require.NoError(t, safetensors.Write(path, items, nil))
}

// Two programs, with other weights and other computations, read one archive of a table:
// the archive is packed for either, and takes the place of both tables.
func TestTwoProgramsShareATable(t *testing.T) {
	dir := t.TempDir()
	sizes := map[string]shape.Shape{"table": shape.Of(3, 2), "w": shape.Of(2)}
	table := []float32{1, 2, 3, 4, 5, 6}
	files := map[string]string{}
	graphs := map[string]*dag.Graph{}
	for name, w := range map[string][]float32{"sum": {10, 20}, "product": {2, 3}} {
		files[name] = filepath.Join(dir, name+".safetensors")
		saved(t, files[name], map[string][]float32{"table": table, "w": w}, sizes)
		f, err := weights.Open(files[name])
		require.NoError(t, err)
		index, err := f.Index()
		require.NoError(t, err)
		graphs[name], err = lang.Capture(name, index, func(m *lang.Module) {
			m.InScope("shared", "table")
			m.Entry("main", func(f *lang.Func) {
				row := f.Param("table").Take(f.Input("id", dtype.I32, 1))
				if name == "sum" {
					f.Output("y", row.Add(f.Param("w")))
				} else {
					f.Output("y", row.Mul(f.Param("w")).Mul(row))
				}
			})
		})
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	// Of the two, one program's contract and a file with the table alone.
	archived := func(of string, table []float32) string {
		alone := filepath.Join(t.TempDir(), "table.safetensors")
		saved(t, alone, map[string][]float32{"table": table}, sizes)
		w, err := weights.Open(alone)
		require.NoError(t, err)
		defer w.Close()
		c, err := describe.Contract(graphs[of])
		require.NoError(t, err)
		path := filepath.Join(filepath.Dir(alone), "shared.irpa")
		_, err = pack.Program(path, c, "shared", w, pack.Options{})
		require.NoError(t, err)
		return path
	}
	y := func(name, archive string) []float32 {
		x, err := Graph(context.Background(), graphs[name], Options{Backend: CPU, Weights: files[name], Scopes: map[string]string{"shared": archive}})
		require.NoError(t, err)
		defer x.Close()
		id, err := tensor.Of([]int32{2}, 1)
		require.NoError(t, err)
		out, err := x.Call(context.Background(), "main", id)
		require.NoError(t, err)
		got, err := tensor.Slice[float32](out[0])
		require.NoError(t, err)
		return append([]float32{}, got...)
	}
	first, same := archived("sum", table), archived("product", table)
	a, err := os.ReadFile(first)
	require.NoError(t, err)
	b, err := os.ReadFile(same)
	require.NoError(t, err)
	require.Equal(t, a, b, "whichever program it is packed for")
	require.Equal(t, []float32{15, 26}, y("sum", first))
	require.Equal(t, []float32{2 * 25, 3 * 36}, y("product", first))
	other := archived("product", []float32{0, 0, 0, 0, 7, 8})
	require.Equal(t, []float32{17, 28}, y("sum", other))
	require.Equal(t, []float32{2 * 49, 3 * 64}, y("product", other))
	// A table of another size is not for this program.
	small := filepath.Join(dir, "small.safetensors")
	saved(t, small, map[string][]float32{"table": {1, 2}}, map[string]shape.Shape{"table": shape.Of(1, 2)})
	_, err = Graph(context.Background(), graphs["sum"], Options{Backend: CPU, Weights: files["sum"], Scopes: map[string]string{"shared": small}})
	require.Equal(t, pack.CodeType, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "shared::table")
}
