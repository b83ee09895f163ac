package xla

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// large is more than any machine has, and less than any number does not tell.
const large = int64(1) << 44

func holding(t *testing.T, elements int64) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("holding", nil, func(m *lang.Module) {
		s := m.State("kept", dtype.F32, 1, elements)
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Read(s).Slice(0, 0, 2)) })
		m.Entry("outer", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("n"), shape.N(1))
			f.Output("y", x.MatMul(x.Transpose(1, 0)))
		})
	})
	require.NoError(t, err)
	return g
}

// What the machine has no memory for is an error that tells both numbers, before anything of it
// is allocated: a state variable, of a graph and of a file, a result, and what is between.
func TestNoMemory(t *testing.T) {
	xlatest.Plugin(t)
	ctx := context.Background()
	_, err := Open(ctx, Options{Graph: holding(t, large)})
	require.Equal(t, pjrt.CodeMemory, errs.CodeOf(err), err)
	require.ErrorContains(t, err, "the state of a session would take 140737488355328 bytes (128 TiB), and the machine has")
	require.ErrorContains(t, err, "smaller state")

	path := filepath.Join(t.TempDir(), "m.xla")
	require.NoError(t, Write(ctx, path, Options{Graph: holding(t, 16), Sizes: []map[string]int64{{"n": 2}}}))
	_, err = Open(ctx, Options{Program: changed(t, path, func(m *manifest) { m.States[0].Shape = shape.Of(large) })})
	require.Equal(t, pjrt.CodeMemory, errs.CodeOf(err), err)

	x, err := Open(ctx, Options{Program: changed(t, path, func(m *manifest) { m.Contract.Entries[0].Results[0].Shape = shape.Of(large) })})
	require.NoError(t, err)
	_, err = x.Call(ctx, "main")
	require.Equal(t, pjrt.CodeMemory, errs.CodeOf(err), err)
	require.ErrorContains(t, err, "the arguments and results of the call")
	require.ErrorContains(t, err, "main")
	require.NoError(t, x.Close())

	x, err = Open(ctx, Options{Graph: holding(t, 16)})
	require.NoError(t, err)
	column, err := tensor.Zero(tensor.TypeOf(dtype.F32, 1<<22, 1))
	require.NoError(t, err)
	_, err = x.Call(ctx, "outer", column) // of 16 MB, whose result has 64 TiB
	require.Equal(t, pjrt.CodeMemory, errs.CodeOf(err), err)
	require.ErrorContains(t, err, "smaller sizes")
	require.Equal(t, []float32{1, 1}, call(t, x, "main"))
	require.NoError(t, x.Close())
}

// A run whose values between arguments and results do not fit is refused before it starts.
func TestNoMemoryForARun(t *testing.T) {
	xlatest.Plugin(t)
	g, err := lang.Capture("between", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 1<<21, 1)
			y := x.MatMul(x.Transpose(1, 0)).Softmax(1) // 16 TiB
			f.Output("y", y.MatMul(x).Slice(0, 0, 2))
		})
	})
	require.NoError(t, err)
	x, err := Open(context.Background(), Options{Graph: g})
	require.NoError(t, err)
	defer x.Close()
	arg, err := tensor.Zero(tensor.TypeOf(dtype.F32, 1<<21, 1))
	require.NoError(t, err)
	_, err = x.Call(context.Background(), "main", arg)
	require.Equal(t, pjrt.CodeMemory, errs.CodeOf(err), err)
	require.ErrorContains(t, err, "the run would take")
}
