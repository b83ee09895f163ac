package optest

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var (
	wideFloats   = []dtype.DType{dtype.F64, dtype.BF16}
	wideIntegers = []dtype.DType{dtype.I64, dtype.U64, dtype.I16, dtype.U16, dtype.U32}
)

var wideElementwise = join(
	wideFunctions,
	each("functions", wideFloats, functions, positive),
	each("signed", wideFloats, signed, functionsOfAny),
	each("arithmetic", wideFloats, arithmetic, twoFloats),
	each("power", wideFloats, power, twoPositive),
	each("compare", wideFloats, compare, withNaN),
	each("integer", wideIntegers, integer, twoIntegers),
	each("compare", wideIntegers, compare, twoIntegers),
)

var wideOthers = join(
	each("softmax", wideFloats, func(f *lang.Func, d dtype.DType) { f.Output("y", f.Input("x", d, 3, 10).Softmax(1)) }, nil),
	each("layer_norm", wideFloats, func(f *lang.Func, d dtype.DType) {
		f.Output("y", f.Input("x", d, 3, 16).LayerNorm(f.Input("gamma", d, 16), f.Input("beta", d, 16), 1e-5))
	}, nil),
	each("dot", wideFloats, func(f *lang.Func, d dtype.DType) {
		f.Output("y", f.Input("a", d, 3, 16).MatMul(f.Input("b", d, 16, 5)))
	}, nil),
	each("reduce", append(wideFloats, dtype.I64, dtype.U64), reductions, someIntegers),
	[]entry{{name: "wide_indices", build: func(f *lang.Func) {
		f.Output("y", f.Input("table", dtype.F64, 5, 2).Take(f.Input("indices", dtype.I64, 3)))
		f.Output("wide", f.Input("x", dtype.BF16, 4).Convert(dtype.F64))
		f.Output("long", f.Input("i", dtype.I32, 4).Convert(dtype.I64))
	}}, {name: "brain_floats", build: func(f *lang.Func) { // of integers
		for _, d := range []dtype.DType{dtype.Bool, dtype.I8, dtype.U8, dtype.I32, dtype.U32, dtype.I64, dtype.U64} {
			f.Output(d.String(), f.Input("x_"+d.String(), d, 5).Convert(dtype.BF16))
		}
	}, args: []tensor.Value{
		list([]bool{true, false, true, true, false}, 5), list([]int8{-128, -1, 0, 1, 127}, 5), list([]uint8{0, 1, 129, 254, 255}, 5),
		list([]int32{-257, 257, 259, 1<<31 - 1, -1 << 31}, 5), list([]uint32{0, 1, 511, 513, 1<<32 - 1}, 5),
		list([]int64{-257, 385, 1<<40 + 1, 1<<63 - 1, -1 << 63}, 5), list([]uint64{0, 257, 259, 1 << 63, 1<<64 - 1}, 5),
	}}, {name: "wide_constants", build: func(f *lang.Func) {
		f.Output("f64", lang.Const(f, []float64{0.1, 1e300, -5e-324}, 3))
		f.Output("u64", lang.Const(f, []uint64{1 << 63, 1<<64 - 1, 3}, 3))
		f.Output("splat", f.Splat(dtype.U64, 1<<63, 2))
		f.Output("iota", f.Iota(dtype.BF16, 1, 2, 300)) // integers above 256 are rounded
	}, args: []tensor.Value{}}, {name: "remainder_f64", build: func(f *lang.Func) {
		a, b := f.Input("a", dtype.F64, 6, 4), f.Input("b", dtype.F64, 6, 4)
		r := a.Remainder(b)
		f.Output("remainder", r)
		f.Output("exact", r.Equal(lang.Const(f, remainders(), 6, 4)))
		f.Output("modulo", a.Modulo(b))
		f.Output("scalar", a.Slice(0, 1, 2).Slice(1, 1, 2).Reshape().Remainder(f.Splat(dtype.F64, 0.1)))
	}, args: farApart()}, {name: "of_nothing", build: func(f *lang.Func) {
		x, s := f.Input("x", dtype.F32, 3, 2), f.Input("s", dtype.F32)
		f.Output("scalar", s.DynamicSlice(nil))
		f.Output("updated", s.Update(f.Input("u", dtype.F32)))
		f.Output("scatter", x.Scatter(lang.ScatterAdd, f.Input("i", dtype.I32, 0), f.Input("v", dtype.F32, 0, 2)))
		f.Output("product", f.Input("a", dtype.F16, 6, 0).MatMul(f.Input("b", dtype.F16, 0, 2)))
		f.Output("conv", f.Input("y", dtype.F32, 1, 0, 5).Conv1D(f.Input("k", dtype.F32, 2, 0, 3), 1, 1))
	}}},
)

// remainders are those of farApart as C's fmod gives them, which is exact.
func remainders() []float64 {
	args := farApart()
	a, _ := tensor.Slice[float64](args[0])
	b, _ := tensor.Slice[float64](args[1])
	r := make([]float64, len(a))
	for i := range r {
		r[i] = math.Mod(a[i], b[i])
	}
	return r
}

// farApart are pairs whose quotients have up to 2098 bits, subnormals, and pairs
// without a remainder.
func farApart() []tensor.Value {
	inf, nan, least, tiny := math.Inf(1), math.NaN(), 5e-324, math.Ldexp(1.5, -1022)
	a := []float64{
		5.5, -5.5, 5.5, -5.5, math.MaxFloat64, math.MaxFloat64, -1e300, 1e22,
		least, 7 * least, tiny, -tiny, 1, 1 << 53, 0, math.Copysign(0, -1),
		inf, 1, nan, 1, 1, -3, inf, 6,
	}
	b := []float64{
		2, 2, -2, -2, least, 3, 0.7, math.Pi,
		2 * least, 3 * least, least, 1e-320, 1 + 0x1p-52, 3, 5, 5,
		2, inf, 1, nan, 0, -3, inf, 2,
	}
	return []tensor.Value{list(a, 6, 4), list(b, 6, 4)}
}

// someIntegers fills the argument of a type for which package parity generates none.
func someIntegers(d dtype.DType) []tensor.Value {
	if d != dtype.U64 {
		return nil
	}
	data := make([]uint64, 24)
	for i := range data {
		data[i] = uint64(i*7%24) << 58
	}
	return []tensor.Value{list(data, 2, 3, 4)}
}
