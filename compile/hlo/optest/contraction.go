package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
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
