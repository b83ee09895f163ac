package tensor

import (
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// BlocksOf returns the type of the bytes of a tensor f32 [..., K] whose rows are
// blocks of e, as they lie in a file: i8 [..., K/elements, bytes of a block]. Rows
// that are not a multiple of the block size, and encodings without blocks of their own, are
// TENSOR_BAD_TYPE.
func BlocksOf(e quant.Encoding, s shape.Shape) (Type, error) {
	b, ok := e.Block()
	r := s.Rank()
	if !ok || r == 0 || !s.IsStatic() || s[r-1].Size%b.Elements != 0 {
		return Type{}, errs.New(CodeBadType, "a tensor [%s] is not stored in whole blocks of %s", s, e)
	}
	return Type{DType: dtype.I8, Shape: append(slices.Clone(s[:r-1]), shape.N(s[r-1].Size/b.Elements), shape.N(b.Bytes))}, nil
}

// Unblocked returns the type of the tensor whose bytes are of type t: f32 [..., K].
func Unblocked(e quant.Encoding, t Type) (Type, error) {
	b, ok := e.Block()
	r := t.Shape.Rank()
	if !ok || t.DType != dtype.I8 || r < 2 || !t.Shape.IsStatic() || t.Shape[r-1].Size != b.Bytes || t.Shape[r-2].Size > (1<<62)/b.Elements {
		return Type{}, errs.New(CodeBadType, "%s are not the bytes of blocks of %s", t, e)
	}
	return Type{DType: dtype.F32, Shape: append(slices.Clone(t.Shape[:r-2]), shape.N(t.Shape[r-2].Size*b.Elements))}, nil
}
