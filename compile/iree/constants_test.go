package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Numbers made of constants alone have barriers after the constants; in kernels that read an
// argument constants stay in the code.
func TestLonelyConstants(t *testing.T) {
	for name, c := range map[string]struct {
		build func(f *lang.Func, c, x lang.Tensor) lang.Tensor
		want  int
	}{
		"alone":           {func(_ *lang.Func, c, _ lang.Tensor) lang.Tensor { return c.Floor().Exp() }, 1},
		"with indices":    {func(f *lang.Func, c, _ lang.Tensor) lang.Tensor { return c.Add(f.Iota(dtype.F32, 0, 4)).Exp() }, 2}, // the indices have one too
		"with an operand": {func(_ *lang.Func, c, x lang.Tensor) lang.Tensor { return c.Add(x).Exp() }, 0},
		"a bias":          {func(_ *lang.Func, c, x lang.Tensor) lang.Tensor { return c.Reshape(1, 4).Add(x.Reshape(1, 4)) }, 0},
		"a long chain": {func(_ *lang.Func, c, _ lang.Tensor) lang.Tensor {
			for range 40 {
				c = c.Add(c.Exp())
			}
			return c
		}, 1},
	} {
		m := mustEmit(t, func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				f.Output("y", c.build(f, lang.Const(f, []float32{0.5, 1, 2, 3}, 4), f.Input("x", dtype.F32, 4)))
			})
		}, Options{})
		require.Equal(t, c.want, bytes.Count(m.Text, []byte("optimization_barrier")), name)
	}
}
