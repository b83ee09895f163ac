package open

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Counted by hand: k is the size of a value of 1024 f32.
func TestPeak(t *testing.T) {
	const k = 4096
	entry := func(build func(f *lang.Func, x lang.Tensor) lang.Tensor) func(m *lang.Module) {
		return func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) { f.Output("y", build(f, f.Input("x", dtype.F32, 1024))) })
		}
	}
	rows := func(f *lang.Func) lang.Tensor { return f.Iota(dtype.F32, 1, 8, 1024) }
	tests := []struct {
		name  string
		build func(m *lang.Module)
		want  int64
	}{
		{"an argument alone", entry(func(_ *lang.Func, x lang.Tensor) lang.Tensor { return x }), k},
		{"two results besides the argument", entry(func(_ *lang.Func, x lang.Tensor) lang.Tensor { y := x.Add(x); return y.Mul(y) }), 3 * k},
		{"a long chain frees what it has used", entry(func(_ *lang.Func, x lang.Tensor) lang.Tensor {
			for range 10 {
				x = x.Add(x)
			}
			return x
		}), 3 * k},
		{"what is used at the end stays", entry(func(_ *lang.Func, x lang.Tensor) lang.Tensor {
			first := x.Add(x)
			y := first
			for range 10 {
				y = y.Mul(y)
			}
			return y.Add(first)
		}), 4 * k},
		{"a reshape shares", entry(func(_ *lang.Func, x lang.Tensor) lang.Tensor {
			y := x.Add(x).Reshape(32, 32)
			return y.Mul(y).Reshape(1024)
		}), 3 * k},
		{"constants stay", entry(func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Add(f.Splat(dtype.F32, 1, 1024)).Mul(f.Splat(dtype.F32, 2, 1024))
		}), 5 * k},
		{"what a constant is computed from, while it is", entry(func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Add(rows(f).Sum(false, 0))
		}), 10 * k}, // the argument, the constant's sum and, for that, eight
		{"a chain to a constant frees what it has used", entry(func(f *lang.Func, x lang.Tensor) lang.Tensor {
			return x.Add(rows(f).Exp().Tanh().Exp().Sum(false, 0))
		}), 18 * k},
		{"but for what more than one node on the way uses", entry(func(f *lang.Func, x lang.Tensor) lang.Tensor {
			c := rows(f)
			return x.Add(c.Mul(c).Exp().Sum(false, 0))
		}), 26 * k},
		{"two constants, one after the other", entry(func(f *lang.Func, x lang.Tensor) lang.Tensor {
			first, second := rows(f).Sum(false, 0), rows(f).Exp().Sum(false, 0)
			return x.Add(first).Mul(second)
		}), 20 * k}, // the argument, two sums, what was added and, for the second sum, sixteen
		{"the way to a constant through another, as if that were not there", entry(func(f *lang.Func, x lang.Tensor) lang.Tensor {
			c := rows(f).Sum(false, 0)
			return x.Add(c).Mul(c.Exp().Tanh())
		}), 12 * k}, // the argument, two constants, what was added and eight
		{"the way to a constant that is also there in another shape", entry(func(f *lang.Func, _ lang.Tensor) lang.Tensor {
			c := rows(f)
			y := f.Input("long", dtype.F32, 8192).Add(c.Reshape(8192))
			return y.Slice(0, 0, 1024).Add(c.Exp().Sum(false, 0))
		}), 35 * k}, // two arguments, the constant, its sum, a slice and, for the sum, sixteen
		{"a constant that is returned", entry(func(f *lang.Func, _ lang.Tensor) lang.Tensor {
			return rows(f).Sum(false, 0)
		}), 10 * k},
		{"the larger entry point", func(m *lang.Module) {
			entry(func(_ *lang.Func, x lang.Tensor) lang.Tensor { return x })(m)
			m.Entry("other", func(f *lang.Func) { x := f.Input("x", dtype.F32, 1024); f.Output("y", x.Add(x)) })
		}, 2 * k},
		{"a parameter once, f16 as f32", func(m *lang.Module) {
			for _, name := range []string{"a", "b"} {
				m.Entry(name, func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F16, 1024).Add(f.Param("h"))) })
			}
		}, 3 * k},
		{"a function's own values", func(m *lang.Module) {
			square := m.Func("square", func(f *lang.Func) {
				a := f.Input("a", dtype.F32, 1024)
				b := a.Add(a)
				f.Output("c", b.Mul(b))
			})
			entry(func(f *lang.Func, x lang.Tensor) lang.Tensor { return f.Call(square, x)[0] })(m)
		}, 3 * k},
		{"a state and its next value", func(m *lang.Module) {
			s := m.State("s", dtype.F32, 0, 1024)
			m.Entry("main", func(f *lang.Func) {
				x := f.Input("x", dtype.F32, 1024)
				next := f.Read(s).Add(x)
				f.Write(s, next)
				f.Output("y", next.Mul(next).Slice(0, 0, 1))
			})
		}, 4*k + 4}, // s, x, next, its square and the first element of that
		{"a loop carries its own", func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) {
				x := f.Input("x", dtype.F32, 1024)
				stop := f.Input("stop", dtype.Bool)
				out := f.While([]lang.Tensor{x},
					func([]lang.Tensor) lang.Tensor { return stop },
					func(c []lang.Tensor) []lang.Tensor { return []lang.Tensor{c[0].Add(c[0])} })
				f.Output("y", out[0])
			})
		}, 3*k + 1}, // the argument, the carried value and the next
		{"one branch or the other", func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) {
				x := f.Input("x", dtype.F32, 1024)
				out := f.Cond(f.Input("p", dtype.Bool),
					func() []lang.Tensor { y := x.Add(x); return []lang.Tensor{y.Mul(y)} },
					func() []lang.Tensor { return []lang.Tensor{x.Mul(x)} })
				f.Output("y", out[0])
			})
		}, 3*k + 1},
		{"a dynamic size", func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) {
				x := f.InputOf("x", dtype.F32, shape.Named("n"))
				f.Output("y", x.Add(x))
			})
		}, 0},
		{"more than an int64 holds", func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) {
				x := f.Input("x", dtype.F32, 1<<57)
				y := x
				for _, name := range "abcdefghijklmnopqrst" {
					y = y.Add(x)
					f.Output(string(name), y)
				}
			})
		}, math.MaxInt64},
	}
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "h", DType: dtype.F16, Shape: shape.Of(1024), Bytes: 2048}}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, err := lang.Capture("m", index, tt.build)
			require.NoError(t, err)
			got, where, err := peak(g)
			require.NoError(t, err)
			require.Equal(t, tt.want, got, where)
		})
	}
}

// Constants that are computed from the same long chain are planned without following it
// for each: what all values take is a bound then.
func TestPeakOfManyChains(t *testing.T) {
	const n = 1000
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x, c := f.Input("x", dtype.F32, 1), f.Iota(dtype.F32, 0, 1)
			for range n {
				c = c.Exp()
			}
			for i := range n {
				x = x.Add(c.Add(f.Splat(dtype.F32, float64(i), 1)))
			}
			f.Output("y", x)
		})
	})
	require.NoError(t, err)
	got, where, err := peak(g)
	require.NoError(t, err)
	require.Equal(t, int64(4*(n+2+n+1+n+n)), got, where) // n constants, two sums, and all on the way
}

// A call with dynamic sizes is planned with them, before it runs.
func TestCallsThatChooseSizes(t *testing.T) {
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("n"))
			f.Output("y", x.Add(x))
		})
	})
	require.NoError(t, err)
	x, err := Graph(context.Background(), g, Options{Backend: CPU, MaxMemory: 16}) // two elements and their sums
	require.NoError(t, err)
	defer x.Close()
	got, err := x.Call(context.Background(), "main", vector(t, 1, 2))
	require.NoError(t, err)
	require.Equal(t, []tensor.Value{vector(t, 2, 4)}, got)
	_, err = x.Call(context.Background(), "main", vector(t, 1, 2, 3))
	require.Equal(t, CodeMemory, errs.CodeOf(err))
	_, err = x.Call(context.Background(), "main")
	require.Equal(t, errs.Code("BACKEND_BAD_ARGUMENT"), errs.CodeOf(err), "the backend rejects it")
}
