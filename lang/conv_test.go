package lang_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The definition of SAME in ONNX's Conv: ceil(size/stride) results, an odd element
// of padding after or before.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		size, kernel, stride, dilation int64
		low, high                      int64
	}{
		{7, 3, 1, 1, 1, 1}, {7, 2, 1, 1, 0, 1}, {7, 3, 2, 1, 1, 1}, {8, 3, 2, 1, 0, 1}, {8, 3, 1, 2, 2, 2}, {8, 1, 3, 1, 0, 0}, {8, 4, 0, 1, 0, 0},
	} {
		low, high := lang.SamePadding(c.size, c.kernel, c.stride, c.dilation, false)
		require.Equal(t, [2]int64{c.low, c.high}, [2]int64{low, high}, "%+v", c)
		low, high = lang.SamePadding(c.size, c.kernel, c.stride, c.dilation, true)
		require.Equal(t, [2]int64{c.high, c.low}, [2]int64{low, high}, "%+v", c)
	}
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x, k := f.Input("x", dtype.F32, 1, 2, 7, 8), f.Input("k", dtype.F32, 3, 2, 3, 4)
			f.Output("y", x.Conv(k, x.WithSamePadding(lang.WindowOptions{Strides: []int64{2, 3}}, []int64{3, 4}, false)))
		})
	})
	require.NoError(t, err)
	require.Equal(t, tensor.TypeOf(dtype.F32, 1, 3, 4, 3), g.Funcs[0].Body.Results[0].Type)
}

func TestWindowsThatDoNotFit(t *testing.T) {
	for code, build := range map[errs.Code]func(x lang.Tensor) lang.Tensor{
		lang.CodeMisuse: func(x lang.Tensor) lang.Tensor {
			return x.AvgPool([]int64{2}, x.WithSamePadding(lang.WindowOptions{}, []int64{2, 2}, false))
		},
		"OP_SHAPE":     func(x lang.Tensor) lang.Tensor { return x.MaxPool([]int64{9}, lang.WindowOptions{}) },
		"OP_ATTRIBUTE": func(x lang.Tensor) lang.Tensor { return x.Conv(x, lang.WindowOptions{Groups: -1}) },
	} {
		_, err := lang.Capture("m", nil, func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) { f.Output("y", build(f.Input("x", dtype.F32, 1, 2, 7))) })
		})
		require.Equal(t, code, errs.CodeOf(err), "%v", err)
	}
}
