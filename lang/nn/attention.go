package nn

import (
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// SplitHeads gives x [T, H*D] as [H, T, D].
func SplitHeads(x lang.Tensor, heads int64) lang.Tensor {
	return x.ReshapeOf(x.DimOf(0), shape.N(heads), x.DimOf(1).FloorDiv(heads)).Transpose(1, 0, 2)
}

// MergeHeads gives x [H, T, D] as [T, H*D].
func MergeHeads(x lang.Tensor) lang.Tensor {
	return x.Transpose(1, 0, 2).Flatten(1, 2)
}

// Attention is scaled dot-product attention (Vaswani et al. 2017): q [H, Tq, D]
// over k and v [H, Tk, D] gives [H, Tq, D]. mask, if not nil, changes the scores
// [H, Tq, Tk] before the softmax.
//
// The scale 1/sqrt(D) is applied to q and the softmax's division to the result,
// which are smaller than the scores. The exponentials are used by the sum and by
// the product with v, and are stored once for both.
func Attention(q, k, v lang.Tensor, mask func(scores lang.Tensor) lang.Tensor) lang.Tensor {
	q = q.MulScalar(1 / math.Sqrt(float64(q.Dim(2))))
	heads := lang.Dims{LHS: []int{0}, RHS: []int{0}}
	scores := q.Dot(k, heads, lang.Dims{LHS: []int{2}, RHS: []int{2}})
	if mask != nil {
		scores = mask(scores)
	}
	weights := scores.Sub(scores.ReduceMax(true, 2)).Exp().Barrier()
	return weights.Dot(v, heads, lang.Dims{LHS: []int{2}, RHS: []int{1}}).Div(weights.Sum(true, 2))
}

// BlockedAttention is Attention over rows queries at a time, so that the scores
// of a block stay in a processor's cache: for long sequences. rows divides the
// number of queries.
func BlockedAttention(q, k, v lang.Tensor, rows int64, mask func(scores lang.Tensor) lang.Tensor) lang.Tensor {
	heads, queries, width := q.DimOf(0), q.DimOf(1), q.DimOf(2)
	if !queries.DivisibleBy(rows) {
		panic(errs.New(lang.CodeMisuse, "blocks of %d rows do not divide %s queries", rows, queries))
	}
	f := q.Func()
	zero := f.Splat(dtype.I32, 0)
	var limit lang.Tensor
	if queries.IsStatic() {
		limit = f.Splat(dtype.I32, float64(queries.Size))
	} else {
		limit = q.Size(1)
	}
	done := f.SplatOf(q.DType(), 0, q.Dims()...)
	out := f.While([]lang.Tensor{zero, done},
		func(c []lang.Tensor) lang.Tensor { return c[0].Less(limit) },
		func(c []lang.Tensor) []lang.Tensor {
			block := q.DynamicSliceOf([]shape.Dim{heads, shape.N(rows), width}, zero, c[0], zero)
			a := Attention(block, k, v, mask)
			return []lang.Tensor{c[0].AddScalar(float64(rows)), c[1].Update(a, zero, c[0], zero)}
		})
	return out[1]
}
