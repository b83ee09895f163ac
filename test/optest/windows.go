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
		// Wider than a vector, with a rest, and of all the strides that kernels know.
		{name: "convolution_wide", build: func(f *lang.Func) {
			x, k := f.Input("x", dtype.F32, 2, 4, 9, 21), f.Input("k", dtype.F32, 14, 2, 3, 3)
			same := func(stride, dilation int64) lang.WindowOptions {
				pad := []int64{dilation, dilation}
				return lang.WindowOptions{Strides: []int64{stride, stride}, Dilation: pad, Low: pad, High: pad, Groups: 2}
			}
			f.Output("stride_1", x.Conv(k, same(1, 1)))
			f.Output("stride_2", x.Conv(k, same(2, 1)))
			f.Output("stride_3", x.Conv(k, same(3, 2)))
			f.Output("uneven", x.Conv(f.Input("l", dtype.F32, 5, 4, 1, 4), lang.WindowOptions{Strides: []int64{2, 1}, Low: []int64{0, 3}, High: []int64{1, 0}}))
			f.Output("point", x.Conv(f.Input("p", dtype.F32, 13, 4, 1, 1), lang.WindowOptions{Strides: []int64{1, 2}}))
			many := lang.WindowOptions{Strides: []int64{1, 2}, Dilation: []int64{1, 2}, Low: []int64{1, 16}, High: []int64{1, 17}, Groups: 2}
			f.Output("many_taps", x.Conv(f.Input("m", dtype.F32, 14, 2, 4, 17), many))
			f.Output("long_row", f.Input("row", dtype.F32, 1, 1, 1, 700).Conv(f.Input("n", dtype.F32, 9, 1, 1, 130), lang.WindowOptions{Strides: []int64{1, 16}}))
			f.Output("deep", f.Input("d", dtype.F32, 1, 130, 4, 5).Conv(f.Input("e", dtype.F32, 7, 130, 2, 2), lang.WindowOptions{}))
		}},
		// Frames of a spectrum, and fewer positions than a vector has lanes.
		{name: "convolution_few", build: func(f *lang.Func) {
			line, x := f.Input("line", dtype.F32, 1, 1, 100), f.Input("x", dtype.F32, 1, 5, 9)
			f.Output("frames", line.Conv(f.Input("k", dtype.F32, 3, 1, 40), lang.WindowOptions{Strides: []int64{16}}))
			f.Output("cut", line.Conv(f.Input("l", dtype.F32, 3, 1, 70), lang.WindowOptions{Strides: []int64{8}, Low: []int64{5}, High: []int64{4}}))
			f.Output("many", f.Input("m", dtype.F32, 2, 2, 90).Conv(f.Input("n", dtype.F32, 5, 2, 66), lang.WindowOptions{Strides: []int64{3}, Low: []int64{2}, High: []int64{7}}))
			b := f.Input("b", dtype.F32, 133)
			y := x.Conv(f.Input("o", dtype.F32, 133, 5, 3), lang.WindowOptions{Strides: []int64{2}, Dilation: []int64{2}, Low: []int64{2}, High: []int64{3}})
			f.Output("bias", y.Add(b.Reshape(133, 1)).ReLU())
			f.Output("point", x.Slice(2, 4, 5).Conv(f.Input("p", dtype.F32, 7, 5, 1), lang.WindowOptions{}))
			f.Output("all", x.Conv(f.Input("q", dtype.F32, 6, 5, 9), lang.WindowOptions{}))
		}},
		{name: "convolution_depthwise", build: func(f *lang.Func) {
			x, k := f.Input("x", dtype.F32, 2, 3, 8, 37), f.Input("k", dtype.F32, 6, 1, 3, 3)
			depthwise := func(name string, w lang.WindowOptions) {
				w.Groups = 3
				f.Output(name, x.Conv(k, w))
			}
			depthwise("stride_1", lang.WindowOptions{Low: []int64{1, 1}, High: []int64{1, 1}})
			depthwise("stride_2", lang.WindowOptions{Low: []int64{0, 1}, High: []int64{1, 0}, Strides: []int64{2, 2}})
			depthwise("stride_3", lang.WindowOptions{Strides: []int64{1, 3}, Dilation: []int64{2, 1}})
			depthwise("dilated", lang.WindowOptions{Low: []int64{2, 3}, High: []int64{2, 5}, Strides: []int64{3, 2}, Dilation: []int64{2, 3}})
			long := f.Input("long", dtype.F32, 1, 2, 70, 300)
			f.Output("parts", long.Conv(f.Input("l", dtype.F32, 2, 1, 5, 5), lang.WindowOptions{Groups: 2, Low: []int64{2, 2}, High: []int64{2, 2}}))
			line := f.Input("line", dtype.F32, 1, 2, 600)
			f.Output("line_parts", line.Conv(f.Input("m", dtype.F32, 4, 1, 4), lang.WindowOptions{Groups: 2, Strides: []int64{2}, Low: []int64{1}, High: []int64{4}}))
		}},
		{name: "convolution_followed", build: func(f *lang.Func) {
			x, b := f.Input("x", dtype.F32, 2, 48, 7, 9), f.Input("b", dtype.F32, 6)
			added := func(y lang.Tensor, b lang.Tensor) lang.Tensor { return y.Add(b.Reshape(b.Type().Shape[0].Size, 1, 1)) }
			pads := lang.WindowOptions{Low: []int64{1, 1}, High: []int64{1, 1}}
			y := x.Conv(f.Input("k", dtype.F32, 6, 48, 3, 3), pads) // 432 products: two slices
			f.Output("bias", added(y, b))
			f.Output("relu", added(y.MulScalar(1), b).ReLU())
			pads.Strides, pads.Groups = []int64{2, 2}, 3
			z := x.Conv(f.Input("l", dtype.F32, 6, 16, 3, 3), pads)
			f.Output("groups", added(z, b).ReLU6())
			f.Output("limits", x.Conv(f.Input("m", dtype.F32, 6, 48, 1, 1), lang.WindowOptions{}).Max(f.Splat(dtype.F32, -0.5)).Min(f.Splat(dtype.F32, 0.25)))
			f.Output("upper", x.Conv(f.Input("n", dtype.F32, 6, 48, 2, 2), lang.WindowOptions{}).Min(f.Splat(dtype.F32, 0.25)).Max(f.Splat(dtype.F32, -0.5)))
			c := f.Input("c", dtype.F32, 48)
			depthwise := func(name string, o lang.WindowOptions) lang.Tensor { // of 48 channels
				o.Groups = 48
				return added(x.Conv(f.Input(name, dtype.F32, 48, 1, 3, 3), o), c)
			}
			f.Output("depthwise", depthwise("p", pads).ReLU6())
			f.Output("depthwise_bias", depthwise("q", lang.WindowOptions{}))
			both := added(x.Conv(f.Input("r", dtype.F32, 6, 48, 1, 1), lang.WindowOptions{}), b)
			f.Output("before", both)
			f.Output("after", both.ReLU())
			line := f.Input("line", dtype.F32, 1, 4, 40)
			small := f.Input("t", dtype.F32, 2, 6, 75)
			u := small.LeakyReLU(0.1).Conv(f.Input("u", dtype.F32, 6, 3, 3), lang.WindowOptions{Groups: 2, Dilation: []int64{2}, Low: []int64{2}, High: []int64{2}})
			f.Output("line_residual", added(u.Reshape(2, 6, 75, 1), b).Reshape(2, 6, 75).Add(small))
			f.Output("line_sum", u.Add(b.Reshape(6, 1)).Add(small).LeakyReLU(0.2))
			f.Output("line_bias", line.Conv(f.Input("s", dtype.F32, 6, 4, 5), lang.WindowOptions{Strides: []int64{2}}).Add(b.Reshape(6, 1)).ReLU())
		}},
		{name: "product_by_rows", build: func(f *lang.Func) {
			x, w := f.Input("x", dtype.F32, 27, 390), f.Input("w", dtype.F32, 390, 45)
			f.Output("rows", x.MatMul(w))
			f.Output("row", x.Slice(0, 3, 4).MatMul(w))
			f.Output("narrow", x.MatMul(w.Slice(1, 0, 9)))
			f.Output("wide", x.Slice(0, 0, 1).Slice(1, 0, 5).MatMul(f.Input("v", dtype.F32, 5, 331)))
		}},
		{name: "product_of_batches", build: func(f *lang.Func) {
			x, y := f.Input("x", dtype.F32, 2, 3, 29, 17), f.Input("y", dtype.F32, 2, 3, 17, 21)
			f.Output("batches", x.MatMul(y))
			f.Output("narrow", x.MatMul(y.Slice(3, 0, 9)))
			f.Output("few", x.Slice(2, 0, 4).MatMul(y))
		}},
		{name: "product_of_integers", build: func(f *lang.Func) {
			whole := func(x lang.Tensor) lang.Tensor { return x.Convert(dtype.I32) }
			x, z := whole(f.Input("x", dtype.U8, 27, 46)), whole(f.Input("z", dtype.U8))
			w := whole(f.Input("w", dtype.I8, 46, 35))
			f.Output("signed", x.Sub(z).MatMul(w))
			f.Output("row", x.Slice(0, 3, 4).MatMul(w))
			f.Output("unsigned", x.MatMul(whole(f.Input("v", dtype.U8, 46, 16))))
			f.Output("centred", x.Sub(z).MatMul(w.Sub(z)))
			long := whole(f.Input("long", dtype.I16, 9, 800))
			f.Output("wraps", long.MatMul(whole(f.Input("short", dtype.I16, 800, 33))))
			f.Output("odd", x.Slice(1, 0, 45).MatMul(w.Slice(0, 0, 45)))
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
