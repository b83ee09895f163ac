package optest

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Tiles is the constructor of what kernels compute in tiles, whose form depends on the
// processor's registers: products and convolutions with whole tiles, and with rests of rows,
// columns and depth.
func Tiles(m *lang.Module) {
	add(m, slices.Concat(tiles, quantised, dynamicProducts, contraction, convolution, convolutions))
}

// tiles has up to 70 rows, 117 columns, and sums over 602 elements, which are three slices.
var tiles = over([]sizes{{"rows": 1}, {"rows": 7}, {"rows": 70}}, []entry{
	{name: "tiles_of_bytes", build: func(f *lang.Func) {
		rows := shape.Named("rows")
		x := f.InputOf("x", dtype.U8, rows, shape.N(602)).Convert(dtype.I32).Sub(f.Input("z", dtype.U8).Convert(dtype.I32))
		f.Output("signed", x.MatMul(f.Input("s", dtype.I8, 602, 117).Convert(dtype.I32)))
		f.Output("unsigned", x.MatMul(f.Input("u", dtype.U8, 602, 117).Convert(dtype.I32)))
		f.Output("shifted", x.MatMul(f.Input("w", dtype.I8, 602, 96).Convert(dtype.I32).Sub(f.Input("v", dtype.I8).Convert(dtype.I32))))
	}},
	{name: "tiles_of_four_bytes", build: func(f *lang.Func) { // 604 is divisible by 4, and two slices
		rows, bytes := shape.Named("rows"), []dtype.DType{dtype.U8, dtype.I8}
		w := f.Input("w", dtype.I8, 604, 117).Convert(dtype.I32)
		few := f.Input("v", dtype.I8, 604, 3).Convert(dtype.I32)
		for _, d := range bytes {
			x := f.InputOf("x_"+d.String(), d, rows, shape.N(604)).Convert(dtype.I32)
			centred := x.Sub(f.Input("z_"+d.String(), d).Convert(dtype.I32))
			f.Output(d.String(), centred.MatMul(w))
			f.Output("few_"+d.String(), centred.MatMul(few))
			f.Output("plain_"+d.String(), x.MatMul(w))
		}
		each := f.InputOf("x_u8_each", dtype.U8, rows, shape.N(604)).Convert(dtype.I32)
		f.Output("each", each.Sub(f.Input("z_each", dtype.U8, 604).Convert(dtype.I32)).MatMul(w)) // not one zero point
	}},
	{name: "tiles_of_byte_rows", build: func(f *lang.Func) { // 608 is divisible by 16, and two slices
		rows := shape.Named("rows")
		for _, columns := range []int64{117, 96, 3} {
			w := f.Input(fmt.Sprintf("w_%d", columns), dtype.I8, columns, 608).Convert(dtype.I32)
			for _, d := range []dtype.DType{dtype.U8, dtype.I8} {
				of := fmt.Sprintf("%s_%d", d, columns)
				x := f.InputOf("x_"+of, d, rows, shape.N(608)).Convert(dtype.I32).Sub(f.Input("z_"+of, d).Convert(dtype.I32))
				f.Output("of_"+of, x.Dot(w, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
			}
		}
	}},
	{name: "tiles_of_stored_weights", build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("rows"), shape.N(602))
		for _, d := range []dtype.DType{dtype.F16, dtype.BF16, dtype.I8} {
			f.Output("of_"+d.String(), x.MatMul(f.Input("w_"+d.String(), d, 602, 117).Convert(dtype.F32)))
		}
		// Weights of i8 are no fractions: roundings of their sums, 2^-24 of up to 602 terms, stay where terms cancel.
	}, tolerance: parity.Tolerance{Abs: 1e-4, Rel: 1e-5}},
	{name: "tiles_of_rows", build: func(f *lang.Func) {
		// Rows of 117 and of 49 elements are read where they lie, those of 1024 copied.
		for _, size := range [][2]int64{{602, 117}, {1100, 49}, {258, 1024}} {
			x := f.InputOf(fmt.Sprintf("x_%d", size[1]), dtype.F32, shape.Named("rows"), shape.N(size[0]))
			f.Output(fmt.Sprintf("of_%d", size[1]), x.MatMul(f.Input(fmt.Sprintf("w_%d", size[1]), dtype.F32, size[0], size[1])))
		}
		// As many roundings as there are terms.
	}, tolerance: parity.Tolerance{Abs: 2e-4, Rel: 1e-5}},
	{name: "tiles_of_sums", build: func(f *lang.Func) {
		// A prime number of terms, one with divisors, one of whole vectors, and two dimensions.
		for _, n := range []int64{4099, 1000, 8192} {
			x := f.InputOf(fmt.Sprintf("x_%d", n), dtype.F32, shape.Named("rows"), shape.N(n))
			f.Output(fmt.Sprintf("of_%d", n), x.Sum(false, 1))
			f.Output(fmt.Sprintf("softmax_%d", n), x.Softmax(1))
		}
		f.Output("of_plane", f.InputOf("plane", dtype.F32, shape.Named("rows"), shape.N(5), shape.N(31), shape.N(29)).Mean(true, 2, 3))
	}, tolerance: parity.Tolerance{Abs: 1e-4, Rel: 1e-5}},
	{name: "tiles_of_attention", build: func(f *lang.Func) {
		rows := shape.Named("rows")
		q := f.InputOf("q", dtype.F32, shape.N(2), shape.N(3), rows, shape.N(32))
		attend := func(of string, keys shape.Dim, scaled func(scores lang.Tensor) lang.Tensor) {
			k := f.InputOf("k_"+of, dtype.F32, shape.N(2), shape.N(3), shape.N(32), keys)
			v := f.InputOf("v_"+of, dtype.F32, shape.N(2), shape.N(3), keys, shape.N(32))
			f.Output(of, scaled(q.MatMul(k)).Softmax(3).MatMul(v))
		}
		attend("rows", rows, func(scores lang.Tensor) lang.Tensor { return scores.MulScalar(0.05) })
		attend("blocks", shape.N(150), func(scores lang.Tensor) lang.Tensor {
			hidden := f.Input("hidden", dtype.F32, 2, 1, 1, 150)
			return scores.DivScalar(24).Add(hidden.BroadcastOf(scores.Dims()...))
		})
	}},
	{name: "tiles_of_extremes", build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("rows"), shape.N(117))
		f.Output("least", x.ReduceMin(false, 0, 1))
		f.Output("greatest", x.ReduceMax(true, 0, 1))
	}},
	{name: "tiles_of_convolutions", build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("rows"), shape.N(24), shape.N(11), shape.N(13))
		f.Output("taps", x.Conv(f.Input("k", dtype.F32, 19, 24, 3, 3), lang.WindowOptions{Low: []int64{1, 1}, High: []int64{1, 1}}))
		f.Output("points", x.Conv(f.Input("p", dtype.F32, 16, 24, 1, 1), lang.WindowOptions{}))
		square := f.InputOf("square", dtype.F32, shape.Named("rows"), shape.N(24), shape.N(14), shape.N(14))
		f.Output("squares", square.Conv(f.Input("s", dtype.F32, 19, 24, 1, 1), lang.WindowOptions{}))
		// Sums of 216 terms: 3 of 190190 differed by 2e-5, a few roundings of partial sums.
	}, tolerance: parity.Tolerance{Abs: 1e-4, Rel: 1e-5}},
})

// quantised is apart from tiles, which narrow passes also take: a scale of fewer bits gives
// other bytes.
var quantised = over([]sizes{{"rows": 1}, {"rows": 70}}, []entry{
	{name: "tiles_of_quantised", build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, shape.Named("rows"), shape.N(117))
		scale := x.ReduceMax(false, 0, 1).Sub(x.ReduceMin(false, 0, 1)).DivScalar(255)
		zero := f.Input("z", dtype.U8)
		f.Output("bytes", x.QuantizeLinear(scale, zero, 0))
		least := x.ReduceMin(false, 0, 1)
		f.Output("small", x.QuantizeLinear(least.Mul(least).MulScalar(0x1p-100), zero, 0)) // divided one by one
	}},
})
