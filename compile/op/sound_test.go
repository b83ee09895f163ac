package op_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/operator"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// What no column, attribute or example can hold is an error that names the operation, its
// package and what to set.
func TestUnsoundDefinitions(t *testing.T) {
	with := func(a operator.Attribute) func(d *operator.Definition) {
		a.Name = "b"
		return func(d *operator.Definition) { d.Attributes = []operator.Attribute{a} }
	}
	example := func(e operator.Example) func(d *operator.Definition) {
		return func(d *operator.Definition) {
			d.Attributes = []operator.Attribute{{Name: "b", Kind: operator.KindFloat, Default: 1.0}}
			if e.Shapes == nil {
				e.Shapes, e.Gives = d.Examples[0].Shapes, d.Examples[0].Gives
			}
			d.Examples = []operator.Example{e}
		}
	}
	for _, c := range []struct {
		name   string
		change func(d *operator.Definition)
		says   string
	}{
		{"rounding", func(d *operator.Definition) { d.Rounding = 99 }, "column Rounding of operation test.good is 99, which is none of its values, 1 to 7"},
		{"precision", func(d *operator.Definition) { d.Precision = 99 }, "column Precision of operation test.good is 99"},
		{"terms", func(d *operator.Definition) { d.Terms = 99 }, "column Terms of operation test.good is 99"},
		{"sum of nothing", func(d *operator.Definition) { d.Rounding = operator.Sum }, "column Terms of operation test.good is not set"},
		{"class", func(d *operator.Definition) { d.Operands[0].Class = 255 }, `operand "x" has the Class 255`},
		{"variadic", func(d *operator.Definition) {
			d.Operands = []operator.Operand{{Name: "x", Class: operator.Float, Variadic: true}, {Name: "z", Class: operator.Float}}
		}, `operand "x" is Variadic but not the last one`},
		{"kind", with(operator.Attribute{Default: 1.0}), `attribute "b" has no Kind; set KindInt`},
		{"kind 99", with(operator.Attribute{Kind: 99, Default: 1.0}), `attribute "b" has the Kind 99`},
		{"no default", with(operator.Attribute{Kind: operator.KindFloat}), `example 0: attribute "b" is missing; give it in the example's Attrs, or a Default`},
		{"default of another type", with(operator.Attribute{Kind: operator.KindFloat, Default: 1}), `attribute "b" of kind float has the Default 1 of Go type int; it takes float64`},
		{"default NaN", with(operator.Attribute{Kind: operator.KindFloat, Default: math.NaN()}), `attribute "b" has the Default NaN`},
		{"shape", example(operator.Example{Shapes: [][]int64{{-1}}, Gives: [][]int64{{2}}}), "Shapes has the shape [-1]"},
		{"result shape", example(operator.Example{Shapes: [][]int64{{2}}, Gives: [][]int64{{-1}}}), "Gives has the shape [-1]"},
		{"large shape", example(operator.Example{Shapes: [][]int64{{1 << 40, 1 << 40}}, Gives: [][]int64{{2}}}), "Shapes has the shape [1099511627776 1099511627776]: "},
		{"low NaN", example(operator.Example{Low: math.NaN()}), "numbers are from NaN to 0"},
		{"high NaN", example(operator.Example{High: math.NaN()}), "numbers are from 0 to NaN"},
		{"infinite", example(operator.Example{High: math.Inf(1)}), "numbers are from 0 to +Inf"},
		{"above", example(operator.Example{Low: 2, High: 1}), "numbers are from 2 to 1; Low may not exceed High"},
		{"attribute of another type", example(operator.Example{Attrs: operator.Attrs{"b": 1}}), `attribute "b" of kind float is given 1 of Go type int`},
		{"attribute NaN", example(operator.Example{Attrs: operator.Attrs{"b": math.NaN()}}), `attribute "b" is NaN`},
		{"unknown attribute", example(operator.Example{Attrs: operator.Attrs{"c": 1.0}}), `Attrs has "c", which is no attribute`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Cleanup(op.Forget)
			d := good()
			c.change(&d)
			err := operator.Register(d).Err()
			require.Equal(t, op.CodeDefinition, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "operation test.good")
			require.ErrorContains(t, err, "compile/op_test", "the package")
		})
	}
}

// A call without an attribute says which package could give it a default.
func TestAttributeIsMissing(t *testing.T) {
	t.Cleanup(op.Forget)
	d := good()
	d.Attributes = []operator.Attribute{{Name: "b", Kind: operator.KindFloat}}
	d.Examples[0].Attrs = operator.Attrs{"b": 1.0}
	o := operator.Register(d)
	require.NoError(t, o.Err())
	_, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { o.Apply(nil, f.Input("x", dtype.F32, 2)) })
	})
	require.Equal(t, op.CodeAttribute, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, `attribute "b" is missing; give it in the attributes, of Go type float64, or set a Default where `)
	require.NotContains(t, err.Error(), "()")
}

// Attributes in texts are what MLIR reads: strings are escaped, and numbers that it cannot
// spell are refused.
func TestAttributesInTexts(t *testing.T) {
	t.Cleanup(op.Forget)
	d := good()
	d.Decompose = nil
	d.Attributes = []operator.Attribute{
		{Name: "s", Kind: operator.KindString, Default: ""},
		{Name: "f", Kind: operator.KindFloat, Default: 1.0},
	}
	d.CPU = func(_ *operator.Call, in []tensor.Value) ([]tensor.Value, error) { return in, nil }
	d.Texts = map[operator.Target]string{operator.AnyTarget: `
%0 = stablehlo.add %x, %x {s = "{{.s}}", f = {{.f}}} : {{.x}}
return %0 : {{.y}}`}
	o := operator.Register(d)
	require.NoError(t, o.Err())
	emit := func(a operator.Attrs) (string, error) {
		g, err := lang.Capture("m", nil, func(m *lang.Module) {
			m.Entry("main", func(f *lang.Func) { f.Output("y", o.Apply(a, f.Input("x", dtype.F32, 2))[0]) })
		})
		require.NoError(t, err)
		m, err := iree.Emit(g, iree.Options{})
		if err != nil {
			return "", err
		}
		return string(m.Text), nil
	}
	text, err := emit(operator.Attrs{"s": "a\"b\\c\nü"})
	require.NoError(t, err)
	require.Contains(t, text, `{s = "a\22b\5Cc\0A\C3\BC", f = 1.0e+00}`)
	require.Equal(t, 1, strings.Count(text, "stablehlo.add"))
	for _, f := range []float64{math.NaN(), math.Inf(-1)} {
		_, err = emit(operator.Attrs{"f": f})
		require.Equal(t, op.CodeText, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, `attribute "f" is `)
	}
}
