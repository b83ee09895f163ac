package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// The least and the greatest of all elements of a tensor are one kernel; those of its rows, of
// a small tensor and of another type are the compiler's.
func TestExtremes(t *testing.T) {
	rows := shape.Shape{shape.Named("rows"), shape.N(64)}
	both := func(x lang.Tensor) lang.Tensor { return x.ReduceMax(false, 0, 1).Sub(x.ReduceMin(false, 0, 1)) }
	for name, c := range map[string]struct {
		of   shape.Shape
		d    dtype.DType
		y    func(x lang.Tensor) lang.Tensor
		want int
	}{
		"both":           {rows, dtype.F32, both, 1},
		"one":            {rows, dtype.F32, func(x lang.Tensor) lang.Tensor { return x.ReduceMin(true, 0, 1) }, 1},
		"two tensors":    {rows, dtype.F32, func(x lang.Tensor) lang.Tensor { return both(x).Add(both(x.Exp())) }, 2},
		"of known size":  {shape.Of(64, 64), dtype.F32, both, 1},
		"few":            {shape.Of(63, 64), dtype.F32, both, 0},
		"of each row":    {rows, dtype.F32, func(x lang.Tensor) lang.Tensor { return x.ReduceMax(false, 1) }, 0},
		"halves":         {rows, dtype.F16, both, 0},
		"another result": {rows, dtype.F32, func(x lang.Tensor) lang.Tensor { return x.Sum(false, 0, 1) }, 0},
	} {
		model := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) { f.Output("y", c.y(f.InputOf("x", c.d, c.of...))) })
		}
		text := mustEmit(t, model, Options{Kernels: true}).Text
		require.Equal(t, c.want, bytes.Count(text, []byte("= flow.dispatch @extremes")), "%s: %s", name, text)
	}
}
