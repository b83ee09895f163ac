package iree

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func keys(m *hlo.Module) []string {
	list := []string{}
	for _, r := range m.Parameters {
		list = append(list, r.Key)
	}
	return list
}

func TestConstantPolicy(t *testing.T) {
	for _, tt := range []struct {
		policy hlo.ConstantPolicy
		want   []string
	}{
		{nil, []string{}},
		{hlo.InlineAlways, []string{}},
		{hlo.ExternalAlways, []string{"b", "layer.w"}},
		{hlo.SizeThreshold{Bytes: 8}, []string{"b", "layer.w"}}, // b has 8 bytes
		{hlo.SizeThreshold{Bytes: 9}, []string{"layer.w"}},
		{hlo.SizeThreshold{Bytes: 16}, []string{"layer.w"}}, // layer.w has 16
		{hlo.SizeThreshold{Bytes: 17}, []string{}},
		{hlo.SizeThreshold{Bytes: 0}, []string{"b", "layer.w"}},
	} {
		m := mustEmit(t, weightedModel, Options{Constants: tt.policy})
		require.Empty(t, cmp.Diff(tt.want, keys(m)), "%#v", tt.policy)
		require.Len(t, m.Constants, len(tt.want))
		for _, key := range tt.want {
			require.Contains(t, m.Constants, key)
		}
	}
}

func TestOneNameTwoValues(t *testing.T) {
	two := func(second float32) lang.Constructor {
		return func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				x := f.Input("x", dtype.F32, 2).Add(lang.Weight(f, "w", []float32{1, 2}, 2))
				f.Output("y", x.Mul(lang.Weight(f, "w", []float32{1, second}, 2)))
			})
		}
	}
	require.Equal(t, []string{"w"}, keys(mustEmit(t, two(2), Options{Constants: hlo.ExternalAlways})))
	_, err := emit(t, two(3), Options{Constants: hlo.ExternalAlways})
	require.Equal(t, hlo.CodeSymbol, errs.CodeOf(err), "%v", err)
}

func TestSymbolClashes(t *testing.T) {
	weight := func(key string) func(f *lang.Func) {
		return func(f *lang.Func) { f.Output("y", lang.Weight(f, key, []float32{1, 2}, 2)) }
	}
	for name, build := range map[string]lang.Constructor{
		"function and weight": func(m *lang.Module) { m.Entry("f", weight("f")) },
		"state and weight": func(m *lang.Module) {
			m.State("s", dtype.F32, 0)
			m.Entry("f", weight("s"))
		},
		"function and state": func(m *lang.Module) {
			m.State("f", dtype.F32, 0)
			m.Entry("f", weight("w"))
		},
		"parameter and weight": func(m *lang.Module) {
			m.Entry("g", func(f *lang.Func) { f.Output("y", f.Param("a/bias")) })
			m.Entry("f", weight("a/bias"))
		},
		"parameter and state": func(m *lang.Module) {
			m.State("plain", dtype.F32, 0)
			m.Entry("f", func(f *lang.Func) { f.Output("y", f.Param("plain")) })
		},
	} {
		_, err := emit(t, build, Options{Constants: hlo.ExternalAlways})
		require.Equal(t, hlo.CodeSymbol, errs.CodeOf(err), "%s: %v", name, err)
	}
}

// Two variables that start from one value would share a buffer (state-alias).
func TestStatesStartApart(t *testing.T) {
	for _, d := range []dtype.DType{dtype.F16, dtype.BF16, dtype.F32, dtype.F64} {
		for _, init := range []float64{0, 1, -1, 1e-30, 1000} {
			m := mustEmit(t, states(d, init, 8), Options{})
			found := regexp.MustCompile(`util.global private mutable @s\d = dense<(.*?)>`).FindAllSubmatch(m.Text, -1)
			require.Len(t, found, 8)
			seen := map[string]bool{} // TestFloatLiteralsAreExact: each spelling is another number
			for _, f := range found {
				seen[string(f[1])] = true
			}
			require.Len(t, seen, 8, "%s from %g: %s", d, init, m.Text)
		}
	}
}

func TestIntegerStatesThatStartAlike(t *testing.T) {
	for _, d := range []dtype.DType{dtype.I32, dtype.U8, dtype.Bool} {
		_, err := emit(t, states(d, 0, 2), Options{})
		require.Equal(t, CodeAlias, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "s1")
		require.NoError(t, onlyError(emit(t, states(d, 1, 1), Options{})))
	}
}

func onlyError(_ *hlo.Module, err error) error { return err }

func states(d dtype.DType, init float64, n int) lang.Constructor {
	return func(m *lang.Module) {
		m.Entry("read", func(f *lang.Func) {
			for i := range n {
				f.Output(fmt.Sprintf("y%d", i), f.Read(m.State(fmt.Sprintf("s%d", i), d, init, 2)))
			}
		})
	}
}

// Reductions are separated from their uses in the text for all targets, and may be
// fused in the one for CPUs.
func TestReductionsApart(t *testing.T) {
	build := func(m *lang.Module) {
		m.Entry("f", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2, 3)
			f.Output("y", x.Sub(x.ReduceMax(true, 1)))
			f.Output("i", x.ArgMax(1))
		})
	}
	barriers := regexp.MustCompile("optimization_barrier")
	apart := barriers.FindAll(mustEmit(t, build, Options{}).Text, -1)
	fused := barriers.FindAll(mustEmit(t, build, Options{Kernels: true}).Text, -1)
	require.Len(t, fused, 1, "the indices of argmax")
	require.Len(t, apart, 3)
}

// If something else needs the input of a long reduction, the input is
// written first; a short reduction, and one whose input nothing else needs, may be fused.
func TestLongRowsAreStoredFirst(t *testing.T) {
	build := func(n int64, both bool) lang.Constructor {
		return func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) {
				y := f.Input("x", dtype.F32, n).AddScalar(1)
				f.Output("max", y.Reshape(n, 1).ReduceMax(false, 0))
				if both {
					f.Output("y", y)
				}
			})
		}
	}
	barriers := func(n int64, both bool, o Options) int {
		return bytes.Count(mustEmit(t, build(n, both), o).Text, []byte("optimization_barrier"))
	}
	require.Equal(t, 2, barriers(20000, true, Options{}), "of the sum and of its maximum")
	require.Equal(t, 1, barriers(20000, false, Options{}))
	require.Equal(t, 1, barriers(2000, true, Options{}))
	require.Zero(t, barriers(20000, true, Options{Kernels: true}), "CPUs fuse them correctly")
}

// A reduction that a loop carries has a buffer of its own where reductions are
// separated: it is added to a zero that is behind a barrier.
func TestLoopsCarryNoBarrier(t *testing.T) {
	var called lang.Tensor // what a function returns for y
	build := func(carry func(x, y lang.Tensor) lang.Tensor) lang.Constructor {
		return func(m *lang.Module) {
			total := m.Func("total", func(f *lang.Func) {
				f.Output("y", f.Input("y", dtype.F32, 1).Sum(true, 0))
			})
			m.Entry("f", func(f *lang.Func) {
				x := f.Input("x", dtype.F32, 4)
				call := func(y lang.Tensor) { called = f.Call(total, y)[0] }
				out := f.While([]lang.Tensor{f.Splat(dtype.F32, 0, 1)},
					func(c []lang.Tensor) lang.Tensor { return c[0].Reshape().Less(f.Splat(dtype.F32, 9)) },
					func(c []lang.Tensor) []lang.Tensor { call(c[0]); return []lang.Tensor{carry(x, c[0])} })
				f.Output("y", out[0])
			})
		}
	}
	own := regexp.MustCompile(`dense<-0\.0> : tensor<1xf32>\n\s+%\d+ = stablehlo\.optimization_barrier %\d+ : tensor<1xf32>\n\s+%\d+ = stablehlo\.add %\d+, %\d+ : tensor<1xf32>\n\s+stablehlo\.return`)
	for name, tt := range map[string]struct {
		carry func(x, y lang.Tensor) lang.Tensor
		want  bool
	}{
		"reduction":            {func(x, y lang.Tensor) lang.Tensor { return x.Add(y).Sum(true, 0) }, true},
		"product":              {func(x, y lang.Tensor) lang.Tensor { return x.Add(y).Prod(true, 0) }, true},
		"reshaped":             {func(x, y lang.Tensor) lang.Tensor { return x.Add(y).ReduceMax(false, 0).Reshape(1) }, true},
		"barrier":              {func(x, y lang.Tensor) lang.Tensor { return y.Exp().Barrier() }, true},
		"of a function":        {func(_, _ lang.Tensor) lang.Tensor { return called }, true},
		"used by an operation": {func(x, y lang.Tensor) lang.Tensor { return x.Add(y).Sum(true, 0).Exp() }, false},
		"carried as it is":     {func(x, y lang.Tensor) lang.Tensor { return y }, false},
	} {
		t.Run(name, func(t *testing.T) {
			text := mustEmit(t, build(tt.carry), Options{}).Text
			require.Equal(t, tt.want, own.Match(text), "%s", text)
			require.False(t, own.Match(mustEmit(t, build(tt.carry), Options{Kernels: true}).Text), "processors need none")
		})
	}
}
