package tensor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestBlocksOf(t *testing.T) {
	for _, tt := range []struct {
		e              quant.Encoding
		logical, bytes []int64
	}{
		{"Q8_0", []int64{32}, []int64{1, 34}},
		{"Q4_K", []int64{640, 2048}, []int64{640, 8, 144}},
		{"TQ2_0", []int64{3, 0, 256}, []int64{3, 0, 1, 66}},
		{"Q5_0", []int64{4, 0}, []int64{4, 0, 22}},
	} {
		got, err := BlocksOf(tt.e, shape.Of(tt.logical...))
		require.NoError(t, err)
		require.Equal(t, TypeOf(dtype.I8, tt.bytes...), got)
		back, err := Unblocked(tt.e, got)
		require.NoError(t, err)
		require.Equal(t, TypeOf(dtype.F32, tt.logical...), back)
	}
	for _, tt := range []struct {
		e quant.Encoding
		s shape.Shape
	}{
		{"Q8_0", shape.Of(2, 33)}, {"Q8_0", shape.Of()}, {"Q8_0", shape.Shape{shape.Named("n"), shape.N(32)}},
		{quant.Dense, shape.Of(2, 32)}, {"Q8_0/planar", shape.Of(2, 32)}, {quant.Opaque("x"), shape.Of(2, 32)},
	} {
		_, err := BlocksOf(tt.e, tt.s)
		require.Equal(t, CodeBadType, errs.CodeOf(err), "%s %s", tt.e, tt.s)
	}
	for _, typ := range []Type{
		TypeOf(dtype.I8, 34), TypeOf(dtype.I8, 2, 33), TypeOf(dtype.U8, 2, 34), TypeOf(dtype.I8, 1<<60, 34),
		{DType: dtype.I8, Shape: shape.Shape{shape.Named("n"), shape.N(34)}},
	} {
		_, err := Unblocked("Q8_0", typ)
		require.Equal(t, CodeBadType, errs.CodeOf(err), "%s", typ)
	}
}
