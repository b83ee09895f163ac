package parity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// encoder is a contract of two entry points, one of them with named sizes.
func encoder() *contract.Contract {
	return &contract.Contract{Name: "encoder", Entries: []contract.Entry{
		{
			Name:    "main",
			Args:    []contract.Named{{Name: "ids", DType: dtype.I64, Shape: shape.Shape{shape.Named("batch"), shape.Named("seq")}}, {Name: "scale", DType: dtype.F32}},
			Results: []contract.Named{{Name: "y", DType: dtype.F32, Shape: shape.Shape{shape.Named("batch")}}},
		},
		{
			Name:    "step",
			Args:    []contract.Named{{Name: "x", DType: dtype.F32, Shape: shape.Of(2)}},
			Results: []contract.Named{{Name: "n", DType: dtype.I32}, {Name: "h", DType: dtype.F32, Shape: shape.Of(2)}},
		},
	}}
}

func TestMadeChoosesSizesAndValues(t *testing.T) {
	sizes := func(text string) map[string]int64 {
		s, err := ParseSizes(text)
		require.NoError(t, err)
		return s
	}
	span := func(text string) Range {
		r, err := ParseRange(text)
		require.NoError(t, err)
		return r
	}
	cases, err := Made{
		Inputs: map[string]Range{"ids": span("100..102"), "scale": span("0.5")},
		Sizes:  []map[string]int64{sizes("batch=1,seq=16"), sizes("seq=64,batch=3")},
	}.Cases(encoder())
	require.NoError(t, err)
	require.Len(t, cases, 2)
	require.Len(t, cases[1].Calls, 1, "an entry point without named sizes is called once")
	require.Len(t, cases[0].Calls, 2)
	for i, want := range []shape.Shape{shape.Of(1, 16), shape.Of(3, 64)} {
		ids, scale := cases[0].Calls[i].Args[0], cases[0].Calls[i].Args[1]
		require.True(t, ids.Type.Equal(tensor.Type{DType: dtype.I64, Shape: want}), ids.Type)
		all, err := tensor.Slice[int64](ids)
		require.NoError(t, err)
		found := map[int64]bool{}
		for _, x := range all {
			found[x] = true
		}
		require.Equal(t, map[int64]bool{100: true, 101: true, 102: true}, found)
		half, err := tensor.Slice[float32](scale)
		require.NoError(t, err)
		require.Equal(t, []float32{0.5}, half)
	}
}

// Every type, at the ends of its range.
func TestRangesOfEveryType(t *testing.T) {
	for d, text := range map[dtype.DType]string{
		dtype.Bool: "1", dtype.I8: "-128", dtype.U8: "255", dtype.I16: "-32768", dtype.U16: "65535", dtype.I32: "2147483647",
		dtype.U32: "4294967295", dtype.I64: "-9007199254740992", dtype.U64: "9007199254740992", dtype.F16: "0.25", dtype.BF16: "-2", dtype.F32: "1.5", dtype.F64: "-0.75",
	} {
		c := &contract.Contract{Entries: []contract.Entry{{Name: "main", Args: []contract.Named{{Name: "x", DType: d, Shape: shape.Of(2)}}}}}
		r, err := ParseRange(text)
		require.NoError(t, err)
		cases, err := Made{Inputs: map[string]Range{"x": r}}.Cases(c)
		require.NoError(t, err, d)
		v := cases[0].Calls[0].Args[0]
		require.NoError(t, v.Check(), d)
		words, err := Elements(v)
		require.NoError(t, err)
		require.Equal(t, []string{text, text}, words, d)
		for _, bad := range []string{"-1e300", "1e300", "0.3"} {
			if r, err = ParseRange(bad); d.IsFloat() {
				continue
			}
			require.NoError(t, err)
			_, err = Made{Inputs: map[string]Range{"x": r}}.Cases(c)
			require.Equal(t, CodeInput, errs.CodeOf(err), "%s of %s", bad, d)
		}
	}
}

func TestMadeRefuses(t *testing.T) {
	for _, m := range []Made{
		{Inputs: map[string]Range{"tokens": {0, 1}}},
		{Sizes: []map[string]int64{{"batch": 1}}},
		{Sizes: []map[string]int64{{"batch": 1, "seq": 1, "length": 2}}},
	} {
		_, err := m.Cases(encoder())
		require.Equal(t, CodeInput, errs.CodeOf(err), "%+v", m)
	}
	for _, text := range []string{"", "..", "1..", "..1", "2..1", "a", "nan", "0..inf", "1...5"} {
		_, err := ParseRange(text)
		require.Equal(t, CodeInput, errs.CodeOf(err), text)
	}
	for _, text := range []string{"", "batch", "batch=", "=1", "batch=-1", "batch=1,", "batch=1,batch=2", "batch=1 seq=2"} {
		_, err := ParseSizes(text)
		require.Equal(t, CodeInput, errs.CodeOf(err), text)
	}
}
