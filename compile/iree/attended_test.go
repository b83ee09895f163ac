package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// An attention that is written out is one kernel, unless something else reads a part of it.
func TestAttended(t *testing.T) {
	b, n := shape.Named("batch"), shape.Named("seq")
	plain := func(_ *lang.Func, s lang.Tensor) lang.Tensor { return s }
	for name, c := range map[string]struct {
		scores func(f *lang.Func, s lang.Tensor) lang.Tensor
		shares func(f *lang.Func, w lang.Tensor) lang.Tensor
		want   int
	}{
		"alone":  {plain, plain, 1},
		"scaled": {func(_ *lang.Func, s lang.Tensor) lang.Tensor { return s.DivScalar(4) }, plain, 1},
		"masked": {func(f *lang.Func, s lang.Tensor) lang.Tensor {
			return s.MulScalar(0.25).Add(f.InputOf("mask", dtype.F32, b, shape.N(1), shape.N(1), n).BroadcastOf(s.Dims()...))
		}, plain, 1},
		"a mask for each query": {func(f *lang.Func, s lang.Tensor) lang.Tensor {
			return s.Add(f.InputOf("mask", dtype.F32, b, shape.N(1), n, n).BroadcastOf(s.Dims()...))
		}, plain, 0},
		"scaled by a value": {func(f *lang.Func, s lang.Tensor) lang.Tensor {
			return s.Mul(f.Input("scale", dtype.F32).BroadcastOf(s.Dims()...))
		}, plain, 0},
		"squared": {func(_ *lang.Func, s lang.Tensor) lang.Tensor { return s.Square() }, plain, 0},
		"scores that are read": {func(f *lang.Func, s lang.Tensor) lang.Tensor {
			f.Output("scores", s)
			return s
		}, plain, 0},
		"weights that are read": {plain, func(f *lang.Func, w lang.Tensor) lang.Tensor {
			f.Output("weights", w)
			return w
		}, 0},
		"weights that are doubled": {plain, func(_ *lang.Func, w lang.Tensor) lang.Tensor { return w.MulScalar(2) }, 0},
	} {
		model := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				of := func(name string, rows, columns shape.Dim) lang.Tensor {
					return f.InputOf(name, dtype.F32, b, shape.N(4), rows, columns)
				}
				d := shape.N(16)
				w := c.shares(f, c.scores(f, of("q", n, d).MatMul(of("k", d, n))).Softmax(3))
				f.Output("y", w.MatMul(of("v", n, d)))
			})
		}
		text := mustEmit(t, model, Options{Kernels: true}).Text
		require.Equal(t, c.want, bytes.Count(text, []byte("= flow.dispatch @attend_all")), "%s: %s", name, text)
		require.Equal(t, 2-2*c.want, bytes.Count(text, []byte("= flow.dispatch @product")), "%s: %s", name, text)
		require.Equal(t, c.want == 0, bytes.Contains(text, []byte("stablehlo.exponential")), name)
		without := mustEmit(t, model, Options{Kernels: true, Without: []string{"whole-attention"}}).Text
		require.NotContains(t, string(without), "attend_all", name)
	}
}
