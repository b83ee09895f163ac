package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var moreReductions = join(
	each("reduce_more", halves, func(f *lang.Func, d dtype.DType) {
		x := f.Input("x", d, 2, 3, 4)
		f.Output("mean", x.Mean(false, 1))
		f.Output("mean_all", x.Mean(true, 0, 1, 2))
		f.Output("prod", x.Prod(false, 2))
		f.Output("logsumexp", x.LogSumExp(false, 2))
		f.Output("logsumexp_kept", x.LogSumExp(true, 0, 1))
		f.Output("variance", x.Variance(0, false, 2))
		f.Output("sample_variance", x.Variance(1, true, 0, 2))
		f.Output("argmin", x.ArgMin(1))
	}, nil),
	[]entry{
		{name: "reduce_scalar", build: func(f *lang.Func) { // rank 0
			x := f.Input("x", dtype.F32)
			f.Output("sum", x.Sum(false))
			f.Output("mean", x.Mean(false))
			f.Output("variance", x.Variance(0, true))
			f.Output("logsumexp", x.LogSumExp(false))
		}},
		{name: "reduce_bools", build: func(f *lang.Func) {
			x := f.Input("x", dtype.Bool, 3, 4)
			f.Output("any", x.Any(false, 1))
			f.Output("all", x.All(true, 1))
			f.Output("any_all", x.Any(false, 0, 1))
			f.Output("all_columns", x.All(false, 0))
		}, args: []tensor.Value{list([]bool{true, true, true, true, false, false, false, false, true, false, true, false}, 3, 4)}},
		{name: "reduce_integers", build: func(f *lang.Func) {
			x := f.Input("x", dtype.I32, 2, 4)
			f.Output("prod", x.Prod(false, 1))
			f.Output("argmin", x.ArgMin(1))
			f.Output("argmin_u8", f.Input("u", dtype.U8, 5).ArgMin(0))
		}, args: []tensor.Value{list([]int32{3, -7, 5, -7, 1 << 30, 4, -1 << 31, 1}, 2, 4), list([]uint8{200, 3, 255, 3, 9}, 5)}},
		{name: "logsumexp_infinite", build: func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.F32, 3, 3).LogSumExp(false, 1))
		}, args: []tensor.Value{list([]float32{-inf, -inf, -inf, -inf, 1000, 1000, -2, inf, 3}, 3, 3)}},
	},
)
