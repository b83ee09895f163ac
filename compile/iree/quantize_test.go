package iree

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A tensor is quantised by a kernel where its scale follows from its elements and processors
// have a fused multiply-add; with another scale it is computed with what it is made of.
func TestQuantized(t *testing.T) {
	rows := shape.Shape{shape.Named("rows"), shape.N(64)}
	own := func(x lang.Tensor) lang.Tensor { return x.ReduceMin(false, 0, 1).MulScalar(-1) }
	for name, tt := range map[string]struct {
		of     shape.Shape
		scale  func(x lang.Tensor) lang.Tensor
		to     dtype.DType
		narrow bool
		want   bool
	}{
		"its own scale":     {of: rows, scale: own, to: dtype.U8, want: true},
		"narrow registers":  {of: rows, scale: own, to: dtype.U8, narrow: true},
		"few elements":      {of: shape.Of(63, 64), scale: own, to: dtype.U8},
		"bytes with a sign": {of: rows, scale: own, to: dtype.I8},
		"another scale":     {of: rows, scale: func(x lang.Tensor) lang.Tensor { return own(x.Exp()) }, to: dtype.U8},
	} {
		t.Run(name, func(t *testing.T) {
			model := func(m *lang.Module) {
				m.Entry("f", func(f *lang.Func) {
					x := f.InputOf("x", dtype.F32, tt.of...)
					f.Output("y", x.QuantizeLinear(tt.scale(x), f.Input("z", tt.to), 0))
				})
			}
			text := mustEmit(t, model, Options{Kernels: true, Wide: !tt.narrow}).Text
			if !tt.want {
				require.NotContains(t, string(text), "@quantize")
				return
			}
			require.Contains(t, string(text), "= flow.dispatch @quantize::")
			require.NotContains(t, string(text), "stablehlo.divide", "the kernel divides")
		})
	}
}
