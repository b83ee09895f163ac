package iree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A batch of any size has the kernels of one of a fixed size.
func TestConvolutionsOfAnyBatch(t *testing.T) {
	pads := lang.WindowOptions{Low: []int64{1, 1}, High: []int64{1, 1}}
	strided := lang.WindowOptions{Low: []int64{1, 1}, High: []int64{1, 1}, Strides: []int64{2, 2}}
	for name, tt := range map[string]struct {
		size  int64 // of the plane
		build func(f *lang.Func, x lang.Tensor) lang.Tensor
	}{
		"same": {12, func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Conv(f.Input("k", dtype.F32, 6, 4, 3, 3), pads)
		}},
		"strided": {12, func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Conv(f.Input("k", dtype.F32, 6, 4, 3, 3), strided)
		}},
		"followed": {9, func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Conv(f.Input("k", dtype.F32, 6, 4, 2, 2), lang.WindowOptions{}).Add(f.Input("b", dtype.F32, 6).Reshape(6, 1, 1)).ReLU()
		}},
		"depthwise": {20, func(f *lang.Func, x lang.Tensor) lang.Tensor {
			w := strided
			w.Groups = 4
			return x.Conv(f.Input("k", dtype.F32, 8, 1, 3, 3), w)
		}},
		"depthwise in a line": {7, func(f *lang.Func, x lang.Tensor) lang.Tensor {
			w := pads
			w.Groups = 4
			return x.Conv(f.Input("k", dtype.F32, 4, 1, 3, 3), w)
		}},
		"pool": {12, func(_ *lang.Func, x lang.Tensor) lang.Tensor { return x.MaxPool([]int64{3, 3}, strided) }},
	} {
		t.Run(name, func(t *testing.T) {
			called := func(batch shape.Dim) string {
				text := string(mustEmit(t, func(m *lang.Module) {
					m.Entry("f", func(f *lang.Func) {
						f.Output("y", tt.build(f, f.InputOf("x", dtype.F32, batch, shape.N(4), shape.N(tt.size), shape.N(tt.size))))
					})
				}, Options{Kernels: true}).Text)
				require.Equal(t, 1, strings.Count(text, "= flow.dispatch @"), text)
				for _, gone := range []string{"gather", "stablehlo.dot", "stablehlo.maximum"} {
					require.NotContains(t, text, gone)
				}
				_, call, _ := strings.Cut(text, "= flow.dispatch @")
				symbol, _, _ := strings.Cut(call, "::")
				return symbol
			}
			require.Equal(t, called(shape.N(2)), called(shape.Named("batch")))
		})
	}
}
