package draw

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/vision/picture"
)

func TestMarksStayInThePicture(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 40, 30))
	red := Colour(0)
	Outline(m, picture.Quad{{X: 5, Y: 6}, {X: 20, Y: 6}, {X: 20, Y: 15}, {X: 5, Y: 15}}, red)
	for _, at := range []image.Point{{5, 6}, {12, 6}, {20, 10}, {5, 15}} {
		require.Equal(t, red, m.NRGBAAt(at.X, at.Y), at)
	}
	require.Zero(t, m.NRGBAAt(12, 10), "inside nothing is drawn")
	before := append([]uint8{}, m.Pix...)
	Outline(m, picture.Quad{{X: -1e300, Y: -5}, {X: 1e300, Y: -5}, {X: 1e300, Y: -9}, {X: -1e300, Y: -9}}, red)
	require.Equal(t, before, m.Pix)
	Label(m, picture.Point{X: 35, Y: 2}, "a label that is too wide", Colour(-1))
	require.NotEqual(t, before, m.Pix)
	require.Equal(t, Colour(7), Colour(-1))
	require.NotEqual(t, Colour(1), Colour(2))
}
