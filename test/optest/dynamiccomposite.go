package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var (
	images     = shape.Named("width")
	ofLines    = []sizes{{"batch": 1, "width": 5}, {"batch": 2, "width": 37}, {"batch": 1, "width": 211}}
	ofPictures = []sizes{{"batch": 1}, {"batch": 2}, {"batch": 5}}
	ofImages   = []sizes{{"batch": 1, "width": 3}, {"batch": 2, "width": 7}, {"batch": 3, "width": 16}}
)

// dynamicComposites are composite operations, and the base ones that they lead
// to.
var dynamicComposites = []entry{
	{name: "dynamic_conv", sizes: ofImages, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, shape.N(4), images)
		f.Output("same", x.Conv1D(f.Input("k", dtype.F32, 6, 4, 3), 1, 1))
		f.Output("strided", x.Conv1D(f.Input("s", dtype.F32, 6, 4, 3), 2, 1))
		f.Output("one", x.Conv1D(f.Input("o", dtype.F32, 6, 4, 1), 1, 0))
		wide := lang.WindowOptions{Groups: 2, Dilation: []int64{2}, Low: []int64{3}, High: []int64{2}}
		f.Output("followed", x.Conv(f.Input("g", dtype.F32, 6, 2, 3), wide).Add(f.Input("b", dtype.F32, 6).Reshape(6, 1)).ReLU())
		f.Output("upsampled", x.ConvTranspose(f.Input("u", dtype.F32, 4, 3, 4), lang.WindowOptions{Strides: []int64{2}, Low: []int64{1}, High: []int64{1}}))
		y := f.InputOf("y", dtype.F32, batch, shape.N(4), images, shape.N(5))
		f.Output("image", y.Conv(f.Input("q", dtype.F32, 6, 2, 3, 2), lang.WindowOptions{Strides: []int64{2, 1}, Low: []int64{1, 0}, High: []int64{1, 1}, Groups: 2}))
		f.Output("max_pool", y.MaxPool([]int64{2, 2}, lang.WindowOptions{Strides: []int64{2, 1}, High: []int64{1, 0}}))
		f.Output("avg_pool", y.AvgPool([]int64{3, 2}, lang.WindowOptions{Low: []int64{1, 0}, High: []int64{1, 0}}))
		f.Output("global", y.GlobalAvgPool())
	}},
	{name: "dynamic_conv_line", sizes: ofLines, build: func(f *lang.Func) {
		x, k := f.InputOf("x", dtype.F32, batch, shape.N(4), images), f.Input("k", dtype.F32, 4, 4, 3)
		small := x.LeakyReLU(0.1)
		once := small.Conv1D(k, 1, 1).Add(f.Input("b", dtype.F32, 4).Reshape(4, 1)).Add(x)
		f.Output("residual", once)
		f.Output("both", once.LeakyReLU(0.2).Conv1D(k, 1, 1).Add(small.Conv1D(k, 1, 1)).ReLU())
		f.Output("far", x.Conv(f.Input("l", dtype.F32, 5, 4, 7), lang.WindowOptions{Dilation: []int64{12}, Low: []int64{40}, High: []int64{36}}))
		f.Output("longer", x.Conv(f.Input("m", dtype.F32, 8, 2, 5), lang.WindowOptions{Groups: 2, Low: []int64{70}, High: []int64{3}}).LeakyReLU(0.3))
		deep := f.InputOf("y", dtype.F32, batch, shape.N(130), images)
		f.Output("deep", deep.LeakyReLU(0.01).Conv1D(f.Input("n", dtype.F32, 13, 130, 5), 1, 2).Add(f.InputOf("z", dtype.F32, batch, shape.N(13), images)))
	}},
	// Convolutions and pools of pictures whose count alone a call gives.
	{name: "dynamic_pictures", sizes: ofPictures, build: func(f *lang.Func) {
		pictures := func(name string, sizes ...int64) lang.Tensor {
			return f.InputOf(name, dtype.F32, append(shape.Shape{batch}, shape.Of(sizes...)...)...)
		}
		x, b := pictures("x", 4, 9, 21), f.Input("b", dtype.F32, 14)
		k := f.Input("k", dtype.F32, 14, 2, 3, 3)
		same := func(stride, dilation int64) lang.WindowOptions {
			pad := []int64{dilation, dilation}
			return lang.WindowOptions{Strides: []int64{stride, stride}, Dilation: pad, Low: pad, High: pad, Groups: 2}
		}
		f.Output("same", x.Conv(k, same(1, 1)).Add(b.Reshape(14, 1, 1)).ReLU())
		f.Output("stride_2", x.Conv(k, same(2, 1)))
		f.Output("stride_3", x.Conv(k, same(3, 2)))
		f.Output("uneven", x.Conv(f.Input("l", dtype.F32, 5, 4, 1, 4), lang.WindowOptions{Strides: []int64{2, 1}, Low: []int64{0, 3}, High: []int64{1, 0}}))
		f.Output("point", x.Conv(f.Input("p", dtype.F32, 13, 4, 1, 1), lang.WindowOptions{Strides: []int64{1, 2}}))
		f.Output("one", x.GlobalAvgPool().Conv(f.Input("q", dtype.F32, 6, 4, 1, 1), lang.WindowOptions{}))
		f.Output("few", x.Conv(f.Input("r", dtype.F32, 3, 4, 8, 18), lang.WindowOptions{}))
		f.Output("taps", x.Conv(f.Input("v", dtype.F32, 6, 2, 9, 19), lang.WindowOptions{Groups: 2, Low: []int64{4, 9}, High: []int64{4, 9}}))
		f.Output("row", pictures("y", 3, 1, 40).Conv(f.Input("s", dtype.F32, 5, 3, 1, 5), lang.WindowOptions{Strides: []int64{1, 3}, Low: []int64{0, 2}, High: []int64{0, 2}}))
		f.Output("line", pictures("z", 3, 40).Conv(f.Input("t", dtype.F32, 5, 3, 5), lang.WindowOptions{Strides: []int64{3}, Low: []int64{2}, High: []int64{2}}))
		depthwise := f.Input("u", dtype.F32, 8, 1, 3, 3)
		f.Output("depthwise", x.Conv(depthwise, lang.WindowOptions{Groups: 4, Strides: []int64{2, 2}, Low: []int64{0, 1}, High: []int64{1, 0}}))
		f.Output("depthwise_same", pictures("w", 4, 7, 7).Conv(depthwise, lang.WindowOptions{Groups: 4, Low: []int64{1, 1}, High: []int64{1, 1}}))
		f.Output("pool", x.MaxPool([]int64{3, 2}, lang.WindowOptions{Strides: []int64{2, 2}, Low: []int64{1, 0}, High: []int64{1, 1}}))
	}},
	{name: "dynamic_sort", sizes: ofBatches, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, seq)
		f.Output("last", x.ArgSort(1, false))
		f.Output("first", x.ArgSort(0, true))
		f.Output("sorted", x.Sort(1, true))
		i := f.InputOf("i", dtype.I32, batch, shape.N(9)) // with equal elements
		f.Output("equal", i.ArgSort(1, true))
		f.Output("equal_rows", i.ArgSort(0, false))
		f.Output("behind", i.Convert(dtype.F32).Exp().Negate().ArgSort(1, false))
		values, indices := f.InputOf("y", dtype.F32, seq, shape.N(20)).TopK(3, 1, true)
		f.Output("values", values)
		f.Output("indices", indices)
	}},
	{name: "dynamic_nan_sort", sizes: ofN, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, n)
		zero := x.Sub(x)
		some := x.Greater(zero).Select(zero.Div(zero), x) // NaN where x > 0
		f.Output("rising", some.ArgSort(0, false))
		f.Output("falling", some.ArgSort(0, true))
	}},
	{name: "dynamic_scatter", sizes: ofBatches, build: func(f *lang.Func) {
		i := f.InputOf("i", dtype.I32, batch)
		f.Output("add", f.Input("x", dtype.F32, 4, 3).Scatter(lang.ScatterAdd, i, f.InputOf("u", dtype.F32, batch, shape.N(3))))
		f.Output("max", f.InputOf("y", dtype.F16, seq, batch).Scatter(lang.ScatterMax, f.InputOf("j", dtype.I32, shape.N(2), batch), f.InputOf("v", dtype.F16, shape.N(2), batch, batch)))
		f.Output("gather", f.InputOf("z", dtype.F32, batch, seq).Gather(i, 1))
		f.Output("take_along", f.InputOf("w", dtype.F32, batch, seq).TakeAlong(f.InputOf("k", dtype.I32, batch, seq), 1))
		f.Output("one_hot", i.OneHot(3, dtype.F32))
	}},
	{name: "dynamic_norms", sizes: ofBatches, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, seq, shape.N(6))
		f.Output("rms_norm", x.RMSNorm(f.Input("gamma", dtype.F32, 6), 1e-6, 0))
		f.Output("log_softmax", x.LogSoftmax(1))
		f.Output("l2", x.L2Normalize(1, 1e-12))
		f.Output("mean", x.Mean(false, 0, 1))
		f.Output("variance", x.Variance(0, true, 1))
		f.Output("log_sum_exp", x.LogSumExp(false, 1))
		f.Output("argmin", x.ArgMin(1))
		f.Output("group_norm", f.InputOf("y", dtype.F32, batch, shape.N(4), seq).GroupNorm(2, f.Input("g", dtype.F32, 4), f.Input("b", dtype.F32, 4), 1e-5))
		f.Output("cumsum", x.CumSum(1, lang.ScanOptions{}))
	}},
	{name: "dynamic_attention", sizes: []sizes{{"batch": 1, "seq": 1, "past": 1}, {"batch": 2, "seq": 3, "past": 4}, {"batch": 3, "seq": 8, "past": 8}}, build: func(f *lang.Func) {
		all := seq.Plus(shape.Named("past"))
		q := f.InputOf("q", dtype.F32, batch, shape.N(4), seq, shape.N(8))
		k, v := f.InputOf("k", dtype.F32, batch, shape.N(2), all, shape.N(8)), f.InputOf("v", dtype.F32, batch, shape.N(2), all, shape.N(5))
		f.InputOf("past", dtype.I32, shape.Named("past")) // says how long it is
		f.Output("plain", q.Attention(k, v, lang.AttentionOptions{}))
		f.Output("causal", q.Attention(k, v, lang.AttentionOptions{Causal: true}))
		f.Output("window", q.Attention(k, v, lang.AttentionOptions{Window: 2, SoftCap: 3, Scale: 0.5}))
		f.Output("masked", q.Attention(k, v, lang.AttentionOptions{Mask: f.InputOf("mask", dtype.F32, seq, all)}))
		f.Output("rotary", q.Rotary(f.InputOf("p", dtype.I32, batch, seq), lang.RotaryOptions{Interleaved: true, Dims: 6}))
	}},
	{name: "dynamic_cached", sizes: []sizes{{"seq": 1}, {"seq": 11}, {"seq": 70}}, args: []tensor.Value{list([]int32{90})}, build: func(f *lang.Func) {
		start := f.Input("start", dtype.I32) // which is clamped for the last size
		q := f.InputOf("q", dtype.F32, seq, shape.N(4), shape.N(16))
		for _, d := range halves {
			keys, values := f.Input("keys_"+d.String(), d, 150, 2, 16), f.Input("values_"+d.String(), d, 150, 2, 16)
			f.Output("plain_"+d.String(), q.CachedAttention(keys, values, start, lang.AttentionOptions{}))
			f.Output("window_"+d.String(), q.CachedAttention(keys, values, start, lang.AttentionOptions{Window: 7, SoftCap: 3, Scale: 0.5}))
			f.Output("updated_"+d.String(), keys.UpdateRows(f.InputOf("rows_"+d.String(), d, seq, shape.N(2), shape.N(16)), start))
		}
	}},
	{name: "dynamic_arrange", sizes: ofBatches, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, seq)
		f.Output("tile", x.Tile(2, 3))
		f.Output("tril", x.Tril(0))
		f.Output("triu", x.Triu(-1))
		f.Output("shuffle", f.InputOf("y", dtype.F32, batch, shape.N(8), seq, shape.N(2)).DepthToSpace(2, lang.CRD))
		f.Output("gru", f.InputOf("z", dtype.F32, batch, shape.N(3)).GRUCell(f.InputOf("h", dtype.F32, batch, shape.N(4)),
			f.Input("w", dtype.F32, 12, 3), f.Input("r", dtype.F32, 12, 4), f.Input("b", dtype.F32, 24), false))
		f.Output("einsum", f.Einsum("bs,bt->st", x, x))
	}},
}
