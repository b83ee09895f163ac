// Package draw marks what was found in a picture.
//
// # Errors
//
// None.
//
// # Determinism
//
// The same pixels for the same marks.
package draw

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/skainet-dev/skainet-go/vision/picture"
)

// Colour returns one of some clearly different colours.
func Colour(n int) color.NRGBA {
	list := [...]color.NRGBA{
		{230, 25, 75, 255}, {60, 150, 60, 255}, {0, 110, 210, 255}, {200, 110, 20, 255}, {145, 30, 180, 255}, {0, 128, 128, 255}, {170, 20, 130, 255}, {128, 0, 0, 255},
	}
	return list[((n%len(list))+len(list))%len(list)]
}

// Outline draws the sides of a quadrilateral, two pixels wide.
func Outline(m *image.NRGBA, q picture.Quad, c color.NRGBA) {
	for i, a := range q {
		b := q[(i+1)%4]
		steps := math.Ceil(max(math.Abs(b.X-a.X), math.Abs(b.Y-a.Y), 1))
		// Lines that leave the picture are cut off, not walked along.
		steps = min(steps, float64(4*(m.Rect.Dx()+m.Rect.Dy())))
		for s := 0.; s <= steps; s++ {
			x, y := int(math.Round(a.X+(b.X-a.X)*s/steps)), int(math.Round(a.Y+(b.Y-a.Y)*s/steps))
			for _, d := range [...]image.Point{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}} {
				if p := (image.Point{x, y}).Add(d); p.In(m.Rect) {
					m.SetNRGBA(p.X, p.Y, c)
				}
			}
		}
	}
}

// Label writes a line of text in white on a colour, above a place, or below it at the top
// of the picture. Letters that the font lacks are boxes.
func Label(m *image.NRGBA, at picture.Point, text string, c color.NRGBA) {
	face := basicfont.Face7x13
	width, height := font.MeasureString(face, text).Ceil()+4, face.Height+2
	x, y := int(at.X), int(at.Y)-height
	if y < m.Rect.Min.Y {
		y = int(at.Y) + 2
	}
	x = max(min(x, m.Rect.Max.X-width), m.Rect.Min.X)
	for v := y; v < y+height; v++ {
		for u := x; u < x+width; u++ {
			if (image.Point{u, v}).In(m.Rect) {
				m.SetNRGBA(u, v, c)
			}
		}
	}
	d := font.Drawer{Dst: m, Src: image.White, Face: face, Dot: fixed.P(x+2, y+face.Ascent+1)}
	d.DrawString(text)
}
