package iree

import (
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

const (
	// fewTerms is the number of terms up to which a sum of one after the other loses no more than
	// a few roundings.
	fewTerms = 256
	// leastPart is the least number of neighbours whose sums are kept apart.
	leastPart = 8
)

// longSumRow is a row of the table of reductions.
var longSumRow = Rewrite{
	ID:      "long-sum",
	Symptom: "The sum of a row that does not fill vectors adds one element after the other: small terms behind a large one are lost. The probabilities of 6625 classes added up to 1.00003.",
	Instead: "sums of parts, and the sum of those",
	Targets: "cpu", First: "3.13.0", Last: "3.13.0", Text: KernelText, Shown: WrongNumbers,
	install: func(t *target) {
		inner := t.Reduce
		t.Reduce = func(p *hlo.Printer, x hlo.Value, name string, init float64, dims []int64) hlo.Value {
			first := x.Type.Shape.Rank() - len(dims)
			if name != "add" || !x.Type.DType.IsFloat() || !trailing(dims, first) {
				return inner(p, x, name, init, dims)
			}
			terms := x.Type.Shape[first:].Product()
			if !terms.IsStatic() || !isLong(terms.Size, x.Type.Shape[x.Type.Shape.Rank()-1].Size) {
				return inner(p, x, name, init, dims)
			}
			flat := func(sizes ...int64) tensor.Type {
				return tensor.Type{DType: x.Type.DType, Shape: append(x.Type.Shape[:first:first], shape.Of(sizes...)...)}
			}
			count, part := parts(terms.Size)
			y := p.Reshape(x, flat(terms.Size))
			if more := count*part - terms.Size; more > 0 {
				low, high := make([]int64, first+1), make([]int64, first+1)
				high[first] = more
				y = p.Pad(y, p.Splat(hlo.Scalar(x.Type), init), low, high, flat(count*part).Shape)
			}
			y = inner(p, p.Reshape(y, flat(count, part)), name, init, []int64{int64(first)})
			return inner(p, y, name, init, []int64{int64(first)})
		}
	},
}

// trailing reports whether dims are all from first on, in their order.
func trailing(dims []int64, first int) bool {
	for i, d := range dims {
		if d != int64(first+i) {
			return false
		}
	}
	return len(dims) > 0
}

// isLong reports whether a sum of so many terms, of rows of some length, is a long chain: rows
// that fill vectors are added in as many chains as a vector has elements.
func isLong(terms, row int64) bool {
	if row%kernels.Lanes == 0 {
		terms /= kernels.Lanes
	}
	return terms > fewTerms
}

// parts returns into how many parts of which length a number of terms is divided, so that the
// sums over the parts and in the last one are short; it is rounded up if it has no divisor for that.
func parts(terms int64) (count, length int64) {
	length = int64(1)
	for length*length < terms {
		length *= 2
	}
	length = max(length, leastPart)
	count = (terms + length - 1) / length
	if count*length == terms {
		return count, length
	}
	// A divisor saves the copy of all terms.
	best := 2 * (count + length)
	for d := int64(leastPart); d*leastPart <= terms && d <= best; d++ {
		if terms%d == 0 && terms/d+d < best {
			best, count, length = terms/d+d, terms/d, d
		}
	}
	return count, length
}
