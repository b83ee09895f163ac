package iree

import (
	"bytes"
	"strings"
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

// So does one with a weight that is stored by rows of K, where it has enough columns for a
// vector; an integer type that a kernel does not widen is converted before.
func TestProductsByRows(t *testing.T) {
	for d, want := range map[dtype.DType]string{dtype.F16: "product_f16", dtype.BF16: "product_bf16", dtype.I8: "product_i8", dtype.F32: "product", dtype.I16: "product"} {
		build := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				w := f.Input("w", d, 64, 48)
				if d != dtype.F32 {
					w = w.Convert(dtype.F32)
				}
				f.Output("y", f.InputOf("x", dtype.F32, shape.Named("rows"), shape.N(64)).MatMul(w))
			})
		}
		text := string(mustEmit(t, build, Options{Kernels: true}).Text)
		require.Contains(t, text, "= flow.dispatch @"+want+"::", "%s", d)
		if want == "product" { // these rows are near, and read where they lie if tiles are wide
			wide := string(mustEmit(t, build, Options{Kernels: true, Wide: true}).Text)
			require.Contains(t, wide, "= flow.dispatch @product_direct::", "%s", d)
		}
		require.Equal(t, d == dtype.I16, strings.Contains(text, "-> tensor<64x48xf32>"), "%s", d)
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

// A convolution whose result has its operand's sizes reads it as it is, and does what follows
// too; one that has other sizes reads a padded copy.
func TestConvolutionsOfTheSameSizes(t *testing.T) {
	for name, tt := range map[string]struct {
		options lang.WindowOptions
		kernel  string // empty: of a copy
	}{
		"same":    {lang.WindowOptions{Low: []int64{1, 1}, High: []int64{1, 1}}, "@conv_3x3_same_1x1_leaky_0_25::"},
		"strided": {lang.WindowOptions{High: []int64{1, 1}, Strides: []int64{2, 2}}, "@conv_3x3_stride_2x2_same_0x0_leaky_0_25::"},
		"wider":   {lang.WindowOptions{Low: []int64{2, 2}, High: []int64{2, 2}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := string(mustEmit(t, func(m *lang.Module) {
				m.Entry("f", func(f *lang.Func) {
					f.Output("y", f.Input("x", dtype.F32, 1, 8, 10, 12).Conv(f.Input("w", dtype.F32, 4, 8, 3, 3), tt.options).LeakyReLU(0.25))
				})
			}, Options{Kernels: true}).Text)
			require.NotContains(t, text, "stablehlo.compare", "the activation is the kernel's")
			if tt.kernel == "" {
				require.Contains(t, text, "stablehlo.pad")
				require.NotContains(t, text, "same")
				return
			}
			require.Contains(t, text, tt.kernel)
			require.NotContains(t, text, "stablehlo.pad")
			require.NotContains(t, text, "stablehlo.slice")
		})
	}
}
