package optest

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var reduction = join(
	moreReductions,
	each("reduce", append(halves, integers...), reductions, nil),
	[]entry{
		{name: "argmax_ties", build: argmax(dtype.F32), args: []tensor.Value{list([]float32{3, 7, 7, 1, 5, 5, 5, 5, -1, -2, -1, -3}, 3, 4)}},
		{name: "argmax_nan", build: argmax(dtype.F32), args: []tensor.Value{list([]float32{1, nan, 9, nan, -inf, -inf, -inf, -inf, inf, 2, inf, nan}, 3, 4)}},
		{name: "argmax_f16", build: argmax(dtype.F16), args: []tensor.Value{typed(dtype.F16, []float32{3, 7, 7, 1, 5, 5, 5, 5, -1, -2, -1, -3}, 3, 4)}},
		{name: "argmax_u8", build: argmax(dtype.U8), args: []tensor.Value{list([]uint8{3, 200, 7, 1, 127, 128, 128, 5, 0, 0, 0, 0}, 3, 4)}},
		{name: "argmax_i32", build: argmax(dtype.I32), args: []tensor.Value{list([]int32{3, -200, 7, 1, -5, -4, -4, -5, 0, 0, 0, 0}, 3, 4)}},
		{name: "argmax_long", build: func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 1000).ArgMax(0)) }},
		{name: "reduce_wide_and_kept", build: func(f *lang.Func) { // a vocabulary's logits
			y := f.Input("x", dtype.F32, 51864).MulScalar(2)
			f.Output("y", y)
			f.Output("max", y.ReduceMax(false, 0))
			f.Output("choice", y.ArgMax(0))
			f.Output("spread", y.Sub(y.ReduceMax(true, 0)).Exp().Sum(false, 0).Log())
		}},
		{name: "reduce_rows_long", build: func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 3, 1000)
			f.Output("sum", x.Sum(false, 1))
			f.Output("max", x.ReduceMax(true, 1))
		}},
	},
)

var nan, inf = float32(math.NaN()), float32(math.Inf(1))

func reductions(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 2, 3, 4)
	f.Output("sum", x.Sum(false, 1))
	f.Output("sum_outer", x.Sum(true, 0, 2))
	f.Output("sum_all", x.Sum(false, 0, 1, 2))
	f.Output("max", x.ReduceMax(false, 2))
	f.Output("min", x.ReduceMin(true, 1))
}

func argmax(d dtype.DType) func(f *lang.Func) {
	return func(f *lang.Func) {
		x := f.Input("x", d, 3, 4)
		f.Output("rows", x.ArgMax(1))
		f.Output("columns", x.ArgMax(0))
	}
}

var norms = join(
	each("softmax", halves, func(f *lang.Func, d dtype.DType) {
		x := f.Input("x", d, 2, 3, 40)
		f.Output("last", x.Softmax(2))
		f.Output("middle", x.Softmax(1))
	}, nil),
	// A sum over a middle dimension of what is needed again.
	each("length_middle", halves, func(f *lang.Func, d dtype.DType) {
		f.Output("y", f.Input("x", d, 2, 6, 5).L2Normalize(1, 1e-12))
		f.Output("long", f.Input("z", d, 2, 64, 5).L2Normalize(1, 1e-12))
		f.Output("first", f.Input("v", d, 64, 5).L2Normalize(0, 1e-12))
	}, nil),
	each("layer_norm", halves, func(f *lang.Func, d dtype.DType) {
		x, gamma, beta := f.Input("x", d, 3, 64), f.Input("gamma", d, 64), f.Input("beta", d, 64)
		f.Output("y", x.LayerNorm(gamma, beta, 1e-5))
	}, nil),
	[]entry{
		{name: "softmax_masked", build: func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.F32, 2, 4).Softmax(1))
		}, args: []tensor.Value{list([]float32{-inf, 0, 1, -inf, 1000, 1001, -1000, 1000}, 2, 4)}},
		// As wide and as tall as the encoder of a small speech model.
		{name: "layer_norm_wide", build: func(f *lang.Func) {
			x, gamma, beta := f.Input("x", dtype.F32, 100, 384), f.Input("gamma", dtype.F32, 384), f.Input("beta", dtype.F32, 384)
			f.Output("y", x.Add(x).LayerNorm(gamma, beta, 1e-5))
		}},
	},
)
