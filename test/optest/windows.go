package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// convolutions are the operations with windows.
var convolutions = join(
	each("convolution", halves, func(f *lang.Func, d dtype.DType) {
		x, k := f.Input("x", d, 1, 4, 7, 6), f.Input("k", d, 6, 4, 3, 2)
		grouped, each := f.Input("grouped", d, 6, 2, 3, 3), f.Input("each", d, 4, 1, 3, 3)
		f.Output("plain", x.Conv(k, lang.WindowOptions{}))
		f.Output("stride", x.Conv(k, x.WithSamePadding(lang.WindowOptions{Strides: []int64{2, 2}}, []int64{3, 2}, false)))
		f.Output("groups", x.Conv(grouped, lang.WindowOptions{Groups: 2, Dilation: []int64{2, 1}, Low: []int64{1, 0}, High: []int64{1, 2}}))
		f.Output("depthwise", x.Conv(each, lang.WindowOptions{Groups: 4}))
	}, nil),
	[]entry{
		{name: "convolution_1d_and_3d", build: func(f *lang.Func) {
			a, b := f.Input("a", dtype.F32, 2, 3, 9), f.Input("b", dtype.F32, 1, 2, 4, 5, 3)
			f.Output("line", a.Conv(f.Input("k", dtype.F32, 4, 3, 3), lang.WindowOptions{Strides: []int64{2}}))
			f.Output("volume", b.Conv(f.Input("l", dtype.F32, 3, 2, 2, 2, 2), lang.WindowOptions{}))
		}},
		{name: "convolution_transposed", build: func(f *lang.Func) {
			a, b, c := f.Input("a", dtype.F32, 2, 3, 5), f.Input("b", dtype.F32, 1, 4, 3, 4), f.Input("c", dtype.F16, 1, 2, 2, 3, 2)
			k, l, m := f.Input("k", dtype.F32, 3, 2, 4), f.Input("l", dtype.F32, 4, 2, 3, 2), f.Input("m", dtype.F16, 2, 2, 2, 2, 2)
			f.Output("line", a.ConvTranspose(k, lang.WindowOptions{Strides: []int64{3}, Low: []int64{1}, High: []int64{2}, OutputPadding: []int64{1}}))
			f.Output("plane", b.ConvTranspose(l, lang.WindowOptions{Strides: []int64{2, 1}, Groups: 2, Dilation: []int64{1, 2}}))
			f.Output("volume", c.ConvTranspose(m, lang.WindowOptions{}))
		}},
	},
	each("pool", halves, func(f *lang.Func, d dtype.DType) {
		x, v := f.Input("x", d, 2, 3, 7, 6), f.Input("v", d, 1, 2, 4, 5, 3)
		w := lang.WindowOptions{Strides: []int64{2, 2}, Low: []int64{1, 0}, High: []int64{1, 1}, Ceil: true}
		f.Output("max", x.MaxPool([]int64{3, 2}, w))
		f.Output("avg", x.AvgPool([]int64{3, 2}, w))
		w.CountIncludePad = true
		f.Output("avg_padding", x.AvgPool([]int64{3, 2}, w))
		f.Output("max_volume", v.MaxPool([]int64{2, 2, 2}, lang.WindowOptions{}))
		f.Output("adaptive_max", x.AdaptiveMaxPool(3, 8))
		f.Output("adaptive_avg", x.AdaptiveAvgPool(2, 4))
		f.Output("global_max", x.GlobalMaxPool())
		f.Output("global_avg", v.GlobalAvgPool())
	}, nil),
	[]entry{{name: "pool_bytes", build: func(f *lang.Func) {
		x := f.Input("x", dtype.I8, 1, 2, 9)
		f.Output("max", x.MaxPool([]int64{3}, lang.WindowOptions{Strides: []int64{2}, Low: []int64{1}, Dilation: []int64{2}}))
		f.Output("global", x.GlobalMaxPool())
	}}},
)
