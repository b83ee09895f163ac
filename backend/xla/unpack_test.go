package xla

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// blocks is a graph with two matrices in blocks, of which one is a table of rows too, as the
// embedding of a decoder is, and their archive: codes of 8 bits with scales that are powers of 2, so
// that sums in any order are equal.
func blocks(t *testing.T, axes ...lang.Axis) (*dag.Graph, map[string][]string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	index := &tensor.Index{}
	var items []irpa.Item
	for name, rows := range map[string]int64{"table": 12, "up": 64, "alike": 64} {
		var data []byte
		for range rows * 2 { // of 64 elements
			data = append(data, 0, []byte{0x38, 0x3c, 0x40}[random.IntN(3)]) // the high byte of an f16
			for range 32 {
				data = append(data, byte(random.IntN(9)-4))
			}
		}
		index.Tensors = append(index.Tensors, tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(rows, 64), Encoding: quant.Encoding("Q8_0"), Bytes: int64(len(data))})
		items = append(items, irpa.Bytes(name, data))
	}
	path := filepath.Join(t.TempDir(), "w.irpa")
	require.NoError(t, irpa.Write(path, items))
	g, err := lang.Capture("blocks", index, func(m *lang.Module) {
		if axes != nil {
			m.Mesh(axes...)
		}
		for name, rows := range map[string]shape.Dim{"one": shape.N(1), "many": shape.N(3)} {
			m.Entry(name, func(f *lang.Func) {
				table, e := f.ParamBlocks("table")
				x := table.DequantTake(e, f.InputOf("at", dtype.I32, rows))
				for _, name := range []string{"up", "alike"} {
					w, e := f.ParamBlocks(name)
					if axes != nil {
						w = w.Shard("model", "", "")
					}
					x = x.DequantMatMul(e, w).MulScalar(1.0 / 1024)
				}
				f.Output("y", x.DequantMatMul(e, table))
			})
		}
	})
	require.NoError(t, err)
	return g, map[string][]string{"model": {path}}
}

// Weights that were unpacked once give the numbers of those that each call unpacks. The blocks
// of those that no program reads are gone, and one program unpacks all of a type.
func TestUnpackedWeights(t *testing.T) {
	xlatest.Plugin(t)
	for _, axes := range [][]lang.Axis{nil, {{Name: "model", Size: 2}}} {
		g, files := blocks(t, axes...)
		var made []string
		open := func(form string) (backend.Executable, *session) {
			made = nil
			x, err := Open(context.Background(), Options{Graph: g, Archives: files, Weights: form, Lazy: true, Compiling: func(entry string, _ map[string]int64) func() {
				made = append(made, entry)
				return func() {}
			}})
			require.NoError(t, err)
			return x, x.(*session)
		}
		x, packed := open(Packed)
		y, unpacked := open("") // the machine has room for these
		require.Len(t, made, 2, "of tables, and of matrices")
		for entry, n := range map[string]int64{"one": 1, "many": 3} {
			at, err := tensor.Of([]int32{7, 2, 11}[:n], n)
			require.NoError(t, err)
			want := call(t, x, entry, at)
			require.Len(t, want, int(12*n))
			require.Equal(t, want, call(t, y, entry, at))
			require.NotEqual(t, want[0], want[1])
			require.False(t, math.IsNaN(float64(want[0])))
		}
		require.Equal(t, []bool{true, false}, []bool{packed.weight("up") != nil, packed.weight("up:f32") != nil})
		require.Equal(t, []bool{false, true}, []bool{unpacked.weight("up") != nil, unpacked.weight("up:f32") != nil})
		require.True(t, unpacked.weight("table") != nil && unpacked.weight("table:f32") != nil, "rows are looked up in blocks")
		part, err := unpacked.weight("up:f32")[0].Type()
		require.NoError(t, err)
		require.Equal(t, tensor.TypeOf(dtype.F32, 64/max(int64(len(unpacked.engine.devices)), 1), 64), part)

		other, err := y.(backend.Shared).Session(files)
		require.NoError(t, err)
		at, err := tensor.Of([]int32{3}, 1)
		require.NoError(t, err)
		require.Equal(t, call(t, x, "one", at), call(t, other, "one", at))
		require.NoError(t, other.Close())
		require.NoError(t, x.Close())
		client := unpacked.engine.client
		require.NoError(t, y.Close())
		require.Zero(t, client.Live())
	}
}

// A form that cannot be is refused; one that the memory does not hold too, unless nothing was
// said: then it is packed.
func TestFormsOfWeights(t *testing.T) {
	xlatest.Plugin(t)
	ctx := context.Background()
	g, files := blocks(t)
	_, err := Open(ctx, Options{Graph: g, Archives: files, Weights: "half"})
	require.Equal(t, CodeWeights, errs.CodeOf(err))
	require.ErrorContains(t, err, "use packed or unpacked")
	path := filepath.Join(t.TempDir(), "m.xla")
	require.NoError(t, Write(ctx, path, Options{Graph: g}))
	none := filepath.Join(t.TempDir(), "none.xla")
	require.Equal(t, CodeWeights, errs.CodeOf(Write(ctx, none, Options{Graph: g, Weights: Unpacked})))
	require.NoFileExists(t, none)
	_, err = Open(ctx, Options{Program: path, Archives: files, Weights: Unpacked})
	require.Equal(t, CodeWeights, errs.CodeOf(err))
	x, err := Open(ctx, Options{Program: path, Archives: files, Weights: Packed})
	require.NoError(t, err)
	require.NoError(t, x.Close())
	portable := filepath.Join(t.TempDir(), "p.xla")
	require.NoError(t, WritePortable(portable, Options{Graph: g}))
	x, err = Open(ctx, Options{Program: portable, Archives: files, Weights: Unpacked})
	require.NoError(t, err)
	require.NotNil(t, x.(*session).weight("up:f32"))
	require.NoError(t, x.Close())

	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(1<<22, 1<<22), Encoding: "Q8_0", Bytes: 34 << 39}}}
	huge, err := lang.Capture("huge", index, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			w, e := f.ParamBlocks("w")
			f.Output("y", f.Input("x", dtype.F32, 1, 1<<22).DequantMatMul(e, w))
		})
	})
	require.NoError(t, err)
	from := &compiled{graph: huge, o: Options{Weights: Unpacked}, known: map[string]*program{}}
	e := x.(*session).engine
	require.Equal(t, pjrt.CodeMemory, errs.CodeOf(from.unpack(e)))
	from.o.Weights = ""
	require.NoError(t, from.unpack(e))
	require.Same(t, huge, from.graph, "the weights stay packed")
}
