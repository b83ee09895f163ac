// Package region finds the tilted rectangles round the bright parts of a map of
// probabilities, as text detectors by differentiable binarization (DB, Liao et al. 2020)
// need it.
//
// # Errors
//
// None.
//
// # Determinism
//
// Rectangles are in the order of their first pixel, row by row.
package region

import (
	"math"

	"github.com/skainet-dev/skainet-go/vision/picture"
)

// Options are the limits of a DB detector.
type Options struct {
	Threshold float64 // a pixel is of a region if its probability is over this
	Least     float64 // a region counts if the mean over its rectangle is at least this
	// Grow is how much rectangles are enlarged on each side: by their area times this,
	// over their circumference.
	Grow   float64
	Dilate bool // regions are first enlarged by a pixel to the left and up
	Most   int  // regions
}

// The shortest side of a rectangle in pixels, and that of an enlarged one.
const (
	leastSide  = 3
	leastGrown = 5
)

// Region is a rectangle, with the mean of the map over it before it was enlarged.
type Region struct {
	Quad  picture.Quad
	Score float64
}

// Find returns the regions of a map of [height, width].
func Find(probabilities []float32, width, height int, o Options) []Region {
	mask := make([]bool, len(probabilities))
	for i, p := range probabilities {
		mask[i] = float64(p) > o.Threshold
	}
	if o.Dilate {
		mask = dilate(mask, width, height)
	}
	var found []Region
	for n, points := range components(mask, width, height) {
		if n == o.Most {
			break
		}
		r := around(hull(points))
		if min(r.w, r.h) < leastSide {
			continue
		}
		score := mean(probabilities, width, height, r.corners())
		if score < o.Least {
			continue
		}
		r = grown(r, r.w*r.h*o.Grow/(2*(r.w+r.h)))
		if min(r.w, r.h) < leastGrown {
			continue
		}
		found = append(found, Region{r.corners(), score})
	}
	return found
}

// dilate sets each pixel with one set among itself, its left, upper and upper left
// neighbours: OpenCV's dilate with a kernel of 2 x 2.
func dilate(mask []bool, width, height int) []bool {
	out := make([]bool, len(mask))
	for y := range height {
		for x := range width {
			i := y*width + x
			out[i] = mask[i] || x > 0 && mask[i-1] || y > 0 && mask[i-width] || x > 0 && y > 0 && mask[i-width-1]
		}
	}
	return out
}

// components returns, for each part that is connected by sides or corners, the first and
// the last pixel of each of its rows: enough for its hull.
func components(mask []bool, width, height int) [][]picture.Point {
	seen := make([]bool, len(mask))
	var all [][]picture.Point
	var stack []int
	for start := range mask {
		if !mask[start] || seen[start] {
			continue
		}
		ends := map[int][2]int{}
		stack, seen[start] = append(stack[:0], start), true
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := i%width, i/width
			if e, ok := ends[y]; ok {
				ends[y] = [2]int{min(e[0], x), max(e[1], x)}
			} else {
				ends[y] = [2]int{x, x}
			}
			for v := max(y-1, 0); v <= min(y+1, height-1); v++ {
				for u := max(x-1, 0); u <= min(x+1, width-1); u++ {
					if j := v*width + u; mask[j] && !seen[j] {
						seen[j] = true
						stack = append(stack, j)
					}
				}
			}
		}
		var points []picture.Point
		for y := range height {
			if e, ok := ends[y]; ok {
				points = append(points, picture.Point{X: float64(e[0]), Y: float64(y)}, picture.Point{X: float64(e[1]), Y: float64(y)})
			}
		}
		all = append(all, points)
	}
	return all
}

// mean returns the mean over the pixels in a rectangle, its border included, whose corners
// are cut to whole pixels as OpenCV's fillPoly needs it.
func mean(probabilities []float32, width, height int, q picture.Quad) float64 {
	var c picture.Quad
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range q {
		x0, y0, x1, y1 = min(x0, math.Floor(p.X)), min(y0, math.Floor(p.Y)), max(x1, math.Ceil(p.X)), max(y1, math.Ceil(p.Y))
	}
	x0, x1 = min(max(x0, 0), float64(width-1)), min(max(x1, 0), float64(width-1))
	y0, y1 = min(max(y0, 0), float64(height-1)), min(max(y1, 0), float64(height-1))
	for i, p := range q {
		c[i] = picture.Point{X: x0 + math.Trunc(p.X-x0), Y: y0 + math.Trunc(p.Y-y0)}
	}
	sum, n := 0., 0
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if inside(c, x, y) {
				sum += float64(probabilities[int(y)*width+int(x)])
				n++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// inside reports whether a place is in a convex quadrilateral, or within half a pixel of
// a border.
func inside(q picture.Quad, x, y float64) bool {
	for i, a := range q {
		b := q[(i+1)%4]
		dx, dy := b.X-a.X, b.Y-a.Y
		if dx*(y-a.Y)-dy*(x-a.X) < -0.5*max(math.Abs(dx), math.Abs(dy)) {
			return false
		}
	}
	return true
}
