package iree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A pool is one call of a kernel, which no padding and no slice precedes; a part of it that
// something else uses too is computed apart.
func TestMaxPoolKernel(t *testing.T) {
	padded := lang.WindowOptions{Low: []int64{1, 0}, High: []int64{0, 1}, Strides: []int64{2, 1}}
	for name, tt := range map[string]struct {
		build  func(f *lang.Func, x lang.Tensor) lang.Tensor
		kernel string // empty: none
	}{
		"both": {func(_ *lang.Func, x lang.Tensor) lang.Tensor { return x.MaxPool([]int64{3, 2}, padded) }, "max_pool_3x2_stride_2x1"},
		"one": {func(_ *lang.Func, x lang.Tensor) lang.Tensor {
			return x.MaxPool([]int64{1, 3}, lang.WindowOptions{Low: []int64{0, 1}, High: []int64{0, 1}})
		}, "max_pool_1x3"},
		"ceil": {func(_ *lang.Func, x lang.Tensor) lang.Tensor {
			return x.MaxPool([]int64{2, 2}, lang.WindowOptions{Strides: []int64{2, 2}, Ceil: true})
		}, "max_pool_2x2_stride_2x2"},
		"spread": {func(_ *lang.Func, x lang.Tensor) lang.Tensor {
			return x.MaxPool([]int64{2, 3}, lang.WindowOptions{Dilation: []int64{3, 2}, Strides: []int64{3, 1}})
		}, "max_pool_2x3_stride_3x1_dilation_3x2"},
		"as it lies": {func(_ *lang.Func, x lang.Tensor) lang.Tensor { return x.MaxPool([]int64{3, 3}, lang.WindowOptions{}) }, ""},
		"plain":      {func(_ *lang.Func, x lang.Tensor) lang.Tensor { return x.Max(x.Exp()) }, ""},
		"other slices": {func(_ *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Slice(2, 0, 5).Max(x.Slice(2, 4, 9)).Max(x.Slice(2, 1, 6))
		}, ""},
		"used twice": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			a, b := x.SliceBy(2, 0, 7, 2), x.SliceBy(2, 1, 8, 2)
			f.Output("a", a)
			return a.Max(b)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := string(mustEmit(t, func(m *lang.Module) {
				m.Entry("f", func(f *lang.Func) { f.Output("y", tt.build(f, f.Input("x", dtype.F32, 1, 2, 9, 11))) })
			}, Options{Kernels: true}).Text)
			if tt.kernel == "" {
				require.NotContains(t, text, "max_pool")
				require.Contains(t, text, "stablehlo.maximum")
				return
			}
			require.Equal(t, 1, strings.Count(text, "= flow.dispatch @"+tt.kernel+"::"), text)
			require.Equal(t, 1, strings.Count(text, "stream.executable private"))
			for _, gone := range []string{"stablehlo.maximum", "stablehlo.pad", "stablehlo.slice"} {
				require.NotContains(t, text, gone)
			}
		})
	}
}
