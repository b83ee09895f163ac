package lang

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Reverse returns the elements in reverse order along dims.
func (t Tensor) Reverse(dims ...int) Tensor {
	return t.f.add("reverse", attrs{"dims": t.dims(dims)}, t)
}

// Tile returns t repeated repeats[i] times along dimension i.
func (t Tensor) Tile(repeats ...int64) Tensor {
	return t.f.add("tile", attrs{"repeats": slices.Clone(repeats)}, t)
}

// Roll shifts t by shift elements along dim, wrapping around.
func (t Tensor) Roll(shift int64, dim int) Tensor {
	return t.f.add("roll", attrs{"shift": shift, "dim": int64(t.dim(dim))}, t)
}

// PadMode pads t with copies of its own elements: low[i] of them before and high[i]
// after dimension i.
func (t Tensor) PadMode(mode PadMode, low, high []int64) Tensor {
	return t.f.add("pad_extend", attrs{"mode": string(mode), "low": slices.Clone(low), "high": slices.Clone(high)}, t)
}

// Tril returns the lower triangle: the elements whose column is at most row + k, and
// 0 elsewhere.
func (t Tensor) Tril(k int64) Tensor { return t.f.add("tril", attrs{"k": k}, t) }

// Triu returns the upper triangle: the elements whose column is at least row + k, and
// 0 elsewhere.
func (t Tensor) Triu(k int64) Tensor { return t.f.add("triu", attrs{"k": k}, t) }

// ScanOptions configures CumSum and CumProd.
type ScanOptions struct {
	Exclusive bool // an exclusive scan: each result leaves out its own element
	Reverse   bool // from the last element to the first
}

// CumSum returns the sums along dim of the elements up to each one.
func (t Tensor) CumSum(dim int, s ScanOptions) Tensor { return t.scan("cumsum", dim, s) }

// CumProd returns the products along dim of the elements up to each one.
func (t Tensor) CumProd(dim int, s ScanOptions) Tensor { return t.scan("cumprod", dim, s) }

func (t Tensor) scan(name string, dim int, s ScanOptions) Tensor {
	return t.f.add(name, attrs{"dim": int64(t.dim(dim)), "exclusive": s.Exclusive, "reverse": s.Reverse}, t)
}

// Split divides t along dim into parts of the given sizes, which add up to the
// dimension's.
func (t Tensor) Split(dim int, sizes ...int64) []Tensor {
	parts := make([]Tensor, len(sizes))
	at, whole := int64(0), t.Dim(dim) // a dynamic size has no parts of fixed sizes
	for i, n := range sizes {
		if n < 0 || n > whole-at {
			panic(t.f.misuse("a split of %s along dimension %d into %v", t.Type(), dim, sizes))
		}
		parts[i] = t.Slice(dim, at, at+n)
		at += n
	}
	if at != whole {
		panic(t.f.misuse("a split of %s along dimension %d into %v, which leaves a remainder", t.Type(), dim, sizes))
	}
	return parts
}

// Squeeze drops dims, which have size 1.
func (t Tensor) Squeeze(dims ...int) Tensor {
	drop := t.dims(dims)
	sizes := shape.Shape{}
	for i, n := range t.v.Type.Shape {
		switch {
		case !slices.Contains(drop, int64(i)):
			sizes = append(sizes, n)
		case n.Size != 1:
			panic(t.f.misuse("a squeeze of dimension %d of %s, which is not of size 1", i, t.Type()))
		}
	}
	return t.ReshapeOf(sizes...)
}

// Unsqueeze inserts a dimension of size 1 before dimension dim; -1 appends it.
func (t Tensor) Unsqueeze(dim int) Tensor {
	r := t.Rank() + 1
	if dim < -r || dim >= r {
		panic(t.f.misuse("dimension %d in an unsqueeze of %s", dim, t.Type()))
	}
	return t.ReshapeOf(slices.Insert(t.Dims(), (dim+r)%r, shape.N(1))...)
}

// Flatten merges the dimensions from first to last into one.
func (t Tensor) Flatten(first, last int) Tensor {
	a, b := t.dim(first), t.dim(last)
	if a > b {
		panic(t.f.misuse("a flatten of %s from dimension %d to %d", t.Type(), first, last))
	}
	sizes := t.Dims()
	return t.ReshapeOf(slices.Concat(sizes[:a], shape.Shape{sizes[a : b+1].Product()}, sizes[b+1:])...)
}

// SwapLast exchanges the last two dimensions.
func (t Tensor) SwapLast() Tensor {
	perm := make([]int, t.Rank())
	for i := range perm {
		perm[i] = i
	}
	a, b := t.dim(-2), t.dim(-1)
	perm[a], perm[b] = b, a
	return t.Transpose(perm...)
}
