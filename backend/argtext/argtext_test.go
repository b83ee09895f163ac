package argtext

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func arg(name string, d dtype.DType, sizes ...int64) contract.Named {
	return contract.Named{Name: name, DType: d, Shape: shape.Of(sizes...)}
}

func of[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

func TestParseEveryType(t *testing.T) {
	halves := func(d dtype.DType, hs ...uint16) tensor.Value {
		v := tensor.Value{Type: tensor.TypeOf(d, int64(len(hs)))}
		for _, h := range hs {
			v.Bytes = append(v.Bytes, byte(h), byte(h>>8))
		}
		return v
	}
	for text, want := range map[string]tensor.Value{
		"true,false,1,0":       of(t, []bool{true, false, true, false}, 4),
		"-128,127":             of(t, []int8{-128, 127}, 2),
		"-2,0x10":              of(t, []int16{-2, 16}, 2),
		"-3, 4":                of(t, []int32{-3, 4}, 2),
		"9223372036854775807":  of(t, []int64{math.MaxInt64}, 1),
		"255,0":                of(t, []uint8{255, 0}, 2),
		"65535":                of(t, []uint16{65535}, 1),
		"4294967295":           of(t, []uint32{math.MaxUint32}, 1),
		"18446744073709551615": of(t, []uint64{math.MaxUint64}, 1),
		"1.5,-2,0x1p-3,inf":    of(t, []float32{1.5, -2, 0.125, float32(math.Inf(1))}, 4),
		"0.1,-0":               of(t, []float64{0.1, math.Copysign(0, -1)}, 2),
		"":                     of(t, []float32{}, 0, 3),
		"1,-2,0.5":             halves(dtype.F16, 0x3c00, 0xc000, 0x3800),
		"1,-2,0.50":            halves(dtype.BF16, 0x3f80, 0xc000, 0x3f00),
		"65504,-65519,Inf,nan": halves(dtype.F16, 0x7bff, 0xfbff, 0x7c00, 0x7e00),
		"3.389e38,-inf":        halves(dtype.BF16, 0x7f7f, 0xff80),
	} {
		e := &contract.Entry{Name: "e", Args: []contract.Named{{Name: "x", DType: want.Type.DType, Shape: want.Type.Shape}}}
		got, err := Parse(e, []string{"x=" + text})
		require.NoError(t, err, text)
		require.Empty(t, cmp.Diff([]tensor.Value{want}, got), text)
	}
}

func TestParseByNameAndFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x=1.npy")
	x := of(t, []float32{1, 2}, 2)
	require.NoError(t, npy.WriteFile(path, x))
	e := &contract.Entry{Name: "e", Args: []contract.Named{arg("n", dtype.I32), arg("x", dtype.F32, 2)}}
	got, err := Parse(e, []string{"x=@" + path, "n=7"})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]tensor.Value{of(t, []int32{7}), x}, got))
	got, err = Parse(e, []string{"n=7", "x=" + path}) // without a sign
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]tensor.Value{of(t, []int32{7}), x}, got))
	// By the name that a model file has for it.
	got, err = Parse(&contract.Entry{Name: "e", Args: []contract.Named{arg("in_2_0", dtype.F32, 2), arg("_39", dtype.I32)}}, []string{"in/2:0=@" + path, "39=7"})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]tensor.Value{x, of(t, []int32{7})}, got))
	e.Args[1].Shape = shape.Shape{shape.Named("n")}
	got, err = Parse(e, []string{"x=@" + path, "n=7"})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]tensor.Value{of(t, []int32{7}), x}, got))
	e.Args[1].Shape = shape.Shape{shape.Named("n"), shape.N(2)}
	_, err = Parse(e, []string{"x=@" + path, "n=7"})
	require.ErrorContains(t, err, "x\" is f32[n?x2], the file holds f32[2]")
}

// The number of elements tells a size that no other argument tells, and a file or another
// argument the rest.
func TestParseSizes(t *testing.T) {
	open := func(name, sizes string) contract.Named {
		s, err := shape.Parse(sizes)
		require.NoError(t, err)
		return contract.Named{Name: name, DType: dtype.I32, Shape: s}
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	require.NoError(t, npy.WriteFile(path, of(t, []int32{1, 2}, 1, 2)))
	for name, c := range map[string]struct {
		args  []contract.Named
		texts []string
		want  []string // types; none where it is refused
	}{
		"rows":                {[]contract.Named{open("x", "n?x3")}, []string{"x=1,2,3,4,5,6"}, []string{"i32[2x3]"}},
		"a name alone":        {[]contract.Named{open("x", "n?")}, []string{"x=7"}, []string{"i32[1]"}},
		"a multiple":          {[]contract.Named{open("x", "4*n?"), open("y", "n?xm?")}, []string{"y=1,2,3,4", "x=1,2,3,4,5,6,7,8"}, []string{"i32[8]", "i32[2x2]"}},
		"of a file":           {[]contract.Named{open("x", "n?xm?"), open("y", "m?xk?")}, []string{"y=1,2,3,4", "x=@" + path}, []string{"i32[1x2]", "i32[2x2]"}},
		"no whole rows":       {[]contract.Named{open("x", "n?x3")}, []string{"x=1,2,3,4,5"}, nil},
		"no element":          {[]contract.Named{open("x", "n?x3")}, []string{"x="}, nil},
		"a size of none":      {[]contract.Named{open("x", "n?x0")}, []string{"x="}, nil},
		"two sizes":           {[]contract.Named{open("x", "n?xm?")}, []string{"x=1,2,3,4"}, nil},
		"one size twice":      {[]contract.Named{open("x", "n?xn?")}, []string{"x=1,2,3,4"}, nil},
		"too many to count":   {[]contract.Named{open("x", "4611686018427387904x4611686018427387904xn?")}, []string{"x=1"}, nil},
		"a known size, other": {[]contract.Named{open("x", "m?x2"), open("y", "m?")}, []string{"x=1,2", "y=1,2"}, nil},
	} {
		got, err := Parse(&contract.Entry{Name: "e", Args: c.args}, c.texts)
		if c.want == nil {
			require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err), name)
			continue
		}
		require.NoError(t, err, name)
		var types []string
		for _, v := range got {
			types = append(types, v.Type.String())
			require.NoError(t, v.Check(), name)
		}
		require.Equal(t, c.want, types, name)
	}
	_, err := Parse(&contract.Entry{Name: "e", Args: []contract.Named{open("x", "n?xm?")}}, []string{"x=1"})
	require.ErrorContains(t, err, "--shape")
	require.ErrorContains(t, err, ".npy")
}

func TestParseRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "i.npy")
	require.NoError(t, npy.WriteFile(file, of(t, []int32{1, 2}, 2)))
	text := filepath.Join(dir, "t.npy")
	require.NoError(t, os.WriteFile(text, []byte("text"), 0o644))
	args := []contract.Named{arg("n", dtype.I8), arg("x", dtype.F32, 2)}
	for _, c := range []struct {
		texts []string
		code  errs.Code
		want  string
	}{
		{[]string{"n=1"}, backend.CodeBadArgument, `argument "x" is not given; the arguments are: n i8[scalar], x f32[2]`},
		{[]string{"n=1", "x=1,2", "n=2"}, backend.CodeBadArgument, "given twice"},
		{[]string{"y=1"}, backend.CodeBadArgument, `no argument is named "y"`},
		{[]string{"n"}, backend.CodeBadArgument, "is not of the form"},
		{[]string{"n=1", "x=1"}, backend.CodeBadArgument, "f32[2], 1 elements given"},
		{[]string{"n=128"}, backend.CodeBadArgument, `element 0, "128", is not a valid i8`},
		{[]string{"x=1,b"}, backend.CodeBadArgument, `element 1, "b", is not a valid f32`},
		{[]string{"x=1,1e39"}, backend.CodeBadArgument, "is not a valid f32"},
		{[]string{"x=@" + file}, backend.CodeBadArgument, "f32[2], the file holds i32[2]; its elements have another type: in NumPy, x.astype('f4')"},
		{[]string{"x=@" + text}, npy.CodeMagic, "t.npy"},
		{[]string{"x=@" + dir + "/none"}, npy.CodeOpen, "none"},
	} {
		_, err := Parse(&contract.Entry{Name: "e", Args: args}, c.texts)
		require.Equal(t, c.code, errs.CodeOf(err), "%v: %v", c.texts, err)
		require.ErrorContains(t, err, c.want)
	}
	// The first numbers that would round to infinity.
	for d, words := range map[dtype.DType][]string{
		dtype.F16: {"65520", "-70000", "1e30", "1e39"}, dtype.BF16: {"3.3961776e38", "-3.4e38", "1e39"},
	} {
		for _, w := range words {
			_, err := Parse(&contract.Entry{Name: "e", Args: []contract.Named{arg("x", d, 1)}}, []string{"x=" + w})
			require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err), "%s %s", d, w)
			require.ErrorContains(t, err, "is not a valid "+d.String())
		}
	}
	for _, a := range []contract.Named{arg("x", dtype.F32, shape.Dynamic, shape.Dynamic), arg("x", dtype.I4, 1)} {
		_, err := Parse(&contract.Entry{Name: "e", Args: []contract.Named{a}}, []string{"x=1"})
		require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err))
	}
}

func TestFormat(t *testing.T) {
	results := []contract.Named{{Name: "y"}, {Name: "n"}, {Name: "big"}, {Name: "none"}, {Name: "odd"}}
	values := []tensor.Value{
		of(t, []float32{1, 2.5, -0.1, 4}, 2, 2), of(t, []int64{7}), of(t, make([]int8, 65), 65), of(t, []float32{}, 2, 0),
		of(t, []float64{math.NaN(), math.Inf(-1)}, 2),
	}
	text, err := Text(results, values)
	require.NoError(t, err)
	require.Equal(t, `y: f32[2x2] = [[1 2.5] [-0.1 4]]
n: i64[scalar] = 7
big: i8[65] = [0 0 0 0 0 0 0 0 ... 65 elements]
none: f32[2x0] = []
odd: f64[2] = [NaN -Inf]
`, text)
	doc, err := JSON("e", append(results[:2:2], results[4]), append(values[:2:2], values[4]))
	require.NoError(t, err)
	require.Equal(t, `{"entry":"e","results":[{"name":"y","dtype":"f32","shape":[2,2],"values":[1,2.5,-0.1,4]},`+
		`{"name":"n","dtype":"i64","shape":[],"values":[7]},{"name":"odd","dtype":"f64","shape":[2],"values":["NaN","-Inf"]}]}`+"\n", string(doc))
}
