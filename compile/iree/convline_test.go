package iree

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A residual block is one kernel for each convolution. A node has one kernel: a leaky ReLU
// that one ends in is not read again by the next, and of two convolutions that are added one
// adds the other.
func TestLines(t *testing.T) {
	type made func(f *lang.Func, x lang.Tensor, conv func(x lang.Tensor) lang.Tensor, bias lang.Tensor) lang.Tensor
	for name, k := range map[string]struct {
		build made
		want  []string
		left  int // selections, of leaky ReLUs that are no part of a kernel
	}{
		"residual": {func(_ *lang.Func, x lang.Tensor, conv func(lang.Tensor) lang.Tensor, bias lang.Tensor) lang.Tensor {
			return conv(x.LeakyReLU(0.1)).Add(bias).Add(x)
		}, []string{"leaky_0_1_plus_bias"}, 0},
		"used twice": {func(f *lang.Func, x lang.Tensor, conv func(lang.Tensor) lang.Tensor, _ lang.Tensor) lang.Tensor {
			y := x.LeakyReLU(0.1)
			f.Output("small", y)
			return conv(y)
		}, []string{"leaky_0_1"}, 1},
		"chain": {func(_ *lang.Func, x lang.Tensor, conv func(lang.Tensor) lang.Tensor, bias lang.Tensor) lang.Tensor {
			return conv(conv(x).Add(bias).LeakyReLU(0.1)).Add(bias).ReLU()
		}, []string{"bias_leaky_0_1", "bias_from_0"}, 0},
		"two": {func(_ *lang.Func, x lang.Tensor, conv func(lang.Tensor) lang.Tensor, bias lang.Tensor) lang.Tensor {
			return conv(x).Add(bias).Add(conv(x.LeakyReLU(0.1)).Add(bias))
		}, []string{"leaky_0_1_bias", "plus_bias"}, 0},
		"limit before": {func(_ *lang.Func, x lang.Tensor, conv func(lang.Tensor) lang.Tensor, _ lang.Tensor) lang.Tensor {
			return conv(x).Max(x.Func().Splat(dtype.F32, -1)).LeakyReLU(0.1)
		}, []string{"from_minus_1"}, 1},
	} {
		text := string(mustEmit(t, func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				x := f.InputOf("x", dtype.F32, shape.N(1), shape.N(4), shape.Named("length"))
				kernel, bias := f.Input("k", dtype.F32, 4, 4, 3), f.Input("b", dtype.F32, 4)
				f.Output("y", k.build(f, x, func(x lang.Tensor) lang.Tensor { return x.Conv1D(kernel, 1, 1) }, bias.Reshape(4, 1)))
			})
		}, Options{Kernels: true}).Text)
		var got []string
		for _, call := range regexp.MustCompile(`flow.dispatch @line_3_dilation_1_low_1_?(\w*)::`).FindAllStringSubmatch(text, -1) {
			got = append(got, call[1])
		}
		require.ElementsMatch(t, k.want, got, "%s: %s", name, text)
		require.Equal(t, k.left, strings.Count(text, "stablehlo.select"), "%s: %s", name, text)
		require.NotContains(t, text, "stablehlo.pad", name)
	}
}
