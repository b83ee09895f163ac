package optest

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var unfolds = join(
	each("unfold", []dtype.DType{dtype.F32, dtype.F16, dtype.I32}, func(f *lang.Func, d dtype.DType) {
		x := f.Input("x", d, 2, 3, 5, 6)
		w := lang.WindowOptions{Strides: []int64{2, 1}, Low: []int64{1, 0}, High: []int64{0, 2}, Dilation: []int64{1, 2}}
		f.Output("unfold", x.Unfold(2, 3, 2))
		f.Output("unfold_last", x.Unfold(-1, 2, 3))
		columns := x.Im2Col([]int64{2, 3}, w)
		f.Output("columns", columns)
		f.Output("image", columns.Col2Im([]int64{5, 6}, []int64{2, 3}, w))
		f.Output("apart", x.PadInterior(3, []int64{0, 0, 1, 0}, []int64{0, 0, 0, 2}, []int64{1, 0, 2, 1}))
	}, nil),
	each("scalars", []dtype.DType{dtype.F32, dtype.I32}, func(f *lang.Func, d dtype.DType) {
		x := f.Input("x", d, 4)
		f.Output("left", x.RSubScalar(7))
		f.Output("divided", x.RDivScalar(100))
		f.Output("less", x.SubScalar(2).DivScalar(3))
		f.Output("power", x.PowScalar(5))
	}, func(d dtype.DType) []tensor.Value {
		if d == dtype.I32 {
			return []tensor.Value{list([]int32{1, -2, 3, 7}, 4)}
		}
		return []tensor.Value{typed(d, []float32{1, -2, 3, 7}, 4)}
	}),
	[]entry{{name: "integer_power", build: func(f *lang.Func) {
		f.Output("y", f.Input("a", dtype.I32, 10).Pow(f.Input("b", dtype.I32, 10)))
	}, args: []tensor.Value{
		list([]int32{2, 3, -3, 0, 1, -1, -1, 5, 0, math.MaxInt32}, 10), list([]int32{10, 20, 3, 0, -5, -3, 100, -1, -1, math.MaxInt32}, 10),
	}}},
)
