package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Barriers separate what Vulkan programs got wrong in the text for all targets, and only
// that: package optest runs such programs.
func TestOperandsApart(t *testing.T) {
	dims := lang.Dims{LHS: []int{1}, RHS: []int{1}}
	for name, c := range map[string]struct {
		build func(f *lang.Func, x lang.Tensor) lang.Tensor
		want  int
	}{
		"part of what was widened": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Dot(f.Input("w", dtype.F16, 8, 4).Convert(dtype.F32).Exp().Slice(0, 2, 6), lang.Dims{}, dims)
		}, 1},
		"part that is widened": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Dot(f.Input("w", dtype.I8, 8, 4).Slice(0, 2, 6).Convert(dtype.F32), lang.Dims{}, dims)
		}, 1},
		"the whole": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Dot(f.Input("w", dtype.F16, 8, 4).Convert(dtype.F32), lang.Dims{}, dims)
		}, 0},
		"part that was wide": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Dot(f.Input("w", dtype.F32, 8, 4).Slice(0, 2, 6), lang.Dims{}, dims)
		}, 0},
		"sum over the first dimension": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Mul(x).Sum(false, 0)
		}, 2},
		"sum over the last dimension": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Mul(x).Sum(false, 1)
		}, 1},
		"norm of a transposed product": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			y := x.Dot(f.Input("w", dtype.F32, 8, 4), lang.Dims{}, dims).AddScalar(1).Transpose(1, 0).Exp()
			return y.LayerNorm(f.Input("gamma", dtype.F32, 3), f.Input("beta", dtype.F32, 3), 1e-5)
		}, 3},
		"norm of a product": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			y := x.Dot(f.Input("w", dtype.F32, 8, 4), lang.Dims{}, dims).AddScalar(1).Exp()
			return y.LayerNorm(f.Input("gamma", dtype.F32, 8), f.Input("beta", dtype.F32, 8), 1e-5)
		}, 2},
		"norm of what was transposed": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Transpose(1, 0).Exp().LayerNorm(f.Input("gamma", dtype.F32, 3), f.Input("beta", dtype.F32, 3), 1e-5)
		}, 2},
		"product of a transposed product": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			y := x.Dot(f.Input("w", dtype.F32, 8, 4), lang.Dims{}, dims).Transpose(1, 0).Exp()
			return y.MatMul(f.Input("v", dtype.F32, 3, 5))
		}, 0},
		"indices along the first dimension": {func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Mul(x).ArgMax(0)
		}, 3},
	} {
		build := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) { f.Output("y", c.build(f, f.Input("x", dtype.F32, 3, 4))) })
		}
		text := mustEmit(t, build, Options{}).Text
		require.Equal(t, c.want, bytes.Count(text, []byte("optimization_barrier")), "%s: %s", name, text)
	}
}
