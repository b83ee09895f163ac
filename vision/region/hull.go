package region

import (
	"cmp"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/vision/picture"
)

// hull returns the convex hull of points without those on its sides (Andrew's monotone
// chain).
func hull(points []picture.Point) []picture.Point {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b picture.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	sorted = slices.Compact(sorted)
	if len(sorted) < 3 {
		return sorted
	}
	half := func(points []picture.Point) []picture.Point {
		var h []picture.Point
		for _, p := range points {
			for len(h) > 1 && cross(h[len(h)-2], h[len(h)-1], p) <= 0 {
				h = h[:len(h)-1]
			}
			h = append(h, p)
		}
		return h[:len(h)-1]
	}
	lower := half(sorted)
	slices.Reverse(sorted)
	return append(lower, half(sorted)...)
}

// cross is positive where a, b, c turn to the left.
func cross(a, b, c picture.Point) float64 {
	return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X)
}

// rectangle is one of any direction: x, y is its middle, and its side w goes in direction
// cos, sin.
type rectangle struct{ x, y, w, h, cos, sin float64 }

// around returns the smallest rectangle round a convex polygon, which has a side of it
// (Freeman and Shapira 1975).
func around(polygon []picture.Point) rectangle {
	best := rectangle{w: math.Inf(1), h: math.Inf(1)}
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		cos, sin := 1., 0.
		if length := math.Hypot(b.X-a.X, b.Y-a.Y); length > 0 {
			cos, sin = (b.X-a.X)/length, (b.Y-a.Y)/length
		}
		u0, u1, v0, v1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, p := range polygon {
			u, v := p.X*cos+p.Y*sin, p.Y*cos-p.X*sin
			u0, u1, v0, v1 = min(u0, u), max(u1, u), min(v0, v), max(v1, v)
		}
		if w, h := u1-u0, v1-v0; w*h < best.w*best.h {
			u, v := (u0+u1)/2, (v0+v1)/2
			best = rectangle{u*cos - v*sin, u*sin + v*cos, w, h, cos, sin}
		}
	}
	return best
}

// grown returns the smallest rectangle round all that is at most d away from r. As in
// RapidOCR, which does it with a library for whole numbers, the corners are cut to whole
// pixels before, and what is round them to the nearest ones.
func grown(r rectangle, d float64) rectangle {
	const directions = 64
	var points []picture.Point
	for _, p := range r.corners() {
		for i := range directions {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / directions)
			points = append(points, picture.Point{X: math.Round(math.Trunc(p.X) + d*cos), Y: math.Round(math.Trunc(p.Y) + d*sin)})
		}
	}
	return around(hull(points))
}

// corners returns the corners clockwise from the top left one: of the two on the left the
// upper one.
func (r rectangle) corners() picture.Quad {
	at := func(u, v float64) picture.Point {
		return picture.Point{X: r.x + (u*r.w*r.cos-v*r.h*r.sin)/2, Y: r.y + (u*r.w*r.sin+v*r.h*r.cos)/2}
	}
	return Clockwise([4]picture.Point{at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)})
}

// Clockwise orders the corners of a quadrilateral from the top left one: the upper of the
// two on the left.
func Clockwise(corners [4]picture.Point) picture.Quad {
	p := corners
	slices.SortStableFunc(p[:], func(a, b picture.Point) int { return cmp.Compare(a.X, b.X) })
	if p[0].Y > p[1].Y {
		p[0], p[1] = p[1], p[0]
	}
	if p[2].Y > p[3].Y {
		p[2], p[3] = p[3], p[2]
	}
	return picture.Quad{p[0], p[2], p[3], p[1]}
}
