package picture

import "math"

// Resize scales to another size with linear interpolation between the centres of pixels, as
// OpenCV's INTER_LINEAR and ONNX's half_pixel do: for smaller sizes without averaging.
func (p *Picture) Resize(width, height int) *Picture {
	if width == p.Width && height == p.Height {
		return p
	}
	q := New(width, height)
	xs, ys := taps(p.Width, width), taps(p.Height, height)
	for y, v := range ys {
		above, below := p.Pix[3*p.Width*v.at:], p.Pix[3*p.Width*v.next:]
		row := q.Pix[3*width*y:]
		for x, h := range xs {
			for c := range 3 {
				l, r := 3*h.at+c, 3*h.next+c
				top := (1-h.part)*float64(above[l]) + h.part*float64(above[r])
				bottom := (1-h.part)*float64(below[l]) + h.part*float64(below[r])
				row[3*x+c] = level((1-v.part)*top + v.part*bottom)
			}
		}
	}
	return q
}

// tap is a place between two pixels.
type tap struct {
	at, next int
	part     float64 // of next
}

func taps(from, to int) []tap {
	list := make([]tap, to)
	for i := range list {
		at := (float64(i)+0.5)*float64(from)/float64(to) - 0.5
		at = min(max(at, 0), float64(from-1))
		low := int(at)
		list[i] = tap{low, min(low+1, from-1), at - float64(low)}
	}
	return list
}

// level rounds and clamps to 8 bits.
func level(v float64) uint8 { return uint8(math.RoundToEven(min(max(v, 0), 255))) }

// Area scales down by averaging the pixels that each new one covers, as PIL's BOX does,
// and up as nearest neighbours.
func (p *Picture) Area(width, height int) *Picture {
	q := New(width, height)
	for y := range height {
		y0, y1 := span(y, p.Height, height)
		for x := range width {
			x0, x1 := span(x, p.Width, width)
			var sum [3]int
			for v := y0; v < y1; v++ {
				for u := x0; u < x1; u++ {
					for c := range 3 {
						sum[c] += int(p.Pix[3*(v*p.Width+u)+c])
					}
				}
			}
			n := (y1 - y0) * (x1 - x0)
			for c := range 3 {
				q.Pix[3*(y*width+x)+c] = uint8((sum[c] + n/2) / n)
			}
		}
	}
	return q
}

func span(i, from, to int) (first, end int) {
	first = i * from / to
	return first, max((i+1)*from/to, first+1)
}

// Crop returns the part of a picture from x, y; it must lie inside.
func (p *Picture) Crop(x, y, width, height int) *Picture {
	q := New(width, height)
	for i := range height {
		from := 3 * ((y+i)*p.Width + x)
		copy(q.Pix[3*width*i:], p.Pix[from:from+3*width])
	}
	return q
}

// Pad returns a picture of at least this size with p at left and top, and pixels of one
// level around it.
func (p *Picture) Pad(left, top, width, height int, shade uint8) *Picture {
	q := New(width, height)
	for i := range q.Pix {
		q.Pix[i] = shade
	}
	for y := range p.Height {
		copy(q.Pix[3*((top+y)*width+left):], p.Pix[3*y*p.Width:3*(y+1)*p.Width])
	}
	return q
}

// Letterbox scales a picture into a frame, keeps its proportions, and fills the rest on
// the right and at the bottom. A place in the frame is scale times that in p.
func (p *Picture) Letterbox(width, height int, shade uint8) (framed *Picture, scale float64) {
	scale = min(float64(width)/float64(p.Width), float64(height)/float64(p.Height))
	w := min(max(int(math.Round(float64(p.Width)*scale)), 1), width)
	h := min(max(int(math.Round(float64(p.Height)*scale)), 1), height)
	return p.Resize(w, h).Pad(0, 0, width, height, shade), scale
}

// Rotate180 returns the picture upside down.
func (p *Picture) Rotate180() *Picture {
	q := New(p.Width, p.Height)
	n := p.Width * p.Height
	for i := range n {
		copy(q.Pix[3*i:3*i+3], p.Pix[3*(n-1-i):])
	}
	return q
}

// RotateLeft returns the picture turned by 90 degrees, its right side up.
func (p *Picture) RotateLeft() *Picture {
	q := New(p.Height, p.Width)
	for y := range q.Height {
		for x := range q.Width {
			from := 3 * (x*p.Width + p.Width - 1 - y)
			copy(q.Pix[3*(y*q.Width+x):3*(y*q.Width+x)+3], p.Pix[from:])
		}
	}
	return q
}
