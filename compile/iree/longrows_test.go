package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// What a norm of an unknown number of rows reads is stored first, where it is computed: once,
// and not for each time that the norm reads it.
func TestUnknownRows(t *testing.T) {
	rows := shape.Shape{shape.Named("rows"), shape.N(384)}
	norm := func(x lang.Tensor) lang.Tensor {
		f := x.Sub(x.Mean(true, 1))
		return f.Div(f.Square().Mean(true, 1).AddScalar(1e-5).Sqrt())
	}
	for name, c := range map[string]struct {
		of   shape.Shape
		y    func(x lang.Tensor) lang.Tensor
		want int
	}{
		"written out": {rows, func(x lang.Tensor) lang.Tensor { return norm(x.Add(x.Abs())) }, 1},
		"operation": {rows, func(x lang.Tensor) lang.Tensor {
			one := lang.Const(x.Func(), []float32{1}, 1).BroadcastTo(384)
			return x.Add(x.Abs()).LayerNorm(one, one, 1e-5)
		}, 1},
		"an argument":                        {rows, norm, 0},
		"a number that is known":             {shape.Of(128, 384), func(x lang.Tensor) lang.Tensor { return norm(x.Add(x.Abs())) }, 0},
		"a softmax, but for its exponential": {rows, func(x lang.Tensor) lang.Tensor { return x.Add(x.Abs()).Softmax(1) }, 1},
		"read once":                          {rows, func(x lang.Tensor) lang.Tensor { return x.Add(x.Abs()).Sum(true, 1) }, 0},
	} {
		model := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) { f.Output("y", c.y(f.InputOf("x", dtype.F32, c.of...))) })
		}
		text := mustEmit(t, model, Options{Kernels: true}).Text
		require.Equal(t, c.want, bytes.Count(text, []byte("optimization_barrier")), "%s: %s", name, text)
		portable := mustEmit(t, model, Options{Without: []string{"unknown-rows"}}).Text
		require.Equal(t, portable, mustEmit(t, model, Options{}).Text, "%s: only texts with kernels", name)
	}
}
