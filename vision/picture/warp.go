package picture

import "math"

// Point is a place in a picture, in pixels; the middle of the first one is at 0, 0.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Quad is a quadrilateral, clockwise from the top left corner.
type Quad [4]Point

// Size returns the longer of opposite sides.
func (q Quad) Size() (width, height float64) {
	side := func(a, b Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
	return max(side(q[0], q[1]), side(q[2], q[3])), max(side(q[0], q[3]), side(q[1], q[2]))
}

// Warp cuts a quadrilateral out as an upright picture, by a perspective transform with
// cubic interpolation as OpenCV's INTER_CUBIC; outside p its border is repeated.
func (p *Picture) Warp(from Quad, width, height int) *Picture {
	m := projection(from, float64(width), float64(height))
	q := New(width, height)
	for y := range height {
		for x := range width {
			fx, fy := float64(x), float64(y)
			d := m[6]*fx + m[7]*fy + 1
			p.cubic((m[0]*fx+m[1]*fy+m[2])/d, (m[3]*fx+m[4]*fy+m[5])/d, q.Pix[3*(y*width+x):])
		}
	}
	return q
}

// projection returns the transform from a rectangle's places to those of a quadrilateral
// (Heckbert 1989, section 2.2.3).
func projection(q Quad, width, height float64) [8]float64 {
	sx, sy := q[0].X-q[1].X+q[2].X-q[3].X, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	dx1, dy1 := q[1].X-q[2].X, q[1].Y-q[2].Y
	dx2, dy2 := q[3].X-q[2].X, q[3].Y-q[2].Y
	g, h := 0., 0.
	if det := dx1*dy2 - dx2*dy1; det != 0 {
		g, h = (sx*dy2-dx2*sy)/det, (dx1*sy-sx*dy1)/det
	}
	return [8]float64{
		(q[1].X - q[0].X + g*q[1].X) / width, (q[3].X - q[0].X + h*q[3].X) / height, q[0].X,
		(q[1].Y - q[0].Y + g*q[1].Y) / width, (q[3].Y - q[0].Y + h*q[3].Y) / height, q[0].Y,
		g / width, h / height,
	}
}

// cubic writes the colour at a place between pixels.
func (p *Picture) cubic(x, y float64, to []uint8) {
	// Beyond the border nothing changes, so that the places stay small.
	x, y = min(max(x, -4), float64(p.Width)+4), min(max(y, -4), float64(p.Height)+4)
	x0, y0 := math.Floor(x), math.Floor(y)
	wx, wy := keys(x-x0), keys(y-y0)
	var sum [3]float64
	for i, v := range wy {
		row := min(max(int(y0)-1+i, 0), p.Height-1) * p.Width
		for j, h := range wx {
			at := 3 * (row + min(max(int(x0)-1+j, 0), p.Width-1))
			for c := range 3 {
				sum[c] += v * h * float64(p.Pix[at+c])
			}
		}
	}
	for c := range 3 {
		to[c] = level(sum[c])
	}
}

// keys returns the weights of four neighbours (Keys 1981, with a = -0.75 as OpenCV).
func keys(t float64) [4]float64 {
	const a = -0.75
	far := func(d float64) float64 { return ((a*d-5*a)*d+8*a)*d - 4*a }
	near := func(d float64) float64 { return ((a+2)*d-(a+3))*d*d + 1 }
	return [4]float64{far(1 + t), near(t), near(1 - t), far(2 - t)}
}
