package hlo

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Integers have the interval of what they are made of, or of their type if they may wrap.
func TestIntervalOfIntegers(t *testing.T) {
	whole := func(x lang.Tensor) lang.Tensor { return x.Convert(dtype.I32) }
	for name, tt := range map[string]struct {
		make      func(x, z lang.Tensor) lang.Tensor // of u8
		low, high float64
	}{
		"a byte":           {func(x, _ lang.Tensor) lang.Tensor { return whole(x) }, 0, 255},
		"less a byte":      {func(x, z lang.Tensor) lang.Tensor { return whole(x).Sub(whole(z)) }, -255, 255},
		"moved":            {func(x, _ lang.Tensor) lang.Tensor { return whole(x).Reshape(2, 1).Transpose(1, 0) }, 0, 255},
		"wraps":            {func(x, z lang.Tensor) lang.Tensor { return x.Sub(z) }, 0, 255},
		"wraps in between": {func(x, z lang.Tensor) lang.Tensor { return whole(x.Add(z)) }, 0, 255},
		"of a fraction": {func(x, _ lang.Tensor) lang.Tensor {
			return whole(x.Convert(dtype.F32).MulScalar(0.01).SubScalar(1.5))
		}, -1, 1},
		"of a large number": {func(x, _ lang.Tensor) lang.Tensor {
			return whole(x.Convert(dtype.F32).MulScalar(1e9))
		}, math.MinInt32, math.MaxInt32},
		"64 bits": {func(x, _ lang.Tensor) lang.Tensor { return x.Convert(dtype.I64) }, math.MinInt64, math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := lang.Capture("m", nil, func(m *lang.Module) {
				m.Entry("f", func(f *lang.Func) { f.Output("y", tt.make(f.Input("x", dtype.U8, 2), f.Input("z", dtype.U8, 2))) })
			})
			require.NoError(t, err)
			require.Equal(t, op.Interval{Low: tt.low, High: tt.high}, Interval(g.Funcs[0].Body.Results[0], 8))
		})
	}
}
