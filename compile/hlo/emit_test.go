package hlo

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

var update = flag.Bool("update", false, "rewrite the golden texts")

func mustEmit(t *testing.T, build lang.Constructor) *Module {
	t.Helper()
	index := &tensor.Index{Format: "test", Tensors: []tensor.Spec{
		{Name: "z.weight", DType: dtype.F16, Shape: shape.Of(3, 2), Bytes: 12},
		{Name: "a/bias", DType: dtype.F32, Shape: shape.Of(3), Bytes: 12},
	}}
	g, err := lang.Capture("m", index, build)
	require.NoError(t, err)
	m, err := Emit(g, Options{Constants: ExternalAlways})
	require.NoError(t, err)
	return m
}

func affine(m *lang.Module) {
	m.Entry("apply", func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 2).MulScalar(2).AddScalar(1))
	})
}

// weighted has a weight in a private function, and an external constant.
func weighted(m *lang.Module) {
	linear := m.Func("linear", func(f *lang.Func) {
		y := f.Input("x", dtype.F32, 1, 2).Dot(f.Param("z.weight").Convert(dtype.F32), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}})
		f.Output("y", y.Add(f.Param("a/bias")))
	})
	m.Entry("apply", func(f *lang.Func) {
		f.Output("y", f.Call(linear, f.Input("x", dtype.F32, 1, 2))[0])
	})
	m.Entry("scaled", func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 2).Mul(lang.Weight(f, "scale", []float32{5, 6}, 2)))
	})
}

// remembering reads and writes state variables; sum reads one and writes none.
func remembering(m *lang.Module) {
	k, v := m.State("k", dtype.F32, 0, 4, 2), m.State("v", dtype.F32, 0, 4, 2)
	m.Entry("push", func(f *lang.Func) {
		row, pos, zero := f.Input("row", dtype.F32, 1, 2), f.Input("pos", dtype.I32), f.Splat(dtype.I32, 0)
		keys := f.Read(k).Update(row, pos, zero)
		f.Write(k, keys)
		f.Write(v, f.Read(v).Update(row.Negate(), pos, zero))
		f.Output("keys", keys)
	})
	m.Entry("sum", func(f *lang.Func) { f.Output("y", f.Read(v).Sum(false, 0)) })
}

func batched(m *lang.Module) {
	batch, seq := shape.Named("batch"), shape.Named("seq")
	m.Entry("apply", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, seq, shape.N(6))
		f.Output("heads", x.ReshapeOf(batch, seq, shape.N(2), shape.N(3)).Transpose(0, 2, 1, 3))
		f.Output("rows", x.Sum(false, 2))
	})
}

// multiples has sizes that arguments tell as multiples, and one with a dimension of its own.
func multiples(m *lang.Module) {
	h, w := shape.Named("h"), shape.Named("w")
	m.Entry("apply", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("32*h"), shape.Named("8*w+4"))
		f.InputOf("rows", dtype.F32, h)
		f.Output("blocks", x.SliceOf(1, shape.N(4), shape.Named("8*w+4"), 1).ReshapeOf(h, shape.N(32), w, shape.N(8)))
	})
}

// The golden texts guard against changes; TestPlain of package verify checks them.
func TestGolden(t *testing.T) {
	for name, build := range map[string]lang.Constructor{"affine": affine, "weights": weighted, "state": remembering, "dynamic": batched, "multiples": multiples} {
		path := filepath.Join("testdata", name+".mlir")
		got := mustEmit(t, build).Text
		if *update {
			require.NoError(t, os.WriteFile(path, got, 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(string(want), string(got)), "run go test -update if the change is intended")
	}
}

// A caller passes the arguments that Access lists after the contract's arguments.
func TestAccess(t *testing.T) {
	require.Equal(t, map[string]Access{
		"apply": {Parameters: []string{"a/bias", "z.weight"}}, "scaled": {Parameters: []string{"scale"}},
	}, mustEmit(t, weighted).Access)
	require.Equal(t, map[string]Access{
		"push": {States: []string{"k", "v"}, Writes: []string{"k", "v"}}, "sum": {States: []string{"v"}},
	}, mustEmit(t, remembering).Access)
}

func TestEveryOperationHasALowering(t *testing.T) {
	want := map[id.ID]bool{}
	for _, o := range op.All() {
		if o.IsComposite() || o.Portable != nil {
			continue // not in graphs, or expanded before lowering
		}
		require.Contains(t, lowerings, o.ID, o.Name)
		want[o.ID] = true
	}
	for o := range lowerings {
		require.True(t, want[o], "%s is no operation that texts have", o)
	}
}

// The table of operations is extended before this one.
func TestOperationWithoutLowering(t *testing.T) {
	form := Plain()
	delete(form.Lower, id.Multiply)
	g, err := lang.Capture("m", nil, affine)
	require.NoError(t, err)
	_, err = EmitAs(g, Options{}, form)
	require.Equal(t, errs.Code("HLO_NO_LOWERING"), errs.CodeOf(err))
	require.ErrorContains(t, err, `"multiply"`)
}
