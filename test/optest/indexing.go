package optest

import (
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var indexing = append(gathers, []entry{
	{name: "take", build: func(f *lang.Func) {
		indices, table := f.Input("indices", dtype.I32, 2, 3), f.Input("table", dtype.F32, 5, 8)
		f.Output("rows", table.Take(indices))
		f.Output("halves", f.Input("halves", dtype.F16, 5, 8).Take(indices))
	}, args: []tensor.Value{list([]int32{0, 4, 2, -3, 99, 1}, 2, 3)}},
	{name: "take_one", build: func(f *lang.Func) {
		f.Output("row", f.Input("table", dtype.F32, 5, 3).Take(f.Input("index", dtype.I32)))
	}},
	// A gather that feeds a reduction (compile/iree, indices-fused).
	{name: "take_sum", build: func(f *lang.Func) {
		indices := f.Input("indices", dtype.I32, 4)
		f.Output("sums", f.Input("table", dtype.F32, 50, 64).Take(indices).Sum(false, 1))
	}, args: []tensor.Value{list([]int32{0, 49, 7, 7}, 4)}},
	{name: "take_norm", build: func(f *lang.Func) {
		indices := f.Input("indices", dtype.I32, 4)
		gamma, beta := f.Input("gamma", dtype.F32, 64), f.Input("beta", dtype.F32, 64)
		f.Output("y", f.Input("table", dtype.F16, 50, 64).Take(indices).Convert(dtype.F32).LayerNorm(gamma, beta, 1e-5))
	}, args: []tensor.Value{list([]int32{1, 0, 3, 49}, 4)}},
	{name: "dynamic_slice", build: func(f *lang.Func) {
		i, j, x := f.Input("i", dtype.I32), f.Input("j", dtype.I32), f.Input("x", dtype.F32, 4, 5)
		f.Output("inside", x.DynamicSlice([]int64{2, 3}, i, i))
		f.Output("clamped", x.DynamicSlice([]int64{2, 3}, j, j))
		f.Output("below", x.DynamicSlice([]int64{2, 3}, j.Negate(), i))
	}, args: []tensor.Value{list([]int32{1}), list([]int32{9})}},
	{name: "dynamic_update", build: func(f *lang.Func) {
		i, j, x := f.Input("i", dtype.I32), f.Input("j", dtype.I32), f.Input("x", dtype.F32, 4, 5)
		u := f.Input("u", dtype.F32, 2, 3)
		f.Output("inside", x.Update(u, i, i))
		f.Output("clamped", x.Update(u, j, j))
		f.Output("below", x.Update(u, j.Negate(), i))
	}, args: []tensor.Value{list([]int32{1}), list([]int32{9})}},
	{name: "starts_of_narrow_types", build: func(f *lang.Func) {
		var starts [][]lang.Tensor
		for _, d := range []dtype.DType{dtype.I8, dtype.I16, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64} {
			starts = append(starts, []lang.Tensor{f.Input("least_"+d.String(), d), f.Input("most_"+d.String(), d)})
		}
		x, u := f.Input("x", dtype.F32, 7, 5), f.Input("u", dtype.F32, 2, 3)
		for _, at := range starts {
			d := at[0].DType().String()
			f.Output(d+"_part", x.DynamicSlice([]int64{2, 3}, at...))
			f.Output(d+"_updated", x.Update(u, at[1], at[0]))
		}
	}, args: slices.Concat(
		limits[int8](-1<<7, 1<<7-1), limits[int16](-1<<15, 1<<15-1), limits[int64](-1<<63, 1<<63-1), limits[uint8](0, 1<<8-1),
		limits[uint16](0, 1<<16-1), limits[uint32](0, 1<<32-1), limits[uint64](0, 1<<64-1))},
	// The one update of an argument is done in its memory, which is not what the
	// caller gets back as the argument.
	{name: "update_of_argument", build: func(f *lang.Func) {
		i, x, y := f.Input("i", dtype.I32), f.Input("x", dtype.F32, 4, 5), f.Input("y", dtype.I32, 8)
		f.Output("x", x)
		f.Output("x_updated", x.Update(f.Splat(dtype.F32, 7, 2, 3), i, i))
		f.Output("y_updated", y.Update(f.Splat(dtype.I32, 7, 3), i))
		f.Output("y", y.Reshape(2, 4))
	}, args: []tensor.Value{list([]int32{1})}},
}...)

// limits are the least and the greatest number of a type, as scalars.
func limits[T tensor.Element](least, most T) []tensor.Value {
	return []tensor.Value{list([]T{least}), list([]T{most})}
}

var sources = []entry{
	{name: "sources", build: func(f *lang.Func) {
		f.Output("constant", lang.Const(f, []float32{0.1, -2, 3e8, 1e-20}, 2, 2))
		f.Output("weight", lang.Weight(f, "table", []float32{1, 2, 3, 4, 5, 6}, 3, 2))
		f.Output("splat", f.Splat(dtype.F16, 0.1, 2, 3))
		f.Output("iota", f.Iota(dtype.I32, 1, 2, 5))
		f.Output("iota_f32", f.Iota(dtype.F32, 0, 3, 2))
		f.Output("bools", lang.Const(f, []bool{true, false, true}, 3))
		f.Output("bytes", lang.Const(f, []uint8{0, 255, 128, 7}, 4))
		f.Output("size", f.Splat(dtype.F16, 1, 2, 3).Size(-1))
	}},
	// More elements than a text lists: hexadecimal.
	{name: "long_constant", build: func(f *lang.Func) {
		data := make([]float32, 100)
		for i := range data {
			data[i] = float32(i) / 7
		}
		f.Output("y", lang.Const(f, data, 4, 25).Add(f.Input("x", dtype.F32, 4, 25)))
	}},
	// Index values fused with a reduction do not compile for SPIR-V.
	{name: "iota_sum", build: func(f *lang.Func) {
		mask := f.Iota(dtype.I32, 1, 4, 64).Less(f.Input("n", dtype.I32))
		f.Output("sums", mask.Select(f.Input("x", dtype.F32, 4, 64), f.Splat(dtype.F32, 0)).Sum(false, 1))
	}, args: []tensor.Value{list([]int32{30})}},
}
