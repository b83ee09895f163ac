package lang

import "slices"

// Dims pairs dimensions of the two sides of a product.
type Dims struct{ LHS, RHS []int }

// Dot sums products over the contracting dimensions, for each index of the batching
// dimensions. The result has the batching dimensions, then those that remain of t, then
// those that remain of o.
func (t Tensor) Dot(o Tensor, batching, contracting Dims) Tensor {
	return t.f.add("dot_general", attrs{
		"lhs_batching": t.dims(batching.LHS), "rhs_batching": o.dims(batching.RHS),
		"lhs_contracting": t.dims(contracting.LHS), "rhs_contracting": o.dims(contracting.RHS),
	}, t, o)
}

// MatMul returns the matrix product of t [..., M, K] and o [..., K, N], as NumPy's matmul
// does: leading dimensions broadcast, so that [B, S, D] by [D, E] is [B, S, E]. A vector
// [K] on the left is a row and on the right a column; the result has no dimension for it.
func (t Tensor) MatMul(o Tensor) Tensor {
	l, r := t.Rank(), o.Rank()
	switch {
	case l == 0 || r == 0:
		panic(t.f.misuse("matmul of %s and %s", t.Type(), o.Type()).
			Hint("matmul takes tensors of rank 1 or more; use Mul for a scalar"))
	case r == 1:
		return t.Dot(o, Dims{}, Dims{[]int{-1}, []int{0}})
	case l == 1 || r == 2: // one vector or matrix for all of the other side, not repeated
		return t.Dot(o, Dims{}, Dims{[]int{-1}, []int{-2}})
	}
	t, o = t.broadcastLeading(o)
	batch := make([]int, t.Rank()-2)
	for i := range batch {
		batch[i] = i
	}
	return t.Dot(o, Dims{batch, batch}, Dims{[]int{-1}, []int{-2}})
}

// broadcastLeading repeats two tensors of rank 2 or more over common sizes of all
// dimensions but the last two.
func (t Tensor) broadcastLeading(o Tensor) (Tensor, Tensor) {
	ts, os := t.Dims(), o.Dims()
	tl, ol := ts[:len(ts)-2], os[:len(os)-2]
	common := broadcastDims("matmul", t, o, tl, ol)
	return t.BroadcastOf(slices.Concat(common, ts[len(tl):])...), o.BroadcastOf(slices.Concat(common, os[len(ol):])...)
}
