package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The exponential of a softmax that is written out is behind a barrier, as that of the
// operation is; one that only a sum reads is not.
func TestSummedExponentials(t *testing.T) {
	for name, c := range map[string]struct {
		y    func(x lang.Tensor) lang.Tensor
		want int
	}{
		"operation": {func(x lang.Tensor) lang.Tensor { return x.Softmax(1) }, 1},
		"written out": {func(x lang.Tensor) lang.Tensor {
			e := x.Sub(x.ReduceMax(true, 1)).Exp()
			return e.Div(e.Sum(true, 1))
		}, 1},
		"only summed": {func(x lang.Tensor) lang.Tensor { return x.Exp().Sum(true, 1).Log() }, 0},
		"not summed":  {func(x lang.Tensor) lang.Tensor { e := x.Exp(); return e.Div(e.AddScalar(1)) }, 0},
	} {
		model := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) { f.Output("y", c.y(f.Input("x", dtype.F32, 5, 3))) })
		}
		text := mustEmit(t, model, Options{Kernels: true}).Text
		require.Equal(t, c.want, bytes.Count(text, []byte("optimization_barrier")), "%s: %s", name, text)
	}
}
