package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var gathers = join(
	[]entry{
		{name: "gather", build: func(f *lang.Func) {
			i, x := f.Input("i", dtype.I32, 2, 3), f.Input("x", dtype.F32, 2, 5, 4)
			f.Output("middle", x.Gather(i, 1))
			f.Output("last", x.Gather(i, -1))
			f.Output("one", x.Gather(i.Slice(0, 0, 1).Slice(1, 1, 2).Reshape(), 1))
		}, args: []tensor.Value{list([]int32{0, 4, 2, -3, 99, 1}, 2, 3)}},
		{name: "take_along", build: func(f *lang.Func) {
			i, x := f.Input("i", dtype.I32, 2, 3), f.Input("x", dtype.F32, 2, 5)
			f.Output("y", x.TakeAlong(i, 1))
		}, args: []tensor.Value{list([]int32{0, 4, 2, -3, 99, 1}, 2, 3)}},
		{name: "gather_nd", build: func(f *lang.Func) {
			i, x := f.Input("i", dtype.I32, 3, 2), f.Input("x", dtype.F32, 4, 5, 2)
			f.Output("y", x.GatherND(i))
			f.Output("elements", x.Slice(2, 0, 1).Reshape(4, 5).GatherND(i))
		}, args: []tensor.Value{list([]int32{0, 4, 2, -3, 99, 1}, 3, 2)}},
		{name: "one_hot", build: func(f *lang.Func) {
			i := f.Input("i", dtype.I32, 5)
			f.Output("y", i.OneHot(4, dtype.F32))
			f.Output("bytes", f.Input("u", dtype.U8, 2, 2).OneHot(3, dtype.I8))
		}, args: []tensor.Value{list([]int32{0, 3, -1, 4, 2}, 5), list([]uint8{0, 1, 2, 200}, 2, 2)}},
	},
	each("scatter", []dtype.DType{dtype.F32, dtype.I32}, func(f *lang.Func, d dtype.DType) {
		i, x := f.Input("i", dtype.I32, 4), f.Input("x", d, 5, 3)
		u := f.Input("u", d, 4, 3)
		f.Output("set", x.Scatter(lang.ScatterSet, i.Slice(0, 0, 3), u.Slice(0, 0, 3)))
		for _, mode := range []lang.ScatterMode{lang.ScatterAdd, lang.ScatterMul, lang.ScatterMin, lang.ScatterMax} {
			f.Output(string(mode), x.Scatter(mode, i, u))
		}
		f.Output("along", x.ScatterAlong(lang.ScatterAdd, 0, i.Slice(0, 0, 3).Reshape(1, 3), u.Slice(0, 0, 1)))
		f.Output("places", x.ScatterND(lang.ScatterAdd, i.Reshape(2, 2), u.Slice(0, 0, 2).Slice(1, 0, 1).Reshape(2)))
	}, func(dtype.DType) []tensor.Value { return []tensor.Value{list([]int32{0, 9, 2, 2}, 4)} }),
	each("sort", []dtype.DType{dtype.F32, dtype.F16, dtype.I32, dtype.U8}, func(f *lang.Func, d dtype.DType) {
		x := f.Input("x", d, 3, 7)
		f.Output("order", x.ArgSort(1, false))
		f.Output("sorted", x.Sort(1, true))
		f.Output("columns", x.Sort(0, false))
		values, indices := x.TopK(3, 1, true)
		f.Output("values", values)
		f.Output("indices", indices)
	}, nil),
	[]entry{{name: "sort_ties", build: func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 2, 6)
		f.Output("up", x.ArgSort(1, false))
		f.Output("down", x.ArgSort(1, true))
	}, args: []tensor.Value{list([]float32{3, nan, 3, -inf, nan, inf, 0, 1, 0, 1, 0, -1}, 2, 6)}}},
)
