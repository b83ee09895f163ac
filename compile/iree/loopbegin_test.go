package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// What a loop begins with is behind a barrier where it is converted, also under another
// shape, and a call gives its size.
func TestConvertedBegins(t *testing.T) {
	barriers := func(rows shape.Dim, d dtype.DType, without ...string) int {
		text := mustEmit(t, func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				x := f.InputOf("x", d, shape.N(1), rows, shape.N(6)).Convert(dtype.F32).ReshapeOf(rows, shape.N(6))
				out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), x},
					func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 4)) },
					func(c []lang.Tensor) []lang.Tensor { return []lang.Tensor{c[0].AddScalar(1), c[1].MulScalar(0.5)} })
				f.Output("y", out[1])
			})
		}, Options{Kernels: true, Without: without}).Text
		return bytes.Count(text, []byte("optimization_barrier"))
	}
	n := shape.Named("n")
	require.Equal(t, 1, barriers(n, dtype.F16)-barriers(n, dtype.F16, "loop-begin"))
	require.Equal(t, barriers(n, dtype.F32), barriers(n, dtype.F32, "loop-begin"), "it is the argument")
	require.Equal(t, barriers(shape.N(3), dtype.F16), barriers(shape.N(3), dtype.F16, "loop-begin"))
}
