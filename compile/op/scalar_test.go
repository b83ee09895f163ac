package op

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		d       dtype.DType
		yes, no []float64
	}{
		{dtype.Bool, []float64{0, 1}, []float64{2, -1, 0.5, math.NaN()}},
		{dtype.U8, []float64{0, 255}, []float64{256, -1, 1.5, math.Inf(1), math.NaN()}},
		{dtype.I8, []float64{-128, 127}, []float64{-129, 128, 0.5, math.Inf(-1)}},
		{dtype.I32, []float64{math.MinInt32, math.MaxInt32}, []float64{1 << 31, 1e300}},
		{dtype.I64, []float64{math.MinInt64, 1<<63 - 1024}, []float64{1 << 63}},
		{dtype.U64, []float64{1<<64 - 2048}, []float64{1 << 64, -1}},
		{dtype.F16, []float64{0.1, 1e300, math.Inf(1), math.NaN()}, nil},
	} {
		for i, v := range append(tt.yes, tt.no...) {
			require.Equal(t, i < len(tt.yes), Holds(tt.d, v), "%s of %v", tt.d, v)
			_, _, err := Infer("splat", nil, with(typed(tt.d, 2), "value", v))
			if i < len(tt.yes) {
				require.NoError(t, err)
			} else {
				require.Equal(t, CodeAttribute, errs.CodeOf(err))
			}
		}
	}
}
