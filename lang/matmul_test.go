package lang

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// from returns the numbers first, first + 1, ... in f32.
func from(t *testing.T, first int, sizes ...int64) tensor.Value {
	t.Helper()
	n, err := shape.Of(sizes...).Elements()
	require.NoError(t, err)
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(first + i)
	}
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

// Products are those of NumPy 2.4.6's matmul, of arange(...).reshape(a) + 1 and
// arange(...).reshape(b) - 1.
func TestMatMulBroadcastsAsNumPyDoes(t *testing.T) {
	for name, tt := range map[string]struct {
		a, b, sizes []int64
		want        []float32
	}{
		"matrices":               {[]int64{2, 3}, []int64{3, 2}, []int64{2, 2}, []float32{10, 16, 19, 34}},
		"batches":                {[]int64{2, 1, 2}, []int64{2, 2, 1}, []int64{2, 1, 1}, []float32{-1, 11}},
		"one matrix for all":     {[]int64{2, 2, 2}, []int64{2, 3}, []int64{2, 2, 3}, []float32{3, 6, 9, 5, 12, 19, 7, 18, 29, 9, 24, 39}},
		"batch on the right":     {[]int64{2, 2}, []int64{2, 2, 1}, []int64{2, 2, 1}, []float32{-1, -3, 5, 11}},
		"both batches broadcast": {[]int64{2, 1, 1, 2}, []int64{3, 2, 1}, []int64{2, 3, 1, 1}, []float32{-1, 5, 11, -3, 11, 25}},
		"row":                    {[]int64{2}, []int64{2, 2, 1}, []int64{2, 1}, []float32{-1, 5}},
		"column":                 {[]int64{2, 2, 2}, []int64{2}, []int64{2, 2}, []float32{-1, -3, -5, -7}},
		"inner product":          {[]int64{3}, []int64{3}, []int64{}, []float32{2}},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := Capture("matmul", nil, func(m *Module) {
				m.Entry("main", func(f *Func) {
					f.Output("y", f.Input("a", dtype.F32, tt.a...).MatMul(f.Input("b", dtype.F32, tt.b...)))
				})
			})
			require.NoError(t, err)
			c, err := describe.Contract(g)
			require.NoError(t, err)
			x, err := cpu.Load(g, c, nil)
			require.NoError(t, err)
			out, err := x.Call(context.Background(), "main", from(t, 1, tt.a...), from(t, -1, tt.b...))
			require.NoError(t, err)
			require.NoError(t, x.Close())
			got, err := tensor.Slice[float32](out[0])
			require.NoError(t, err)
			require.Equal(t, tensor.TypeOf(dtype.F32, tt.sizes...).String(), out[0].Type.String())
			require.Equal(t, tt.want, got)
		})
	}
}

// One matrix for a whole batch is one product, whose matrix is not repeated.
func TestMatMulByOneMatrixRepeatsNothing(t *testing.T) {
	g, err := Capture("matmul", nil, func(m *Module) {
		m.Entry("main", func(f *Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("batch"), shape.Named("seq"), shape.N(4))
			f.Output("y", x.MatMul(f.Input("w", dtype.F32, 4, 5)))
		})
	})
	require.NoError(t, err)
	require.Equal(t, []string{"main/dot_general: dot_general"}, paths(g, "main"))
}
