package iree

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var update = flag.Bool("update", false, "rewrite the golden texts")

func emit(t *testing.T, build lang.Constructor, o Options) (*hlo.Module, error) {
	t.Helper()
	index := &tensor.Index{Format: "test", Tensors: []tensor.Spec{
		{Name: "z.weight", DType: dtype.F16, Shape: shape.Of(3, 2), Bytes: 12},
		{Name: "a/bias", DType: dtype.F32, Shape: shape.Of(3), Bytes: 12},
		{Name: "plain", DType: dtype.F32, Shape: shape.Of(), Bytes: 4},
	}}
	g, err := lang.Capture("m", index, build)
	require.NoError(t, err)
	return Emit(g, o)
}

func mustEmit(t *testing.T, build lang.Constructor, o Options) *hlo.Module {
	t.Helper()
	m, err := emit(t, build, o)
	require.NoError(t, err)
	return m
}

func affine(m *lang.Module) {
	m.Entry("apply", func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 2).MulScalar(2).AddScalar(1))
	})
}

// weightedModel uses one constant in two functions, a smaller one, and an unnamed one,
// which no policy makes external.
func weightedModel(m *lang.Module) {
	for _, entry := range []string{"apply", "again"} {
		m.Entry(entry, func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2, 2)
			y := x.MatMul(lang.Weight(f, "layer.w", []float32{1, 2, 3, 4}, 2, 2))
			f.Output("y", y.Add(lang.Weight(f, "b", []float32{5, 6}, 2)).Sub(lang.Const(f, []float32{7, 8}, 2)))
		})
	}
}

func looping(m *lang.Module) {
	m.Entry("double_until", func(f *lang.Func) {
		limit, zero := f.Input("limit", dtype.F32), f.Splat(dtype.I32, 0)
		out := f.While([]lang.Tensor{zero, f.Splat(dtype.F32, 1)},
			func(c []lang.Tensor) lang.Tensor { return c[1].Less(limit) },
			func(c []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{c[0].AddScalar(1), c[1].MulScalar(2)}
			})
		f.Output("steps", out[0])
		f.Output("value", out[1])
	})
}

func calling(m *lang.Module) {
	split := m.Func("split", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 4)
		f.Output("low", x.Slice(0, 0, 2))
		f.Output("high", x.Slice(0, 2, 4))
	})
	m.Entry("swap", func(f *lang.Func) {
		parts := f.Call(split, f.Input("x", dtype.F32, 4))
		f.Output("y", f.Concat(0, parts[1], parts[0]))
	})
}

func remembering(m *lang.Module) {
	k, v := m.State("k", dtype.F32, 0, 4, 2), m.State("v", dtype.F32, 0, 4, 2)
	m.Entry("push", func(f *lang.Func) {
		row, pos, zero := f.Input("row", dtype.F32, 1, 2), f.Input("pos", dtype.I32), f.Splat(dtype.I32, 0)
		keys := f.Read(k).Update(row, pos, zero)
		f.Write(k, keys)
		f.Write(v, f.Read(v).Update(row.Negate(), pos, zero))
		f.Output("keys", keys)
	})
}

func fromWeights(m *lang.Module) {
	m.Entry("linear", func(f *lang.Func) {
		y := f.Input("x", dtype.F32, 1, 2).Dot(f.Param("z.weight").Convert(dtype.F32), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}})
		f.Output("y", y.Add(f.Param("a/bias")))
	})
}

// The texts only guard against change; what they compute is tested by compiling
// them, in the package optest.
func TestGolden(t *testing.T) {
	for name, c := range map[string]struct {
		build   lang.Constructor
		options Options
	}{
		"affine":           {affine, Options{}},
		"weights_inline":   {weightedModel, Options{}},
		"weights_external": {weightedModel, Options{Constants: hlo.ExternalAlways, Scope: "toy"}},
		"loop":             {looping, Options{}},
		"call":             {calling, Options{}},
		"state":            {remembering, Options{}},
		"parameters":       {fromWeights, Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".mlir")
			got := mustEmit(t, c.build, c.options).Text
			if *update {
				require.NoError(t, os.WriteFile(path, got, 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(string(want), string(got)), "run go test -update if the change is meant")
		})
	}
}

func TestContract(t *testing.T) {
	m := mustEmit(t, func(m *lang.Module) {
		fromWeights(m)
		weightedModel(m)
		remembering(m)
	}, Options{Constants: hlo.ExternalAlways})
	var states []bool
	for _, e := range m.Contract.Entries {
		states = append(states, e.State)
	}
	require.Equal(t, []bool{false, false, false, true}, states, "only push reads state")
	want := []contract.Parameter{
		{Scope: "model", Key: "a/bias", DType: dtype.F32, Shape: shape.Of(3), Encoding: quant.Dense, Bytes: 12, Source: contract.FromWeights},
		{Scope: "model", Key: "b", DType: dtype.F32, Shape: shape.Of(2), Encoding: quant.Dense, Bytes: 8, Source: contract.FromConstant},
		{Scope: "model", Key: "layer.w", DType: dtype.F32, Shape: shape.Of(2, 2), Encoding: quant.Dense, Bytes: 16, Source: contract.FromConstant},
		{Scope: "model", Key: "z.weight", DType: dtype.F16, Shape: shape.Of(3, 2), Encoding: quant.Dense, Bytes: 12, Source: contract.FromWeights},
	}
	require.Empty(t, cmp.Diff(want, m.Contract.Parameters))
	e, err := m.Contract.Entry("push")
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(contract.Entry{
		Name: "push", State: true,
		Args:    []contract.Named{{Name: "row", DType: dtype.F32, Shape: shape.Of(1, 2)}, {Name: "pos", DType: dtype.I32, Shape: e.Args[1].Shape}},
		Results: []contract.Named{{Name: "keys", DType: dtype.F32, Shape: shape.Of(4, 2)}},
	}, *e))
	data, err := m.Contract.Marshal()
	require.NoError(t, err)
	_, err = contract.Parse(data)
	require.NoError(t, err)
}

// A constructor and its graph give the same bytes every time, also when several
// programs are written at once.
func TestDeterminism(t *testing.T) {
	all := func(m *lang.Module) {
		for _, build := range []lang.Constructor{affineAs("one"), weightedModel, looping, calling, remembering} {
			build(m)
		}
	}
	want := mustEmit(t, all, Options{Constants: hlo.ExternalAlways})
	g, err := lang.Capture("m", nil, all)
	require.NoError(t, err)
	texts := make([][]byte, 20)
	var wg sync.WaitGroup
	for i := range texts {
		wg.Go(func() {
			graph := g // half of them share one graph
			if i%2 == 0 {
				graph, _ = lang.Capture("m", nil, all)
			}
			if m, err := Emit(graph, Options{Constants: hlo.ExternalAlways}); err == nil {
				texts[i] = m.Text
			}
		})
	}
	wg.Wait()
	for i, text := range texts {
		require.True(t, bytes.Equal(want.Text, text), "text %d differs", i)
	}
}

func affineAs(name string) lang.Constructor {
	return func(m *lang.Module) {
		m.Entry(name, func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 2).MulScalar(2)) })
	}
}

func TestUnsupportedElementType(t *testing.T) {
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("narrow", func(f *lang.Func) { f.Output("y", lang.Const(f, []int8{1, 2}, 2)) })
	})
	require.NoError(t, err)
	n, v := g.Funcs[0].Body.Nodes[0], tensor.Value{Type: tensor.TypeOf(dtype.I4, 2), Bytes: []byte{0x21}}
	n.Attrs["value"], n.Outputs[0].Type = v, v.Type
	_, err = Emit(g, Options{})
	require.Equal(t, hlo.CodeDType, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "narrow/constant")
}
