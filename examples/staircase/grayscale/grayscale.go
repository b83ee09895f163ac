// Package grayscale is the fourth stage of the staircase: it converts
// a colour picture to grayscale.
package grayscale

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Size of the picture, in pixels.
const (
	Height = 600
	Width  = 512
)

// Model weights red, green and blue as in ITU-R BT.601, 0.299, 0.587 and
// 0.114, as fractions of 65536: integers round the same on every device.
func Model(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		rgb := f.Input("rgb", dtype.U8, Height, Width, 3).Convert(dtype.I32)
		luma := lang.Const(f, []int32{19595, 38470, 7471}, 3)
		sum := rgb.Mul(luma).Sum(false, 2).AddScalar(1 << 15)
		f.Output("gray", sum.Div(f.Splat(dtype.I32, 1<<16)).Convert(dtype.U8))
	})
}
