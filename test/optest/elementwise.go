package optest

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var minusZero = float32(math.Copysign(0, -1))

var elementwise = join(
	[]entry{{name: "atan2_special", build: func(f *lang.Func) { // angles of zeros and infinities
		f.Output("angle", f.Input("y", dtype.F32, 8).Atan2(f.Input("x", dtype.F32, 8)))
	}, args: []tensor.Value{
		list([]float32{0, 0, minusZero, minusZero, inf, -inf, minusZero, 0}, 8),
		list([]float32{0, minusZero, 0, minusZero, inf, -inf, -2, -2}, 8),
	}}},
	functionEntries,
	each("functions", halves, functions, positive),
	each("signed", halves, signed, functionsOfAny),
	each("arithmetic", halves, arithmetic, twoFloats),
	each("power", halves, power, twoPositive),
	each("compare", halves, compare, withNaN),
	each("integer", integers, integer, twoIntegers),
	each("compare", integers, compare, twoIntegers),
	[]entry{
		{name: "logic", build: logic},
		{name: "not_bits", build: bits, args: []tensor.Value{list([]int32{0, -1, 5, math.MinInt32}, 4), list([]int32{3, 3, 3, 3}, 4)}},
		{name: "select_scalar", build: func(f *lang.Func) {
			c, a := f.Input("condition", dtype.Bool), f.Input("a", dtype.F32, 2, 3)
			f.Output("y", c.Select(a, f.Input("b", dtype.F32, 2, 3)))
		}},
		{name: "convert", build: conversions, args: []tensor.Value{
			list([]float32{0, 1, -1, 2.5, -2.5, 100.75}, 6), list([]int32{0, 1, -1, 127, -128, 7}, 6), list([]uint8{0, 1, 127, 128, 255, 3}, 6),
			list([]bool{true, false, true, true, false, false}, 6), typed(dtype.F16, []float32{0, 1, -1, 2.5, -60000, 0.1}, 6),
		}},
	},
)

func join(lists ...[]entry) []entry {
	var all []entry
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func functions(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 8)
	f.Output("log", x.Log())
	f.Output("sqrt", x.Sqrt())
	f.Output("rsqrt", x.Rsqrt())
}

func positive(d dtype.DType) []tensor.Value {
	return []tensor.Value{typed(d, []float32{0.01, 0.5, 1, 1.5, 2, 3, 100, 60000}, 8)}
}

func signed(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 8)
	f.Output("negate", x.Negate())
	f.Output("abs", x.Abs())
	f.Output("exp", x.Exp())
	f.Output("logistic", x.Logistic())
	f.Output("erf", x.Erf())
	f.Output("gelu", x.GELU())
	f.Output("floor", x.Floor())
	f.Output("tanh", x.Tanh())
	f.Output("sine", x.Sine())
	f.Output("cosine", x.Cosine())
}

func functionsOfAny(d dtype.DType) []tensor.Value {
	return []tensor.Value{typed(d, []float32{-8, -2.5, -1, -0.1, 0, 0.7, 2.5, 8}, 8)}
}

func arithmetic(f *lang.Func, d dtype.DType) {
	a, b := f.Input("a", d, 2, 4), f.Input("b", d, 4)
	f.Output("add", a.Add(b))
	f.Output("subtract", a.Sub(b))
	f.Output("multiply", a.Mul(b))
	f.Output("divide", a.Div(b))
	f.Output("maximum", a.Max(b))
	f.Output("minimum", a.Min(b))
}

func twoFloats(d dtype.DType) []tensor.Value {
	return []tensor.Value{typed(d, []float32{1, -2, 0.5, 7, -0.25, 3, 2, -9}, 2, 4), typed(d, []float32{3, -2, 0.125, -7}, 4)}
}

func power(f *lang.Func, d dtype.DType) {
	f.Output("power", f.Input("a", d, 6).Pow(f.Input("b", d, 6)))
}

func twoPositive(d dtype.DType) []tensor.Value {
	return []tensor.Value{typed(d, []float32{0.5, 2, 3, 1, 10, 0.1}, 6), typed(d, []float32{2, -3, 0.5, 7, 1.5, 0}, 6)}
}

func compare(f *lang.Func, d dtype.DType) {
	a, b := f.Input("a", d, 6), f.Input("b", d, 6)
	for _, dir := range []lang.Direction{lang.EQ, lang.NE, lang.LT, lang.LE, lang.GT, lang.GE} {
		f.Output(string(dir), a.Compare(dir, b))
	}
}

func withNaN(d dtype.DType) []tensor.Value {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	return []tensor.Value{typed(d, []float32{nan, nan, 0, inf, -inf, 1}, 6), typed(d, []float32{nan, 1, -0, inf, inf, 0.5}, 6)}
}

func integer(f *lang.Func, d dtype.DType) {
	a, b := f.Input("a", d, 6), f.Input("b", d, 6)
	f.Output("add", a.Add(b))
	f.Output("subtract", a.Sub(b))
	f.Output("multiply", a.Mul(b))
	f.Output("divide", a.Div(b))
	f.Output("maximum", a.Max(b))
	f.Output("minimum", a.Min(b))
	f.Output("or", a.Or(b))
	f.Output("and", a.And(b))
}

// twoIntegers has values on both sides of the sign bit: the order and the quotient
// depend on whether the type is signed.
func twoIntegers(d dtype.DType) []tensor.Value {
	switch d {
	case dtype.U8:
		return []tensor.Value{list([]uint8{200, 3, 255, 128, 0, 17}, 6), list([]uint8{3, 200, 254, 127, 9, 17}, 6)}
	case dtype.I8:
		return []tensor.Value{list([]int8{-100, 3, -7, 127, 0, 17}, 6), list([]int8{3, -100, 2, -128, 9, 17}, 6)}
	case dtype.U64:
		return []tensor.Value{list([]uint64{1 << 63, 3, math.MaxUint64, 1 << 40, 0, 17}, 6), list([]uint64{3, 1 << 63, 7, 1 << 20, 9, 17}, 6)}
	case dtype.I64:
		return []tensor.Value{list([]int64{math.MinInt64, 3, -7, 1 << 40, 0, 17}, 6), list([]int64{3, -100, 2, -(1 << 20), 9, 17}, 6)}
	case dtype.I16:
		return []tensor.Value{list([]int16{-30000, 3, -7, 127, 0, 17}, 6), list([]int16{3, -100, 2, -128, 9, 17}, 6)}
	case dtype.U16:
		return []tensor.Value{list([]uint16{1 << 15, 3, math.MaxUint16, 1 << 10, 0, 17}, 6), list([]uint16{3, 1 << 15, 7, 1 << 5, 9, 17}, 6)}
	case dtype.U32:
		return []tensor.Value{list([]uint32{1 << 31, 3, math.MaxUint32, 1 << 20, 0, 17}, 6), list([]uint32{3, 1 << 31, 7, 1 << 10, 9, 17}, 6)}
	}
	return []tensor.Value{list([]int32{-100000, 3, -7, math.MaxInt32, 0, 17}, 6), list([]int32{3, -100, 2, -128, 9, 17}, 6)}
}

func logic(f *lang.Func) {
	a, b := f.Input("a", dtype.Bool, 4, 4), f.Input("b", dtype.Bool, 4, 4)
	f.Output("and", a.And(b))
	f.Output("or", a.Or(b))
	f.Output("not", a.Not())
	x, y := f.Input("x", dtype.F32, 4, 4), f.Input("y", dtype.F16, 4, 4)
	f.Output("select", a.Select(x, y.Convert(dtype.F32)))
}

func bits(f *lang.Func) {
	a, b := f.Input("a", dtype.I32, 4), f.Input("b", dtype.I32, 4)
	f.Output("not", a.Not())
	f.Output("and", a.And(b))
	f.Output("or", a.Or(b))
}

func conversions(f *lang.Func) {
	x, i, u, b, h := f.Input("f32", dtype.F32, 6), f.Input("i32", dtype.I32, 6), f.Input("u8", dtype.U8, 6), f.Input("bool", dtype.Bool, 6), f.Input("f16", dtype.F16, 6)
	f.Output("f32_to_f16", x.Convert(dtype.F16))
	f.Output("f32_to_i32", x.Convert(dtype.I32))
	f.Output("f32_to_i8", x.Convert(dtype.I8))
	f.Output("f32_to_bool", x.Convert(dtype.Bool))
	f.Output("i32_to_f32", i.Convert(dtype.F32))
	f.Output("i32_to_i8", i.Convert(dtype.I8))
	f.Output("i32_to_bool", i.Convert(dtype.Bool))
	f.Output("u8_to_f32", u.Convert(dtype.F32))
	f.Output("u8_to_i32", u.Convert(dtype.I32))
	f.Output("bool_to_f32", b.Convert(dtype.F32))
	f.Output("bool_to_i32", b.Convert(dtype.I32))
	f.Output("f16_to_f32", h.Convert(dtype.F32))
	f.Output("f16_to_i32", h.Convert(dtype.I32))
}
