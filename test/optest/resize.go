package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// resizes are the operations that resample, rearrange and quantise.
var resizes = join(
	each("resize", halves, func(f *lang.Func, d dtype.DType) {
		x, sizes := f.Input("x", d, 1, 2, 3, 4), []int64{1, 2, 6, 7}
		f.Output("nearest", x.Resize(sizes, lang.ResizeOptions{}))
		f.Output("linear", x.Resize(sizes, lang.ResizeOptions{Mode: lang.Linear, Coordinates: lang.AlignCorners}))
		f.Output("cubic", x.Resize(sizes, lang.ResizeOptions{Mode: lang.Cubic, Coordinates: lang.PyTorchHalfPixel, ExcludeOutside: true, Coefficient: -0.5}))
		f.Output("scaled", x.Resize([]int64{1, 2, 1, 2}, lang.ResizeOptions{
			Mode: lang.Nearest, Coordinates: lang.Asymmetric, Rounding: lang.RoundCeil, Scales: []float64{1, 1, 0.6, 0.6},
		}))
	}, nil),
	[]entry{
		{name: "resize_bytes", build: func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.I8, 3, 4).Resize([]int64{6, 4}, lang.ResizeOptions{}))
		}},
		{name: "pixel_blocks", build: func(f *lang.Func) {
			x, y := f.Input("x", dtype.F32, 1, 8, 2, 3), f.Input("y", dtype.I8, 1, 2, 4, 6)
			f.Output("dcr", x.DepthToSpace(2, lang.DCR))
			f.Output("shuffle", x.PixelShuffle(2))
			f.Output("back", y.SpaceToDepth(2, lang.DCR))
			f.Output("unshuffle", y.SpaceToDepth(2, lang.CRD))
		}},
	},
	// Quotients are far from halves, which another division might round differently.
	each("quantize", halves, func(f *lang.Func, d dtype.DType) {
		x, scale := f.Input("x", d, 2, 3), f.Input("scale", d, 3)
		signed, unsigned := f.Input("signed", dtype.I8), f.Input("unsigned", dtype.U8, 3)
		f.Output("tensor", x.QuantizeLinear(scale.Slice(0, 0, 1).Reshape(), signed, 0))
		axis := x.QuantizeLinear(scale, unsigned, 1)
		f.Output("axis", axis)
		f.Output("back", axis.DequantizeLinear(scale, unsigned, -1))
		f.Output("halves", axis.DequantizeLinear(scale.Slice(0, 1, 2).Reshape().Convert(dtype.F16), unsigned.Slice(0, 1, 2).Reshape(), 0))
	}, func(d dtype.DType) []tensor.Value {
		return []tensor.Value{
			typed(d, []float32{0.6, -1.7, 1000, nan, -inf, 0.3}, 2, 3), typed(d, []float32{0.5, 0.25, 2}, 3),
			list([]int8{-3}), list([]uint8{7, 128, 0}, 3),
		}
	}),
)
