package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var dynamicProducts = join(over(ofBatches, each("dynamic_dot", []dtype.DType{dtype.F32, dtype.F16, dtype.I32}, func(f *lang.Func, d dtype.DType) {
	x, w := f.InputOf("x", d, batch, seq, shape.N(8)), f.Input("w", d, 8, 5)
	f.Output("weight", x.Dot(w, lang.Dims{}, lang.Dims{LHS: []int{2}, RHS: []int{0}}))
	f.Output("transposed", x.Dot(f.Input("t", d, 5, 8), lang.Dims{}, lang.Dims{LHS: []int{2}, RHS: []int{1}}))
	f.Output("rows", x.ReshapeOf(batch.Times(seq), shape.N(8)).MatMul(w))
	f.Output("scores", x.Dot(x, lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{2}, RHS: []int{2}}))
	f.Output("mixed", x.MatMul(x.Transpose(0, 2, 1)).MatMul(x))
	f.Output("sums", x.Dot(x, lang.Dims{}, lang.Dims{LHS: []int{0, 1}, RHS: []int{0, 1}}))
	f.Output("vector", x.Dot(f.InputOf("v", d, seq), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{0}}))
	f.Output("outer", f.InputOf("a", d, batch).Dot(f.InputOf("b", d, seq), lang.Dims{}, lang.Dims{}))
	f.Output("inner", f.InputOf("c", d, seq).Dot(f.InputOf("e", d, seq), lang.Dims{}, lang.Dims{LHS: []int{0}, RHS: []int{0}}))
}, nil)), over(ofBatches, []entry{{name: "dynamic_product_of_integers", build: func(f *lang.Func) {
	x, w := f.InputOf("x", dtype.U8, batch, seq, shape.N(48)).Convert(dtype.I32), f.Input("w", dtype.I8, 48, 21).Convert(dtype.I32)
	f.Output("y", x.Sub(f.Input("z", dtype.U8).Convert(dtype.I32)).MatMul(w))
	f.Output("odd", x.Slice(2, 0, 47).MatMul(w.Slice(0, 0, 47)))
}}}))

var dynamicReductions = join(over(ofBatches, each("dynamic_reduce", []dtype.DType{dtype.F32, dtype.F16, dtype.I32}, func(f *lang.Func, d dtype.DType) {
	x := f.InputOf("x", d, batch, seq, shape.N(5))
	f.Output("seq", x.Sum(false, 1))
	f.Output("all", x.Sum(false, 0, 1, 2))
	f.Output("kept", x.ReduceMax(true, 1))
	f.Output("least", x.ReduceMin(false, 2))
	f.Output("product", x.Convert(dtype.F32).Logistic().Prod(true, 0, 1))
	f.Output("argmax_seq", x.ArgMax(1))
	f.Output("argmax_last", x.ArgMax(2))
}, nil)), over(ofBatches, each("dynamic_norm", halves, func(f *lang.Func, d dtype.DType) {
	x := f.InputOf("x", d, batch, seq, shape.N(6))
	f.Output("softmax_seq", x.Softmax(1))
	f.Output("softmax_last", x.Softmax(2))
	f.Output("layer_norm", x.LayerNorm(f.Input("gamma", d, 6), f.Input("beta", d, 6), 1e-5))
	f.Output("layer_norm_seq", x.Transpose(0, 2, 1).LayerNorm(f.InputOf("g", d, seq), f.InputOf("b", d, seq), 1e-5))
	f.Output("mean", x.Sum(false, 1).Div(x.Size(1).Convert(d)))
}, nil)))

var dynamicIndexing = []entry{
	{name: "dynamic_take", sizes: ofBatches, build: func(f *lang.Func) {
		i := f.InputOf("i", dtype.I32, batch, seq)
		f.Output("table", f.Input("t", dtype.F32, 4, 3).Take(i))
		f.Output("rows", f.InputOf("r", dtype.F32, seq, shape.N(2)).Take(i))
		f.Output("narrow", f.InputOf("s", dtype.F16, seq, batch).Take(f.InputOf("j", dtype.I8, shape.N(3))))
		f.Output("vector", f.InputOf("v", dtype.I32, seq).Take(f.InputOf("k", dtype.I64, seq)))
	}},
	{name: "dynamic_slices", sizes: ofBatches, build: func(f *lang.Func) {
		at, zero := f.Input("at", dtype.I32), f.Splat(dtype.I32, 0)
		x := f.InputOf("x", dtype.F32, batch, seq, shape.N(4))
		f.Output("one", x.DynamicSliceOf([]shape.Dim{batch, shape.N(1), shape.N(4)}, zero, at, zero))
		f.Output("part", x.DynamicSliceOf([]shape.Dim{batch, seq, shape.N(2)}, zero, at, at))
		f.Output("fixed", x.DynamicSlice([]int64{1, 1, 3}, at, at, zero))
		f.Output("row", x.Update(f.InputOf("row", dtype.F32, batch, shape.N(1), shape.N(4)), zero, at, zero))
		f.Output("corner", x.Update(f.Input("corner", dtype.F32, 1, 1, 2), at, at, at))
		f.Output("cache", f.Input("cache", dtype.F32, 3, 20, 4).Update(f.InputOf("u", dtype.F32, shape.N(1), shape.N(20), shape.N(4)), at, zero, zero))
	}, args: []tensor.Value{list([]int32{2})}},
}

var dynamicControl = []entry{
	{name: "dynamic_loop", sizes: ofBatches, build: func(f *lang.Func) { // the sums of the rows so far
		x := f.InputOf("x", dtype.F32, batch, seq, shape.N(3))
		zero := f.Splat(dtype.I32, 0)
		out := f.While([]lang.Tensor{zero, f.SplatOf(dtype.F32, 0, batch, shape.N(1), shape.N(3))},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(x.Size(1)) },
			func(c []lang.Tensor) []lang.Tensor {
				row := x.DynamicSliceOf([]shape.Dim{batch, shape.N(1), shape.N(3)}, zero, c[0], zero)
				return []lang.Tensor{c[0].AddScalar(1), c[1].MulScalar(0.5).Add(row)}
			})
		f.Output("rounds", out[0])
		f.Output("sum", out[1])
	}},
	{name: "dynamic_choice", sizes: ofN, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, n, shape.N(2))
		large := x.Size(0).Greater(f.Splat(dtype.I32, 4))
		y := f.Cond(large, func() []lang.Tensor { return []lang.Tensor{x.AddScalar(1), x.Size(0)} },
			func() []lang.Tensor { return []lang.Tensor{x.Negate(), f.Splat(dtype.I32, -1)} })
		f.Output("y", y[0])
		f.Output("size", y[1])
	}},
}

// dynamicCalls has a private function, in which the size has another name.
func dynamicCalls(m *lang.Module) {
	scaled := m.Func("scaled", func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, n, shape.N(4))
		f.Output("y", x.MulScalar(2).Div(x.Size(0).Convert(dtype.F32)))
	})
	m.Entry(dynamicCall.name, func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, n, shape.N(4))
		f.Output("y", f.Call(scaled, f.Call(scaled, x)[0])[0].Sum(false, 0))
	})
}

var dynamicCall = entry{name: "dynamic_call", sizes: ofN}
