// Package grayscale is the fourth step of the staircase: a picture in colour
// becomes one in shades of gray.
package grayscale

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
)

// Size of the picture, in pixels.
const (
	Height = 600
	Width  = 512
)

// Model weighs red, green and blue as ITU-R BT.601 does and rounds to bytes.
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		rgb := f.Input("rgb", dtype.U8, Height, Width, 3).Convert(dtype.F32)
		luma := lang.Const(f, []float32{0.299, 0.587, 0.114}, 3)
		gray := rgb.Mul(luma).Sum(false, 2).AddScalar(0.5)
		f.Output("gray", gray.Convert(dtype.U8))
	})
}
