package importtext

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func inputs() []contract.Named {
	return []contract.Named{
		{Name: "x", DType: dtype.F32, Shape: shape.Shape{shape.Named("n"), shape.N(80)}},
		{Name: "x=y", DType: dtype.F32, Shape: shape.Of(2)},
		{Name: "sr", DType: dtype.I64},
	}
}

func TestParse(t *testing.T) {
	o := Options{
		Name: "m", Inline: 8,
		Shapes:  []string{"x=batch, ?", "x=y=2", "sr="},
		Fixed:   []string{"sr=16000", "x=y=1,0x1p-1"},
		States:  []string{"next=x", "h=1=x=y"},
		Outputs: []string{"a,b", " c"},
		Cut:     []string{"t"},
	}
	got, err := o.parse(inputs())
	require.NoError(t, err)
	require.Equal(t, map[string]shape.Shape{"x": {shape.Named("batch"), shape.N(80)}, "x=y": shape.Of(2), "sr": {}}, got.Shapes)
	require.Equal(t, map[string]string{"next": "x", "h=1": "x=y"}, got.States)
	require.Equal(t, []string{"a", "b", "c"}, got.Outputs)
	require.Equal(t, []string{"t"}, got.Cut)
	require.Equal(t, int64(8), got.Inline)
	require.Equal(t, "i64[scalar]", got.Constants["sr"].Type.String())
	require.Equal(t, []byte{0x80, 0x3e, 0, 0, 0, 0, 0, 0}, got.Constants["sr"].Bytes)
	require.Equal(t, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x3f}, got.Constants["x=y"].Bytes)

	// A state that grows has a number of steps, and a pattern several such.
	for text, want := range map[string]string{"n=x:6": "x:6", "n=x=y:6": "x=y:6", "n*=s*:6": "s*:6", "n*=s*": "s*"} {
		o = Options{States: []string{text}}
		got, err = o.parse(inputs())
		require.NoError(t, err)
		require.Equal(t, map[string]string{text[:len(text)-len(want)-1]: want}, got.States)
	}

	// A value has the sizes that are given for its input.
	o = Options{Shapes: []string{"x=1,1"}, Fixed: []string{"x=2"}}
	got, err = o.parse(inputs())
	require.NoError(t, err)
	require.Equal(t, "f32[1x1]", got.Constants["x"].Type.String())
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		o    Options
		code errs.Code
		want string
	}{
		{Options{Shapes: []string{"z=1"}}, CodeOption, "the inputs are: x f32[n?x80], x=y f32[2], sr i64[scalar]"},
		{Options{Shapes: []string{"x"}}, CodeOption, "does not begin with the name of an input"},
		{Options{Shapes: []string{"x=1,80", "x=2,80"}}, CodeOption, "given twice"},
		{Options{Shapes: []string{"x=-1,80"}}, CodeOption, `"-1" is not the size`},
		{Options{Shapes: []string{"x=a b,80"}}, CodeOption, `"a b" is not the size`},
		{Options{Shapes: []string{"x=1,80,?"}}, CodeOption, `"" is not the size`},
		{Options{Fixed: []string{"sr=x"}}, "BACKEND_BAD_ARGUMENT", `"x", is not a valid i64`},
		{Options{Fixed: []string{"x=1"}}, "BACKEND_BAD_ARGUMENT", "use a .npy file"},
		{Options{Fixed: []string{"sr=1", "sr=2"}}, CodeOption, "given twice"},
		{Options{States: []string{"h"}}, CodeOption, "write OUTPUT=INPUT"},
		{Options{States: []string{"=x"}}, CodeOption, "write OUTPUT=INPUT"},
		{Options{States: []string{"h=x:many"}}, CodeOption, "OUTPUT=INPUT:STEPS"},
		{Options{States: []string{"h=z*:2"}}, CodeOption, "write OUTPUT=INPUT"},
		{Options{States: []string{"h*=q*:2"}}, CodeOption, "write OUTPUT=INPUT"},
		{Options{States: []string{"h=x", "h=sr"}}, CodeOption, "given twice"},
		{Options{States: []string{"h=x", "g=x"}}, CodeOption, "two states are this input"},
	} {
		_, err := c.o.parse(inputs())
		require.Equal(t, c.code, errs.CodeOf(err), "%+v: %v", c.o, err)
		require.ErrorContains(t, err, c.want)
	}
}
