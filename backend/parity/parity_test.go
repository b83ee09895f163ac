package parity

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func of[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

func one(t *testing.T, got, want tensor.Value, rules Rules) Result {
	t.Helper()
	r, err := Compare("t", []string{"y"}, []tensor.Value{got}, []tensor.Value{want}, rules)
	require.NoError(t, err)
	require.Equal(t, r.Results[0].Mismatches == 0, r.OK())
	require.Equal(t, r.OK(), r.Err() == nil)
	return r.Results[0]
}

func TestFloatTolerance(t *testing.T) {
	rules := Rules{Float: map[dtype.DType]Tolerance{dtype.F32: {Abs: 0.5, Rel: 0.25}}}
	for _, c := range []struct {
		got, want float32
		differ    int64
	}{
		{1.5, 1, 0}, {1.75, 1, 0}, {1.76, 1, 1}, {0.25, 1, 0}, {0.24, 1, 1},
		{-0.5, 0, 0}, {-0.51, 0, 1},
		{-130, -104, 0}, {-131, -104, 1},
	} {
		res := one(t, of(t, []float32{c.got}, 1), of(t, []float32{c.want}, 1), rules)
		require.Equal(t, c.differ, res.Mismatches, "%v against %v", c.got, c.want)
	}
	// A float type without a tolerance must be equal.
	next := math.Nextafter(1, 2)
	require.EqualValues(t, 1, one(t, of(t, []float64{next}, 1), of(t, []float64{1}, 1), rules).Mismatches)
	require.EqualValues(t, 0, one(t, of(t, []float64{1}, 1), of(t, []float64{1}, 1), rules).Mismatches)
}

func TestSpecialValues(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		got, want float32
		nanEqual  bool
		differ    int64
	}{
		{inf, inf, false, 0}, {-inf, inf, false, 1}, {inf, 3e38, false, 1}, {1, inf, false, 1},
		{nan, nan, false, 1}, {nan, nan, true, 0}, {nan, 1, true, 1}, {1, nan, true, 1},
		{0, float32(math.Copysign(0, -1)), false, 0},
	} {
		rules := Default()
		rules.NaNEqual = c.nanEqual
		res := one(t, of(t, []float32{c.got}, 1), of(t, []float32{c.want}, 1), rules)
		require.Equal(t, c.differ, res.Mismatches, "%+v", c)
	}
}

func TestIntegersAreExact(t *testing.T) {
	const big = int64(1) << 53
	res := one(t, of(t, []int64{big + 1, math.MinInt64}, 2), of(t, []int64{big, math.MaxInt64}, 2), Default())
	require.EqualValues(t, 2, res.Mismatches)
	require.Empty(t, cmp.Diff(&Place{Index: []int64{0}, Got: "9007199254740993", Want: "9007199254740992", Diff: 1}, res.First))
	require.Equal(t, float64(math.MaxUint64), res.Worst.Diff)
	res = one(t, of(t, []uint8{255, 3}, 2), of(t, []uint8{0, 3}, 2), Default())
	require.Equal(t, "255", res.First.Got)
	require.Equal(t, 255.0, res.MaxAbs)
	res = one(t, of(t, []int8{-1}, 1), of(t, []int8{1}, 1), Default())
	require.Equal(t, "-1", res.First.Got)
	require.EqualValues(t, 1, one(t, of(t, []bool{true, false}, 2), of(t, []bool{true, true}, 2), Default()).Mismatches)
}

func TestHalfTypes(t *testing.T) {
	for d, bits := range map[dtype.DType][2]uint16{
		dtype.F16:  {tensor.F32ToF16(1), tensor.F32ToF16(1.002)},
		dtype.BF16: {tensor.F32ToBF16(1), tensor.F32ToBF16(1.0078125)},
	} {
		v := func(h uint16) tensor.Value {
			return tensor.Value{Type: tensor.TypeOf(d, 1), Bytes: []byte{byte(h), byte(h >> 8)}}
		}
		require.EqualValues(t, 1, one(t, v(bits[0]), v(bits[1]), Rules{}).Mismatches, d)
		require.EqualValues(t, 0, one(t, v(bits[0]), v(bits[1]), Default()).Mismatches, d)
	}
}

func TestReport(t *testing.T) {
	want := of(t, []float32{0, 1, 2, 3, 4, 5}, 2, 3)
	got := of(t, []float32{0, 1.5, 2, 3, 8, 5.25}, 2, 3)
	r, err := Compare("toy/encode", []string{"y", "n"}, []tensor.Value{got, of(t, []int32{7})}, []tensor.Value{want, of(t, []int32{7})}, Default())
	require.NoError(t, err)
	require.Equal(t, `toy/encode: DIFFER
  FAIL y                        f32[2x3]             max abs 4, max rel 1 (allowed 0.0001 + 0.0001|x|)
       3 of 6 differ
       first [0 1]: got 1.5, want 1 (diff 0.5)
       worst [1 1]: got 8, want 4 (diff 4)
  ok   n                        i32[scalar]          max abs 0, max rel 0 (allowed 0 + 0|x|)
`, r.Text())
	require.Equal(t, CodeMismatch, errs.CodeOf(r.Err()))
	require.ErrorContains(t, r.Err(), "worst [1 1]: got 8, want 4")
}

func TestInputsThatCannotBeCompared(t *testing.T) {
	a := of(t, []float32{1, 2}, 2)
	short := tensor.Value{Type: a.Type, Bytes: a.Bytes[:4]}
	for name, c := range map[string][2][]tensor.Value{
		"counts": {{a}, {a, a}},
		"shapes": {{a}, {of(t, []float32{1, 2}, 2, 1)}},
		"types":  {{a}, {of(t, []int32{1, 2}, 2)}},
		"bytes":  {{short}, {a}},
		"i4":     {{{Type: tensor.TypeOf(dtype.I4, 2), Bytes: []byte{1}}}, {{Type: tensor.TypeOf(dtype.I4, 2), Bytes: []byte{1}}}},
	} {
		_, err := Compare(name, nil, c[0], c[1], Default())
		require.Equal(t, CodeInput, errs.CodeOf(err), name)
	}
}

func TestMadeUpSizes(t *testing.T) {
	batch, seq := shape.Named("batch"), shape.Named("seq")
	c := &contract.Contract{Name: "m", Entries: []contract.Entry{
		{Name: "fixed", Args: []contract.Named{{Name: "x", DType: dtype.F32, Shape: shape.Of(2, 3)}}},
		{Name: "any", Args: []contract.Named{
			{Name: "x", DType: dtype.F32, Shape: shape.Shape{batch, shape.N(4), seq}},
			{Name: "mask", DType: dtype.Bool, Shape: shape.Shape{seq, batch.Plus(seq)}},
		}},
	}}
	cases, err := MadeUp(c)
	require.NoError(t, err)
	var got []string
	for _, k := range cases {
		for _, call := range k.Calls {
			for _, a := range call.Args {
				require.NoError(t, a.Check())
				got = append(got, k.Name+" "+a.Type.String())
			}
		}
	}
	require.Equal(t, []string{
		"fixed f32[2x3]",
		"any f32[1x4x1]", "any bool[1x2]", "any f32[2x4x3]", "any bool[3x5]", "any f32[16x4x13]", "any bool[13x29]",
	}, got)

	// Given arguments are kept, and determine the sizes of the generated ones.
	e := &c.Entries[1]
	x := of(t, make([]float32, 2*4*5), 2, 4, 5)
	args := []tensor.Value{x, {}}
	require.NoError(t, Complete(c, e, args, []bool{true, false}))
	require.Equal(t, x, args[0])
	require.NoError(t, args[1].Check())
	require.Equal(t, "bool[5x7]", args[1].Type.String())
	again := []tensor.Value{x, {}}
	require.NoError(t, Complete(c, e, again, []bool{true, false}))
	require.Equal(t, args, again, "the same each time")
	require.NoError(t, Complete(c, e, again, make([]bool, 2)))
	require.Equal(t, "f32[16x4x13] bool[13x29]", again[0].Type.String()+" "+again[1].Type.String())

	c.Entries[1].Args[1].Shape = shape.Shape{seq.Minus(shape.N(2)), seq}
	require.Equal(t, CodeInput, errs.CodeOf(Complete(c, e, []tensor.Value{of(t, make([]float32, 4), 1, 4, 1), {}}, []bool{true, false})))
	_, err = MadeUp(c)
	require.Equal(t, CodeInput, errs.CodeOf(err))
	require.ErrorContains(t, err, `no value for argument "mask"`)
}

// Differences of integers are also relative to the wanted value.
func TestIntegersHaveRelativeDifferences(t *testing.T) {
	for _, c := range []struct {
		got, want element
		rel       float64
	}{
		{element{bits: 3}, element{bits: 2}, 0.5},
		{element{bits: ^uint64(0) - 3}, element{bits: ^uint64(0) - 1}, 1}, // -4 and -2
		{element{bits: 7}, element{}, 0},
		{element{unsigned: true, bits: 1 << 63}, element{unsigned: true, bits: 1 << 62}, 1},
		{element{bits: 1<<63 + 1<<62}, element{bits: 1 << 63}, 0.5}, // -2^62 and -2^63
	} {
		var r Result
		r.pair(c.got, c.want, Rules{})
		require.InDelta(t, c.rel, r.MaxRel, 1e-15, "%+v", c)
	}
}

func TestToleranceOfACall(t *testing.T) {
	rules := Rules{Float: map[dtype.DType]Tolerance{dtype.F32: {Abs: 0.1}, dtype.F64: {Abs: 0.1}}}
	wide := rules.with(Tolerance{Abs: 0.5})
	require.Equal(t, rules, rules.with(Tolerance{}))
	for i, r := range []Rules{rules, wide} {
		require.EqualValues(t, 1-i, one(t, of(t, []float32{1.3}, 1), of(t, []float32{1}, 1), r).Mismatches)
		require.EqualValues(t, 1, one(t, of(t, []float64{1.3}, 1), of(t, []float64{1}, 1), r).Mismatches, "of f32 alone")
	}
}
