package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var contraction = []entry{
	{name: "dot_rows", build: func(f *lang.Func) { // x W^T, as linear layers have it
		f.Output("y", f.Input("x", dtype.F32, 5, 16).Dot(f.Input("w", dtype.F32, 8, 16), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
	}},
	{name: "dot_one_row", build: func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 1, 64).Dot(f.Input("w", dtype.F32, 48, 64), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
	}},
	{name: "dot_narrow_weight", build: func(f *lang.Func) { // stored in f16, computed in f32
		w := f.Input("w", dtype.F16, 48, 64).Convert(dtype.F32)
		f.Output("y", f.Input("x", dtype.F32, 1, 64).Dot(w, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
	}},
	{name: "dot_narrow_slice", build: func(f *lang.Func) { // of a weight that several products share
		w, x := f.Input("w", dtype.F16, 12, 4), f.Input("x", dtype.F32, 2, 4)
		wide, dims := w.Convert(dtype.F32), lang.Dims{LHS: []int{1}, RHS: []int{1}}
		f.Output("rows", x.Dot(wide.Slice(0, 4, 12), lang.Dims{}, dims))
		f.Output("columns", x.Slice(1, 0, 2).Dot(wide.Slice(1, 1, 3), lang.Dims{}, dims))
		f.Output("squares", x.Dot(wide.Mul(wide).Slice(0, 0, 8), lang.Dims{}, dims))
		f.Output("before", x.Dot(w.Reshape(3, 4, 4).Slice(0, 1, 3).Reshape(8, 4).Convert(dtype.F32), lang.Dims{}, dims))
		f.Output("chosen", x.Dot(wide.DynamicSlice([]int64{8, 4}, f.Splat(dtype.I32, 2), f.Splat(dtype.I32, 0)), lang.Dims{}, dims))
	}},
	{name: "dot_narrow_scaled", build: func(f *lang.Func) { // operands that were widened and then computed with
		heads, rows := lang.Dims{LHS: []int{1}, RHS: []int{1}}, lang.Dims{LHS: []int{1}, RHS: []int{1}}
		last := lang.Dims{LHS: []int{2}, RHS: []int{2}}
		scaled := func(name string, d dtype.DType, dims ...int64) lang.Tensor {
			return f.Input(name, d, dims...).Convert(dtype.F32).MulScalar(0.25).AddScalar(0.125)
		}
		keys := f.Input("keys", dtype.F16, 150, 8, 32).Convert(dtype.F32)
		f.Output("vector", scaled("q", dtype.F16, 1, 8, 32).Dot(keys, heads, last))
		f.Output("rows", scaled("q_rows", dtype.F16, 5, 8, 32).Dot(keys, heads, last))
		f.Output("both", scaled("q_i8", dtype.I8, 1, 8, 32).Dot(scaled("keys_i8", dtype.I8, 40, 8, 32), heads, last))
		w := scaled("w", dtype.I8, 48, 64)
		f.Output("weight", f.Input("x", dtype.F32, 1, 64).Dot(w, lang.Dims{}, rows))
		f.Output("weight_rows", f.Input("x_rows", dtype.F32, 9, 64).Dot(w, lang.Dims{}, rows))
		f.Output("weight_square", f.Input("x_square", dtype.F32, 48, 64).Dot(w, lang.Dims{}, rows))
		f.Output("few", f.Input("x_many", dtype.F32, 100, 64).Dot(scaled("w_few", dtype.F16, 3, 64), lang.Dims{}, rows))
	}},
	{name: "conv_narrow_scaled", build: func(f *lang.Func) {
		x := f.Input("x", dtype.F16, 1, 3, 6, 6).Convert(dtype.F32).MulScalar(0.5).AddScalar(1)
		f.Output("y", x.Conv(f.Input("k", dtype.F16, 6, 3, 3, 3).Convert(dtype.F32).MulScalar(3), lang.WindowOptions{}))
		f.Output("depthwise", x.Conv(f.Input("k_each", dtype.F16, 3, 1, 3, 3).Convert(dtype.F32).MulScalar(3), lang.WindowOptions{Groups: 3}))
	}},
	{name: "conv_narrow_slice", build: func(f *lang.Func) {
		x, k := f.Input("x", dtype.F32, 1, 3, 6, 6), f.Input("k", dtype.F16, 6, 3, 3, 3)
		f.Output("y", x.Conv(k.Convert(dtype.F32).Slice(0, 2, 6), lang.WindowOptions{}))
		f.Output("before", x.Conv(k.Slice(0, 2, 6).Convert(dtype.F32), lang.WindowOptions{}))
	}},
	{name: "dot_f16", build: func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F16, 4, 32).MatMul(f.Input("w", dtype.F16, 32, 6)))
	}},
	{name: "dot_i32", build: func(f *lang.Func) { f.Output("y", f.Input("x", dtype.I32, 3, 5).MatMul(f.Input("w", dtype.I32, 5, 2))) }},
	{name: "dot_batched", build: func(f *lang.Func) {
		q, k := f.Input("q", dtype.F32, 2, 3, 8), f.Input("k", dtype.F32, 2, 5, 8)
		f.Output("scores", q.Dot(k, lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{2}, RHS: []int{2}}))
	}},
	{name: "dot_batched_twice", build: func(f *lang.Func) { // the batching dimension is not the first
		a, b := f.Input("a", dtype.F32, 3, 2, 4), f.Input("b", dtype.F32, 4, 5, 2)
		f.Output("y", a.Dot(b, lang.Dims{LHS: []int{1}, RHS: []int{2}}, lang.Dims{LHS: []int{2}, RHS: []int{0}}))
	}},
	{name: "dot_two_dims", build: func(f *lang.Func) {
		a, b := f.Input("a", dtype.F32, 2, 3, 4), f.Input("b", dtype.F32, 3, 4, 5)
		f.Output("y", a.Dot(b, lang.Dims{}, lang.Dims{LHS: []int{1, 2}, RHS: []int{0, 1}}))
	}},
	{name: "dot_vectors", build: func(f *lang.Func) {
		a, b := f.Input("a", dtype.F32, 9), f.Input("b", dtype.F32, 9)
		f.Output("inner", a.Dot(b, lang.Dims{}, lang.Dims{LHS: []int{0}, RHS: []int{0}}))
		f.Output("outer", a.Dot(b, lang.Dims{}, lang.Dims{}))
	}},
}

var convolution = []entry{
	{name: "conv1d", build: func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 1, 3, 10).Conv1D(f.Input("k", dtype.F32, 4, 3, 3), 1, 1))
	}},
	{name: "conv1d_stride", build: func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 2, 2, 9).Conv1D(f.Input("k", dtype.F32, 3, 2, 4), 2, 3))
	}},
	{name: "conv1d_one_tap", build: func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 1, 4, 6).Conv1D(f.Input("k", dtype.F32, 2, 4, 1), 1, 0))
	}},
	{name: "conv1d_f16", build: func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F16, 1, 3, 8).Conv1D(f.Input("k", dtype.F16, 2, 3, 3), 1, 1))
	}},
}
