// Package box has rectangles with a score and a class, as detectors find them.
//
// # Errors
//
// None.
//
// # Determinism
//
// Boxes of equal scores keep their order.
package box

import (
	"cmp"
	"slices"
)

// Box is a rectangle in a picture, in pixels.
type Box struct {
	X0, Y0, X1, Y1 float64
	Score          float64
	Class          int
}

// Area returns the area, 0 for an empty box.
func (b Box) Area() float64 { return max(b.X1-b.X0, 0) * max(b.Y1-b.Y0, 0) }

// IoU returns the intersection over the union of two boxes' areas.
func IoU(a, b Box) float64 {
	both := Box{X0: max(a.X0, b.X0), Y0: max(a.Y0, b.Y0), X1: min(a.X1, b.X1), Y1: min(a.Y1, b.Y1)}.Area()
	if both == 0 {
		return 0
	}
	return both / (a.Area() + b.Area() - both)
}

// Suppress returns the boxes with the best scores, best first: of those of one class whose
// IoU is over limit only the best, and at most most in all (greedy non-maximum
// suppression).
func Suppress(boxes []Box, limit float64, most int) []Box {
	sorted := slices.Clone(boxes)
	slices.SortStableFunc(sorted, func(a, b Box) int { return cmp.Compare(b.Score, a.Score) })
	var kept []Box
	for _, b := range sorted {
		if len(kept) == most {
			break
		}
		if !slices.ContainsFunc(kept, func(k Box) bool { return k.Class == b.Class && IoU(k, b) > limit }) {
			kept = append(kept, b)
		}
	}
	return kept
}
