package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// What a loop carries is behind a barrier where another such value of its shape is made of
// it, of which a call gives the sizes.
func TestCarriedTogether(t *testing.T) {
	barriers := func(rows shape.Dim, apart bool, without ...string) int {
		text := mustEmit(t, func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				x := f.InputOf("x", dtype.F32, rows, shape.N(40))
				out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), x, x},
					func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 4)) },
					func(c []lang.Tensor) []lang.Tensor {
						cell := c[2].MulScalar(0.5).Add(x)
						if apart {
							return []lang.Tensor{c[0].AddScalar(1), c[1].Tanh(), cell}
						}
						return []lang.Tensor{c[0].AddScalar(1), cell.Tanh().Mul(c[1]), cell}
					})
				f.Output("y", out[1])
			})
		}, Options{Kernels: true, Without: without}).Text
		return bytes.Count(text, []byte("optimization_barrier"))
	}
	n := shape.Named("n")
	require.Equal(t, 1, barriers(n, false)-barriers(n, false, "loop-in-place"))
	require.Equal(t, barriers(n, true), barriers(n, true, "loop-in-place"))
	require.Equal(t, barriers(shape.N(3), false), barriers(shape.N(3), false, "loop-in-place"))
}
