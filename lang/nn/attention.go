package nn

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
)

// SplitHeads gives x [T, H*D] as [H, T, D].
func SplitHeads(x lang.Tensor, heads int64) lang.Tensor {
	return x.Reshape(x.Dim(0), heads, x.Dim(1)/heads).Transpose(1, 0, 2)
}

// MergeHeads gives x [H, T, D] as [T, H*D].
func MergeHeads(x lang.Tensor) lang.Tensor {
	return x.Transpose(1, 0, 2).Reshape(x.Dim(1), x.Dim(0)*x.Dim(2))
}

// Attention is scaled dot-product attention (Vaswani et al. 2017): q [H, Tq, D]
// over k and v [H, Tk, D] gives [H, Tq, D]. mask, if not nil, changes the scores
// [H, Tq, Tk] before the softmax. The scale 1/sqrt(D) is applied to q, which is
// smaller than the scores.
func Attention(q, k, v lang.Tensor, mask func(scores lang.Tensor) lang.Tensor) lang.Tensor {
	q = q.MulScalar(1 / math.Sqrt(float64(q.Dim(2))))
	heads := lang.Dims{LHS: []int{0}, RHS: []int{0}}
	scores := q.Dot(k, heads, lang.Dims{LHS: []int{2}, RHS: []int{2}})
	if mask != nil {
		scores = mask(scores)
	}
	return scores.Softmax(2).Dot(v, heads, lang.Dims{LHS: []int{2}, RHS: []int{1}})
}
