package op

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// phases are how most whole factors resize: elements of the result that are count apart see
// elements of the operand that are step apart, so that each tap of a phase is a slice, where
// a gather reads an index for each element.
type phases struct {
	count, step int64
	low, high   int64 // elements that are seen beyond the edges
}

const (
	maxPhases = 4
	// The elements beyond an edge that are copied.
	maxEdge = 8
)

// phasesOf returns the phases of elements that see an operand of size in.
func phasesOf(list []element, in int64) (phases, bool) {
	low, high := int64(0), int64(0)
	for _, e := range list {
		low = max(low, -e.first)
		high = max(high, e.first+int64(len(e.weights))-in)
	}
	if low > maxEdge || high > maxEdge {
		return phases{}, false
	}
	for count := 1; count <= min(maxPhases, len(list)); count++ {
		if len(list)%count != 0 {
			continue
		}
		step := int64(1)
		if len(list) > count {
			step = list[count].first - list[0].first
		}
		even := step > 0
		for i := count; i < len(list) && even; i++ {
			even = list[i].first-list[i-count].first == step
		}
		if even {
			return phases{int64(count), step, low, high}, true
		}
	}
	return phases{}, false
}

// apply resizes dimension d of x to the elements of list.
func (p phases) apply(b *builder, x expr, d int, list []element, mode string) expr {
	if p.low > 0 || p.high > 0 {
		x = x.extended(b, d, p.low, p.high, Edge)
	}
	n := int64(len(list)) / p.count
	parts := make([]expr, p.count)
	for r := range parts {
		first := list[r].first + p.low
		for k := range list[r].weights {
			weights := make([]float64, n)
			for i := range weights {
				weights[i] = list[i*len(parts)+r].weights[k]
			}
			parts[r] = parts[r].andTap(b, x.slice(d, first+int64(k), n, p.step), d, weights, mode)
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	to := x.dims()
	to[d] = parts[0].dim(d)
	for r, y := range parts {
		parts[r] = y.reshape(slices.Insert(slices.Clone(to), d+1, one)...)
	}
	to[d] = shape.N(int64(len(list)))
	return b.concat(d+1, parts...).reshape(to...)
}
