package nn

import (
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// SplitHeads reshapes x [T, H*D] to heads [H, T, D].
func SplitHeads(x lang.Tensor, heads int64) lang.Tensor {
	return x.ReshapeOf(x.DimOf(0), shape.N(heads), x.DimOf(1).FloorDiv(heads)).Transpose(1, 0, 2)
}

// MergeHeads reshapes heads x [H, T, D] to [T, H*D].
func MergeHeads(x lang.Tensor) lang.Tensor {
	return x.Transpose(1, 0, 2).Flatten(1, 2)
}

// AttentionOptions configures Attention. The zero value is plain attention.
type AttentionOptions struct {
	// Mask, if not nil, changes the scores [H, Tq, Tk] before the softmax. With
	// BlockRows it must not depend on the query's position.
	Mask func(scores lang.Tensor) lang.Tensor
	// BlockRows computes so many queries at a time, so that the scores of a block stay
	// in a processor's cache: for long sequences. It divides Tq; 0 means all at once.
	BlockRows int64
}

// Attention is scaled dot-product attention (Vaswani et al. 2017) of one sequence: q
// [H, Tq, D] over k and v [H, Tk, D], which returns [H, Tq, D].
//
// The scale 1/sqrt(D) is applied to q and the softmax's division to the result, which
// are smaller than the scores. The exponentials are used by the sum and by the product
// with v, and are stored once for both.
func Attention(q, k, v lang.Tensor, o AttentionOptions) lang.Tensor {
	if o.BlockRows != 0 {
		return blocked(q, k, v, o)
	}
	q = q.MulScalar(1 / math.Sqrt(float64(q.Dim(2))))
	heads := lang.Dims{LHS: []int{0}, RHS: []int{0}}
	scores := q.Dot(k, heads, lang.Dims{LHS: []int{2}, RHS: []int{2}})
	if o.Mask != nil {
		scores = o.Mask(scores)
	}
	weights := scores.Sub(scores.ReduceMax(true, 2)).Exp().Barrier()
	return weights.Dot(v, heads, lang.Dims{LHS: []int{2}, RHS: []int{1}}).Div(weights.Sum(true, 2))
}

// blocked is a loop over blocks of queries.
func blocked(q, k, v lang.Tensor, o AttentionOptions) lang.Tensor {
	rows := o.BlockRows
	o.BlockRows = 0
	heads, queries, width := q.DimOf(0), q.DimOf(1), q.DimOf(2)
	if rows < 0 || !queries.DivisibleBy(rows) {
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
			a := Attention(block, k, v, o)
			return []lang.Tensor{c[0].AddScalar(float64(rows)), c[1].Update(a, zero, c[0], zero)}
		})
	return out[1]
}
