package lang

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func twoTensors() *tensor.Index {
	return &tensor.Index{
		Tensors: []tensor.Spec{
			{Name: "table", DType: dtype.F16, Shape: shape.Of(5, 4), Bytes: 40},
			{Name: "w", DType: dtype.F32, Shape: shape.Of(3, 4), Bytes: 48},
		},
		Aliases: map[string]string{"tied": "table"},
	}
}

func TestScopesOfParameters(t *testing.T) {
	g, err := Capture("m", twoTensors(), func(m *Module) {
		m.InScope("shared", "tied")
		m.Entry("main", func(f *Func) {
			x := f.Input("ids", dtype.I32, 2)
			y := f.Param("table").Take(x).Convert(dtype.F32)
			a := f.ParamIn("adapter", "a", dtype.F32, 2, 4)
			f.Output("y", y.Add(a).Dot(f.Param("w"), Dims{}, Dims{LHS: []int{1}, RHS: []int{1}}))
		})
	})
	require.NoError(t, err)
	list, err := g.Params()
	require.NoError(t, err)
	var got []string
	for _, p := range list {
		got = append(got, p.Scope+"::"+p.Key+" "+p.Type.String())
	}
	require.Equal(t, []string{"adapter::a f32[2x4]", "model::w f32[3x4]", "shared::table f16[5x4]"}, got)
}

func TestMistakesOfScopes(t *testing.T) {
	in := func(build func(f *Func)) Constructor {
		return func(m *Module) { m.Entry("main", func(f *Func) { build(f) }) }
	}
	for name, tt := range map[string]struct {
		build Constructor
		code  errs.Code
		says  string
	}{
		"scope of the weights": {in(func(f *Func) { f.ParamIn("model", "a", dtype.F32) }), CodeMisuse, `"model"`},
		"no name":              {in(func(f *Func) { f.ParamIn("a/b", "a", dtype.F32) }), CodeMisuse, `"a/b"`},
		"empty":                {in(func(f *Func) { f.ParamIn("", "a", dtype.F32) }), CodeMisuse, `""`},
		"a weight's name":      {in(func(f *Func) { f.ParamIn("adapter", "tied", dtype.F32) }), CodeMisuse, `"tied"`},
		"no key":               {in(func(f *Func) { f.ParamIn("adapter", "", dtype.F32) }), "OP_ATTRIBUTE", "key"},
		"moved, not a name":    {func(m *Module) { m.InScope("a b", "w"); in(func(f *Func) { f.Param("w") })(m) }, "OP_ATTRIBUTE", `"a b"`},
		"two scopes":           {in(func(f *Func) { f.ParamIn("a", "k", dtype.F32); f.ParamIn("b", "k", dtype.F32) }), CodeMisuse, `"k" is read from scope "b", and from scope "a" before`},
		"moved too late":       {func(m *Module) { in(func(f *Func) { f.Param("table") })(m); m.InScope("shared", "tied") }, CodeMisuse, "before the first function"},
		"moved twice":          {func(m *Module) { m.InScope("a", "w"); in(func(f *Func) { f.Param("w"); m.InScope("b", "w") })(m) }, CodeMisuse, `cannot move to "b"`},
		"too many": {in(func(f *Func) {
			for i := range contract.MaxScopes {
				f.ParamIn(fmt.Sprintf("s%d", i), fmt.Sprintf("k%d", i), dtype.F32)
			}
		}), CodeMisuse, "one more than the 7"},
		"moved, not there": {func(m *Module) { m.InScope("shared", "v") }, "INDEX_MISSING_TENSOR", "v"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Capture("m", twoTensors(), tt.build)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.says)
		})
	}
}
