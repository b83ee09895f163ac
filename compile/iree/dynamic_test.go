package iree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func batched(m *lang.Module) {
	batch, seq := shape.Named("batch"), shape.Named("seq")
	m.Entry("apply", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, seq, shape.N(6))
		heads := x.ReshapeOf(batch, seq, shape.N(2), shape.N(3)).Transpose(0, 2, 1, 3)
		f.Output("heads", heads.MulScalar(0.5))
		f.Output("last", x.SliceOf(1, seq.Minus(shape.N(1)), seq, 1))
		f.Output("odd", x.SliceOf(1, shape.N(0), seq, 2).AddScalar(1))
		y := f.Cond(x.Size(1).Greater(f.Splat(dtype.I32, 3)),
			func() []lang.Tensor { return []lang.Tensor{f.IotaOf(dtype.F32, 1, batch, seq)} },
			func() []lang.Tensor { return []lang.Tensor{f.SplatOf(dtype.F32, 2, batch, seq)} })
		f.Output("choice", y[0])
	})
}

// The golden text only guards against change; package optest tests what it computes.
func TestDynamicGolden(t *testing.T) {
	path := filepath.Join("testdata", "dynamic.mlir")
	got := mustEmit(t, batched, Options{}).Text
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), string(got)), "run go test -update if the change is meant")
}

// A size is computed once in a block, and what a nested block computed is not
// used outside it.
func TestSizesAreComputedOnce(t *testing.T) {
	text := string(mustEmit(t, batched, Options{}).Text)
	branches := strings.Index(text, `"stablehlo.if"`)
	require.Equal(t, 2, strings.Count(text[:branches], "stablehlo.get_dimension_size %x, dim = 1"), "once as a size, once as the number that the model reads")
	require.Equal(t, 1, strings.Count(text[:branches], "stablehlo.get_dimension_size %x, dim = 0"))
	require.Equal(t, 2, strings.Count(text[branches:], "stablehlo.concatenate"), "the shape, once in each branch")
}

// An unnamed dimension is equal to no other, and its value must be read from the
// operand itself.
func TestSizesWithoutNames(t *testing.T) {
	unknown := tensor.Type{DType: dtype.F32, Shape: shape.Shape{{Size: shape.Dynamic}, {Size: shape.Dynamic}, shape.N(8)}}
	build := func(name string, attrs op.Attrs, others ...tensor.Type) (*hlo.Module, error) {
		body := &dag.Block{}
		in := []*dag.Value{body.AddArg(unknown)}
		args := []string{"x"}
		for _, o := range others {
			in, args = append(in, body.AddArg(o)), append(args, "w")
		}
		n, err := body.Add(name, "main/"+name, attrs, in...)
		require.NoError(t, err)
		body.Results = n.Outputs
		return Emit(&dag.Graph{Name: "m", Funcs: []*dag.Func{{Name: "main", Entry: true, Args: args, Results: []string{"y"}, Body: body}}}, Options{})
	}
	for name, attrs := range map[string]op.Attrs{
		"softmax": {"dim": int64(1)}, "gelu": nil, "reduce_max": {"dims": []int64{1}, "keepdims": true}, "argmax": {"dim": int64(0)},
	} {
		m, err := build(name, attrs)
		require.NoError(t, err, name)
		require.NotContains(t, string(m.Text), "tensor<1xi64> %", name)
	}
	_, err := build("dot_general", op.Attrs{"lhs_contracting": []int64{2}, "rhs_contracting": []int64{0}}, tensor.TypeOf(dtype.F32, 8, 4))
	require.Equal(t, hlo.CodeDynamic, errs.CodeOf(err))
	require.ErrorContains(t, err, "main/dot_general")
	require.ErrorContains(t, err, "dimension 0")
}
