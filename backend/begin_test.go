package backend

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A program takes a dimension's size from one argument and reads that many elements of
// all arguments with the dimension, so sizes of one name are compared before the call,
// and results must have the sizes that follow.
func TestBegin(t *testing.T) {
	batch, seq := shape.Named("batch"), shape.Named("seq")
	named := func(name string, d dtype.DType, dims ...shape.Dim) contract.Named {
		return contract.Named{Name: name, DType: d, Shape: dims}
	}
	e := &contract.Entry{Name: "run",
		Args:    []contract.Named{named("x", dtype.F32, batch, seq), named("mask", dtype.Bool, seq), named("w", dtype.F32, shape.N(3)), named("both", dtype.F32, batch.Plus(seq))},
		Results: []contract.Named{named("y", dtype.BF16, seq, batch.Times(shape.N(2))), named("n", dtype.I32)},
	}
	f32 := func(sizes ...int64) tensor.Type { return tensor.TypeOf(dtype.F32, sizes...) }
	mask := func(n int64) tensor.Type { return tensor.TypeOf(dtype.Bool, n) }
	got, err := BeginOf(e, []tensor.Type{f32(2, 5), mask(5), f32(3), f32(7)})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]tensor.Type{tensor.TypeOf(dtype.BF16, 5, 4), {DType: dtype.I32}}, got.Results))
	require.Equal(t, map[string]int64{"batch": 2, "seq": 5}, got.Sizes)
	require.Same(t, e, got.Entry)

	for name, c := range map[string]struct {
		types []tensor.Type
		want  string
	}{
		"count":        {[]tensor.Type{f32(2, 5), mask(5)}, "got 2 arguments, want 4"},
		"element type": {[]tensor.Type{f32(2, 5), f32(5), f32(3), f32(7)}, `argument "mask" is f32[5]`},
		"rank":         {[]tensor.Type{f32(2, 5, 1), mask(5), f32(3), f32(7)}, `argument "x"`},
		"known size":   {[]tensor.Type{f32(2, 5), mask(5), f32(4), f32(7)}, `argument "w" is f32[4]`},
		"one name":     {[]tensor.Type{f32(2, 5), mask(6), f32(3), f32(7)}, `dimension 0 of argument "mask", seq?, is 6, and 5 in argument "x"`},
		"a sum":        {[]tensor.Type{f32(2, 5), mask(5), f32(3), f32(8)}, `dimension 0 of argument "both" is 8`},
		"empty":        {[]tensor.Type{f32(0, 5), mask(5), f32(3), f32(5)}, `dimension 0 of argument "x", batch?, is 0`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := BeginOf(e, c.types)
			require.Equal(t, CodeBadArgument, errs.CodeOf(err))
			require.ErrorContains(t, err, "run")
			require.ErrorContains(t, err, c.want)
		})
	}

	// A result whose size is negative for the smallest sizes.
	e.Results = []contract.Named{named("y", dtype.F32, seq.Minus(shape.N(3)))}
	_, err = BeginOf(e, []tensor.Type{f32(2, 2), mask(2), f32(3), f32(4)})
	require.Equal(t, CodeBadArgument, errs.CodeOf(err))
	require.ErrorContains(t, err, `the result "y" cannot have these sizes`)

	// Bytes that are not those of the type, and a name that is none.
	c := &contract.Contract{Entries: []contract.Entry{{Name: "one", Args: []contract.Named{named("x", dtype.F32, shape.N(2))}}}}
	b, err := Begin(c, "one", []tensor.Value{{Type: f32(2), Bytes: make([]byte, 8)}})
	require.NoError(t, err)
	require.Same(t, &c.Entries[0], b.Entry)
	_, err = Begin(c, "one", []tensor.Value{{Type: f32(2), Bytes: make([]byte, 7)}})
	require.Equal(t, CodeBadArgument, errs.CodeOf(err))
	_, err = Begin(c, "none", nil)
	require.ErrorContains(t, err, "none")
}
