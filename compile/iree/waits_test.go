package iree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// What a loop carries is never behind a barrier, in whatever shape (carried-barrier).
func TestNoBarrierOfCarriedValues(t *testing.T) {
	for name, tt := range map[string]struct {
		body func(f *lang.Func, fn lang.Callee, v lang.Tensor) lang.Tensor
		want int
	}{
		"itself": {func(_ *lang.Func, _ lang.Callee, v lang.Tensor) lang.Tensor { return v.Barrier().AddScalar(1) }, 0},
		"reshaped": {func(_ *lang.Func, _ lang.Callee, v lang.Tensor) lang.Tensor {
			return v.Reshape(2, 4).Barrier().Reshape(8).AddScalar(1)
		}, 0},
		"computed": {func(_ *lang.Func, _ lang.Callee, v lang.Tensor) lang.Tensor { return v.Exp().Barrier().AddScalar(1) }, 1},
		// A zero that the compiler does not know, of which a copy is made, and the function's barrier.
		"in a function": {func(f *lang.Func, fn lang.Callee, v lang.Tensor) lang.Tensor {
			return f.Call(fn, v.Reshape(2, 4))[0].Reshape(8)
		}, 2},
		"in a function, computed": {func(f *lang.Func, fn lang.Callee, v lang.Tensor) lang.Tensor {
			return f.Call(fn, v.Exp().Reshape(2, 4))[0].Reshape(8)
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			text := string(mustEmit(t, func(m *lang.Module) {
				fn := m.Func("behind", func(f *lang.Func) {
					f.Output("y", f.Input("x", dtype.F32, 2, 4).Reshape(4, 2).Barrier().Reshape(2, 4).AddScalar(1))
				})
				m.Entry("main", func(f *lang.Func) {
					out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), f.Input("x", dtype.F32, 8)},
						func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 5)) },
						func(c []lang.Tensor) []lang.Tensor { return []lang.Tensor{c[0].AddScalar(1), tt.body(f, fn, c[1])} })
					f.Output("y", out[1])
				})
			}, Options{Kernels: true}).Text)
			if !strings.Contains(text, "func.call @behind") {
				_, text, _ = strings.Cut(text, "func.func @main")
			}
			require.Equal(t, tt.want, strings.Count(text, "stablehlo.optimization_barrier"), "%s", text)
		})
	}
}

// A loop over a variable lies between two calls, of a function whose name no other symbol
// has (moved-access).
func TestCallsAroundLoops(t *testing.T) {
	text := string(mustEmit(t, func(m *lang.Module) {
		s := m.State("between", dtype.F32, 0, 8, 2)
		m.Entry("main", func(f *lang.Func) {
			zero := f.Splat(dtype.I32, 0)
			out := f.While([]lang.Tensor{zero, f.Read(s)},
				func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 5)) },
				func(c []lang.Tensor) []lang.Tensor {
					return []lang.Tensor{c[0].AddScalar(1), c[1].Update(f.Splat(dtype.F32, 1, 1, 2), c[0], zero)}
				})
			f.Write(s, out[1])
			f.Output("y", out[1])
		})
	}, Options{}).Text)
	const call = "util.call @between_1() : () -> ()"
	require.Contains(t, text, "util.func private @between_1()")
	require.Equal(t, 2, strings.Count(text, call))
	before, rest, _ := strings.Cut(text, call)
	loop, after, _ := strings.Cut(rest, call)
	require.Contains(t, before, "util.global.store")
	require.Contains(t, loop, "stablehlo.while")
	require.Contains(t, after, "util.global.load")
}
