package optest

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// What random graphs found (test/randgraph), each the smallest graph for a row of
// compile/iree.Rewrites.
var (
	found = []entry{
		{name: "angles_close", build: anglesClose, args: []tensor.Value{list(corners, 12)}},
		{name: "scatter_of_itself", build: func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2, 6)
			y := x.MulScalar(0.5)
			f.Output("y", y.Reshape(12).Scatter(lang.ScatterAdd, f.Input("at", dtype.I32, 12), y.Reshape(12)))
		}},
		{name: "pad_of_nothing", build: func(f *lang.Func) {
			y := f.Input("x", dtype.F32, 1, 3).Slice(0, 1, 1).Pad(0, 1, 0, 1)
			f.Output("y", y)
			f.Output("sum", y.Sum(false, 1))
		}},
	}
	wideFound = []entry{{name: "brain_floats_of_floats", build: func(f *lang.Func) { // that were integers
		x := f.Input("x", dtype.I8, 5).Convert(dtype.F32)
		f.Output("itself", x.Convert(dtype.BF16))
		f.Output("reversed", x.MulScalar(1).Reverse(0).Convert(dtype.BF16))
		f.Output("quotient", x.Div(f.Splat(dtype.F32, 0)).Convert(dtype.BF16))
		f.Output("mean", f.Input("b", dtype.Bool, 6).Convert(dtype.BF16).Mean(false)) // over nothing
	}, args: []tensor.Value{list([]int8{-128, -1, 0, 3, 127}, 5), list([]bool{true, false, true, true, false, false}, 6)}}}
	dynamicFound = []entry{
		{name: "dynamic_products_of_nothing", sizes: ofN, build: func(f *lang.Func) {
			x := f.InputOf("x", dtype.U8, n, shape.N(0), shape.N(2))
			f.Output("scan", x.CumProd(0, lang.ScanOptions{}))
			f.Output("none", x.Prod(false, 0))
			f.Output("one", x.Prod(true, 1))
			f.Output("least", x.ReduceMin(true, 1))
			f.Output("largest", x.ReduceMax(true, 1))
		}},
		{name: "dynamic_mean_f64", sizes: ofN, build: func(f *lang.Func) {
			f.Output("y", f.InputOf("x", dtype.F64, n).Mean(false, 0))
		}},
		{name: "dynamic_rounds", sizes: ofN, build: func(f *lang.Func) { // up to a dynamic number; on Vulkan the second call was wrong
			x, most, one := f.InputOf("x", dtype.F32, n), f.Input("most", dtype.I32), f.Splat(dtype.I32, 1)
			most = most.Min(x.Size(0).Negate().AddScalar(64)).Max(one)
			out := f.While([]lang.Tensor{most, f.Splat(dtype.I32, 0)},
				func(c []lang.Tensor) lang.Tensor { return c[0].Greater(f.Splat(dtype.I32, 0)) },
				func(c []lang.Tensor) []lang.Tensor { return []lang.Tensor{c[0].Sub(one), c[1].Add(one)} })
			f.Output("rounds", out[1])
		}},
		{name: "dynamic_loop_unread", sizes: ofN, build: func(f *lang.Func) {
			x, zero := f.InputOf("x", dtype.F32, shape.N(2), n), f.Splat(dtype.I32, 0)
			out := f.While([]lang.Tensor{zero, x, x},
				func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 3)) },
				func(c []lang.Tensor) []lang.Tensor {
					return []lang.Tensor{c[0].AddScalar(1), c[1].MulScalar(0.5).Reverse(0), c[1]}
				})
			f.Output("last", out[1])
			f.Output("before", out[2])
		}},
	}
)

// corners are arguments near the boundaries of the arctangent's pieces.
var corners = []float32{0, 1e-6, -0.19, 0.21, 0.41, -0.66, 0.67, 0.8, -0.9, 0.999, 1, -1}

// anglesClose reports whether functions are within units of the exact values: the
// compiler's own forms keep 18 bits, which the tolerance of the tests allows.
func anglesClose(f *lang.Func) {
	x := f.Input("x", dtype.F32, 12)
	within := func(name string, y lang.Tensor, right func(x float64) float64) {
		want := make([]float32, len(corners))
		for i, v := range corners {
			want[i] = float32(right(float64(v)))
		}
		at := lang.Const(f, want, 12)
		f.Output(name, y.Sub(at).Abs().LessEqual(at.Abs().MulScalar(units64*0x1p-23)))
	}
	within("atan", x.Atan(), math.Atan)
	within("asin", x.Asin(), math.Asin)
	within("acos", x.Acos(), math.Acos)
	within("atan2", x.Atan2(f.Splat(dtype.F32, -0.75, 12)), func(x float64) float64 { return math.Atan2(x, -0.75) })
}
