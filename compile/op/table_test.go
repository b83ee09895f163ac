package op

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestTableIsComplete(t *testing.T) {
	families := []Family{Source, Elementwise, Layout, Contraction, Convolution, Reduction, Indexing, Normalising,
		Pooling, Attention, Recurrent, Resampling, Quantising, Control}
	seen := map[Family]bool{}
	for _, o := range All() {
		t.Run(o.Name, func(t *testing.T) {
			require.Regexp(t, `^[a-z][a-z0-9_]*$`, o.Name)
			require.Contains(t, families, o.Family)
			seen[o.Family] = true
			require.NotEmpty(t, o.Doc)
			require.Equal(t, ".", o.Doc[len(o.Doc)-1:], "the doc consists of sentences")
			require.NotNil(t, o.Rule)
			for i, in := range o.Operands {
				require.NotEmpty(t, in.Name)
				require.NotZero(t, in.Class, in.Name)
				require.NotEmpty(t, in.Class.String())
				require.False(t, in.Variadic && i != len(o.Operands)-1, "only the last operand may be variadic")
			}
			names := map[string]bool{}
			for _, a := range o.Attributes {
				require.NotEmpty(t, a.Name)
				require.False(t, names[a.Name], a.Name)
				names[a.Name] = true
				require.NotEmpty(t, a.Doc, a.Name)
				require.True(t, a.Kind >= KindInt && a.Kind <= KindDims, a.Name)
				if a.Default != nil {
					require.True(t, a.Kind.holds(a.Default), "the default of %s is a %T", a.Name, a.Default)
				}
			}
			found, err := Lookup(o.Name)
			require.NoError(t, err)
			require.Same(t, o, found)
		})
	}
	require.Len(t, seen, len(families), "a family has no operations")
	require.True(t, slices.IsSortedFunc(All(), func(a, b *Op) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	}))
	require.Len(t, All(), len(rows), "two operations have the same name")
}

func TestUnknownOperation(t *testing.T) {
	_, _, err := Infer("matmul", nil, nil)
	require.Equal(t, CodeUnknown, errs.CodeOf(err))
	require.ErrorContains(t, err, `"matmul"`)
}

func TestClasses(t *testing.T) {
	for _, d := range dtype.All() {
		computed := d != dtype.I4 && d != dtype.U4
		require.Equal(t, computed, Any.Has(d), d.String())
		require.Equal(t, computed && d != dtype.Bool, Numeric.Has(d), d.String())
		require.Equal(t, d.IsFloat(), Float.Has(d), d.String())
		require.Equal(t, computed && d.IsInt(), Int.Has(d), d.String())
		require.Equal(t, d == dtype.Bool, Bool.Has(d), d.String())
	}
	require.False(t, Any.Has(dtype.Invalid))
	for d := dtype.F4E2M1FN; d <= dtype.C64; d++ { // those that only files hold
		require.False(t, Any.Has(d), d.String())
	}
	require.Equal(t, "float or integer", Numeric.String())
	require.Equal(t, "float or integer or bool", Any.String())
}

func TestAttributesAreTyped(t *testing.T) {
	for name, tt := range map[string]struct {
		attrs Attrs
		says  string
	}{
		"missing":     {Attrs{}, `"dims" is missing`},
		"wrong kind":  {Attrs{"dims": int64(1)}, `"dims" has the Go type int64`},
		"nil value":   {Attrs{"dims": nil}, `"dims" is missing`},
		"plain ints":  {Attrs{"dims": []int{1}}, `"dims" has the Go type []int`},
		"not in list": {Attrs{"dims": []int64{1}, "axis": int64(1)}, `unknown attribute "axis"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Infer("reduce_sum", types(t, "f32[2x3]"), tt.attrs)
			require.Equal(t, CodeAttribute, errs.CodeOf(err))
			require.ErrorContains(t, err, tt.says)
			require.ErrorContains(t, err, "reduce_sum(f32[2x3])")
		})
	}
}

func TestDefaultsAreFilledInACopy(t *testing.T) {
	given := Attrs{"dims": []int64{1}}
	out, filled, err := Infer("reduce_sum", types(t, "f32[2x3]"), given)
	require.NoError(t, err)
	require.Equal(t, "f32[2]", out[0].String())
	require.Equal(t, Attrs{"dims": []int64{1}, "keepdims": false}, filled)
	require.Len(t, given, 1)
	require.Equal(t, []string{"dims", "keepdims"}, filled.Names())
}

func TestAttributeGettersGiveZeroForOtherKinds(t *testing.T) {
	a := Attrs{"x": struct{}{}}
	require.Zero(t, a.Int("x"))
	require.Nil(t, a.Ints("x"))
	require.Zero(t, a.Float("x"))
	require.False(t, a.Bool("x"))
	require.Empty(t, a.String("x"))
	require.Equal(t, dtype.Invalid, a.DType("x"))
	require.Nil(t, a.Value("x").Bytes)
	require.Equal(t, dtype.Invalid, a.Type("x").DType)
	require.False(t, Kind(0).holds(int64(1)))
}
