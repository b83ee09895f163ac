package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A product of several rows reads narrow weights itself; for f32 the compiler's own code,
// fused with its consumers, is as good.
func TestProductsOfSeveralRows(t *testing.T) {
	for d, want := range map[dtype.DType]int{dtype.F16: 1, dtype.I8: 1, dtype.F32: 0} {
		build := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				x, w := f.Input("x", dtype.F32, 5, 64), f.Input("w", d, 48, 64)
				if d != dtype.F32 {
					w = w.Convert(dtype.F32)
				}
				f.Output("y", x.Dot(w, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
			})
		}
		text := mustEmit(t, build, Options{Kernels: true}).Text
		require.Equal(t, want, bytes.Count(text, []byte("= flow.dispatch @matmul_")), "%s", text)
		require.Equal(t, want == 0, bytes.Contains(text, []byte("dot_general")))
		require.NotContains(t, string(text), "stablehlo.convert")
	}
}

// Products of a dynamic number of rows are kernels, one for all weights of a type; operands
// are converted in the kernel.
func TestProductsOfDynamicRows(t *testing.T) {
	rows := lang.Dims{LHS: []int{2}, RHS: []int{1}}
	tests := map[string]struct {
		weight func(f *lang.Func) lang.Tensor
		kernel string
	}{
		"f16":     {func(f *lang.Func) lang.Tensor { return f.Input("w", dtype.F16, 48, 64).Convert(dtype.F32) }, "matmul_"},
		"f32":     {func(f *lang.Func) lang.Tensor { return f.Input("w", dtype.F32, 48, 64) }, "matmul_"},
		"f64":     {func(f *lang.Func) lang.Tensor { return f.Input("w", dtype.F64, 48, 64).Convert(dtype.F32) }, "matmul_"},
		"i8":      {func(f *lang.Func) lang.Tensor { return f.Input("w", dtype.I8, 48, 64).Convert(dtype.F32) }, "matmul_"},
		"columns": {func(f *lang.Func) lang.Tensor { return f.Input("w", dtype.F32, 64, 48).Transpose(1, 0) }, "product"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			build := func(m *lang.Module) {
				m.Entry("f", func(f *lang.Func) {
					w := tt.weight(f)
					x := f.InputOf("x", dtype.F32, shape.N(2), shape.Named("seq"), shape.N(64))
					f.Output("y", x.Dot(w, lang.Dims{}, rows))
					f.Output("z", x.Exp().Dot(w, lang.Dims{}, rows))
				})
			}
			text := mustEmit(t, build, Options{Kernels: true}).Text
			require.Equal(t, 2, bytes.Count(text, []byte("= flow.dispatch @"+tt.kernel)), "%s", text)
			require.Equal(t, 1, bytes.Count(text, []byte("stream.executable private")))
			require.NotContains(t, string(mustEmit(t, build, Options{}).Text), "flow.dispatch")
		})
	}
}
