//go:build integration

package traps

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// updated returns both results of a loop or a conditional, each with a different row
// replaced: in one buffer, the second row would be in both.
func updated(f *lang.Func, at lang.Tensor, a, b lang.Tensor) {
	row := f.Input("row", dtype.F32, 1, 2)
	f.Output("a", a.Update(row, at, f.Splat(dtype.I32, 0)))
	f.Output("b", b.Update(row.Negate(), at, f.Splat(dtype.I32, 0)))
}

// rounds is a loop over two values to which each iteration adds a number.
func rounds(f *lang.Func, n, a, b lang.Tensor) (lang.Tensor, lang.Tensor) {
	out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), a, b},
		func(v []lang.Tensor) lang.Tensor { return v[0].Less(n) },
		func(v []lang.Tensor) []lang.Tensor {
			return []lang.Tensor{v[0].AddScalar(1), v[1].AddScalar(1), v[2].AddScalar(2)}
		})
	return out[1], out[2]
}

// sharedResults are models in which one value has two names after a loop or a conditional.
var sharedResults = map[string]func(f *lang.Func, n, x lang.Tensor){
	"a splat that two values of a loop start from": func(f *lang.Func, n, x lang.Tensor) {
		zero := f.Splat(dtype.F32, 0, 3, 2)
		a, b := rounds(f, n, zero, zero)
		updated(f, n, a, b)
	},
	"equal splats": func(f *lang.Func, n, x lang.Tensor) {
		a, b := rounds(f, n, f.Splat(dtype.F32, 1, 3, 2), f.Splat(dtype.F32, 1, 3, 2))
		updated(f, n, a, b)
	},
	"an argument that two values of a loop start from": func(f *lang.Func, n, x lang.Tensor) {
		a, b := rounds(f, n, x, x)
		updated(f, n, a, b)
	},
	"a value and another shape of it": func(f *lang.Func, n, x lang.Tensor) {
		y := x.Exp()
		a, b := rounds(f, n, y, y.Reshape(2, 3))
		updated(f, n, a, b.Reshape(3, 2))
	},
	"a value that is used after the loop": func(f *lang.Func, n, x lang.Tensor) {
		y, z := x.Exp(), x.Negate()
		a, _ := rounds(f, n, y, z)
		updated(f, n, a, y)
	},
	"a value that a branch returns twice": func(f *lang.Func, n, x lang.Tensor) {
		y := x.Exp()
		out := f.Cond(n.Less(f.Splat(dtype.I32, 1)),
			func() []lang.Tensor { return []lang.Tensor{y, y} },
			func() []lang.Tensor { return []lang.Tensor{y.Add(x), y.Mul(x)} })
		updated(f, n, out[0], out[1])
	},
	"a value that a branch returns and that is used after it": func(f *lang.Func, n, x lang.Tensor) {
		y := x.Exp()
		out := f.Cond(n.Less(f.Splat(dtype.I32, 1)),
			func() []lang.Tensor { return []lang.Tensor{y} },
			func() []lang.Tensor { return []lang.Tensor{y.Add(x)} })
		f.Output("a", out[0].Update(f.Input("row", dtype.F32, 1, 2), n, f.Splat(dtype.I32, 0)))
		f.Output("b", y)
	},
	"a value that each iteration returns twice": func(f *lang.Func, n, x lang.Tensor) {
		out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), x.Exp(), x.Negate()},
			func(v []lang.Tensor) lang.Tensor { return v[0].Less(n) },
			func(v []lang.Tensor) []lang.Tensor {
				y := v[1].Add(v[2])
				return []lang.Tensor{v[0].AddScalar(1), y, y}
			})
		updated(f, n, out[1], out[2])
	},
}

// The compiler lets two results of a loop or of a conditional share a buffer, unless the text
// prevents it.
func TestSharedResults(t *testing.T) {
	args := func(n int32) []tensor.Value {
		return []tensor.Value{value(t, []int32{n}), value(t, []float32{1, 2, 3, 4, 5, 6}, 3, 2), value(t, []float32{10, 20}, 1, 2)}
	}
	for name, build := range sharedResults {
		t.Run(name, func(t *testing.T) {
			g, err := lang.Capture("shared", nil, func(m *lang.Module) {
				m.Entry("main", func(f *lang.Func) { build(f, f.Input("n", dtype.I32), f.Input("x", dtype.F32, 3, 2)) })
			})
			require.NoError(t, err)
			calls := func(o open.Options) (results [][]tensor.Value, err error) {
				x, err := open.Graph(context.Background(), g, o)
				if err != nil {
					return nil, err
				}
				for n := range int32(3) {
					got, err := x.Call(context.Background(), "main", args(n)...)
					require.NoError(t, err)
					results = append(results, got)
				}
				return results, x.Close()
			}
			want, err := calls(open.Options{Backend: open.CPU})
			require.NoError(t, err)
			o := compiled()
			got, err := calls(o)
			require.NoError(t, err)
			require.Zero(t, differing(t, want, got))
			o.Without = []string{iree.SharedResult}
			if got, err = calls(o); err != nil {
				require.ErrorContains(t, err, "circular dependency") // of two updates of one buffer
				return
			}
			require.NotZero(t, differing(t, want, got), "the compiler no longer has the fault: remove the form from compile/iree")
		})
	}
}

// differing counts the elements that differ by more than approximations of an exponential
// do.
func differing(t *testing.T, want, got [][]tensor.Value) int {
	t.Helper()
	count := 0
	for i := range want {
		for j := range want[i] {
			w, err := tensor.Slice[float32](want[i][j])
			require.NoError(t, err)
			g, err := tensor.Slice[float32](got[i][j])
			require.NoError(t, err)
			for k := range w {
				if math.Abs(float64(w[k]-g[k])) > 1e-5*math.Abs(float64(w[k])) {
					count++
				}
			}
		}
	}
	return count
}
