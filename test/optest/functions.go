package optest

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var functionEntries = join(
	each("roundings", halves, roundings, fractions),
	each("exponentials", halves, exponentials, functionsOfAny),
	each("logarithms", halves, logarithms, positive),
	each("angles", halves, angles, withinOne),
	each("activations", halves, activations, functionsOfAny),
	each("predicates", halves, predicates, notNumbers),
	each("binary_float", halves, binaryFloat, twoQuotients),
	each("integer_more", integers, integerMore, shifts),
)

func roundings(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 8)
	f.Output("sign", x.Sign())
	f.Output("ceil", x.Ceil())
	f.Output("round", x.Round())
	f.Output("trunc", x.Trunc())
	f.Output("square", x.Square())
	f.Output("reciprocal", x.Reciprocal())
	f.Output("clamp", x.ClampScalar(-1, 2))
	f.Output("clamp_each", x.Clamp(x.MulScalar(0.5), x.Abs()))
}

func fractions(d dtype.DType) []tensor.Value {
	return []tensor.Value{typed(d, []float32{-7.5, -2.5, -1, -0.25, 0.5, 1.5, 2.5, 100.75}, 8)}
}

func exponentials(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 8)
	f.Output("expm1", x.Expm1())
	f.Output("sinh", x.Sinh())
	f.Output("cosh", x.Cosh())
	f.Output("erfc", x.Erfc())
	f.Output("asinh", x.Asinh())
	f.Output("atan", x.Atan())
	f.Output("cbrt", x.Cbrt())
}

func logarithms(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 8)
	f.Output("log1p", x.Log1p())
	f.Output("log2", x.Log2())
	f.Output("log10", x.Log10())
	f.Output("acosh", x.AddScalar(1).Acosh())
}

func angles(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 8)
	f.Output("asin", x.Asin())
	f.Output("acos", x.Acos())
	f.Output("atanh", x.Atanh())
	f.Output("tan", x.Tan())
}

func withinOne(d dtype.DType) []tensor.Value {
	return []tensor.Value{typed(d, []float32{-0.875, -0.5, -0.125, 0.0625, 0.25, 0.5, 0.75, 0.9375}, 8)}
}

func activations(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 8)
	f.Output("relu", x.ReLU())
	f.Output("relu6", x.ReLU6())
	f.Output("leaky_relu", x.LeakyReLU(0.01))
	f.Output("elu", x.ELU(0.5))
	f.Output("selu", x.SELU())
	f.Output("silu", x.SiLU())
	f.Output("softplus", x.Softplus())
	f.Output("mish", x.Mish())
	f.Output("gelu_tanh", x.GELUTanh())
	f.Output("hardsigmoid", x.Hardsigmoid())
	f.Output("hardswish", x.Hardswish())
}

func predicates(f *lang.Func, d dtype.DType) {
	x := f.Input("x", d, 6)
	f.Output("is_nan", x.IsNaN())
	f.Output("is_inf", x.IsInf())
	f.Output("is_finite", x.IsFinite())
}

func notNumbers(d dtype.DType) []tensor.Value {
	return []tensor.Value{typed(d, []float32{nan, inf, -inf, 0, -1, 60000}, 6)}
}

func binaryFloat(f *lang.Func, d dtype.DType) {
	a, b := f.Input("a", d, 8), f.Input("b", d, 8)
	f.Output("remainder", a.Remainder(b))
	f.Output("modulo", a.Modulo(b))
	f.Output("atan2", a.Atan2(b))
}

func twoQuotients(d dtype.DType) []tensor.Value {
	return []tensor.Value{typed(d, []float32{7, -7, 7, -7, 5.5, 1, -3, 0.5}, 8), typed(d, []float32{2, 2, -2, -2, 1.25, 3, -5, -0.75}, 8)}
}

func integerMore(f *lang.Func, d dtype.DType) {
	a, b, s := f.Input("a", d, 6), f.Input("b", d, 6), f.Input("shift", d, 6)
	f.Output("xor", a.Xor(b))
	f.Output("shift_left", a.ShiftLeft(s))
	f.Output("shift_right", a.ShiftRight(s))
	f.Output("divide", a.Div(b))
	f.Output("remainder", a.Remainder(b))
	f.Output("modulo", a.Modulo(b))
	f.Output("halved", a.Div(f.Splat(d, 2)))
	f.Output("sign", a.Sign())
	f.Output("abs", a.Abs())
	f.Output("relu", a.ReLU())
	f.Output("clamp", a.ClampScalar(3, 100))
}

// shifts has divisors of 0 and -1, and shifts of the type's bits and more.
func shifts(d dtype.DType) []tensor.Value {
	switch d {
	case dtype.U8:
		return []tensor.Value{list([]uint8{200, 3, 255, 128, 0, 17}, 6), list([]uint8{3, 200, 0, 127, 9, 5}, 6), list([]uint8{1, 7, 8, 0, 200, 3}, 6)}
	case dtype.I8:
		return []tensor.Value{list([]int8{-100, 3, -7, -128, 0, 17}, 6), list([]int8{3, -100, 0, -1, 9, -5}, 6), list([]int8{1, 7, 8, 0, -1, 3}, 6)}
	case dtype.U16:
		return []tensor.Value{list([]uint16{1 << 15, 3, math.MaxUint16, 128, 0, 17}, 6), list([]uint16{3, 200, 0, 1 << 15, 9, 5}, 6), list([]uint16{1, 15, 16, 0, 1 << 15, 3}, 6)}
	case dtype.U32:
		return []tensor.Value{list([]uint32{1 << 31, 3, math.MaxUint32, 128, 0, 17}, 6), list([]uint32{3, 200, 0, 1 << 31, 9, 5}, 6), list([]uint32{1, 31, 32, 0, 1 << 31, 3}, 6)}
	case dtype.U64:
		return []tensor.Value{list([]uint64{1 << 63, 3, math.MaxUint64, 128, 0, 17}, 6), list([]uint64{3, 200, 0, 1 << 63, 9, 5}, 6), list([]uint64{1, 63, 64, 0, 1 << 63, 3}, 6)}
	case dtype.I64:
		return []tensor.Value{list([]int64{-1 << 40, 3, -7, math.MinInt64, 0, 17}, 6), list([]int64{3, -100, 0, -1, 9, -5}, 6), list([]int64{1, 63, 64, 0, -1, 3}, 6)}
	case dtype.I16:
		return []tensor.Value{list([]int16{-100, 3, -7, math.MinInt16, 0, 17}, 6), list([]int16{3, -100, 0, -1, 9, -5}, 6), list([]int16{1, 15, 16, 0, -1, 3}, 6)}
	}
	return []tensor.Value{
		list([]int32{-100000, 3, -7, math.MinInt32, 0, 17}, 6), list([]int32{3, -100, 0, -1, 9, -5}, 6), list([]int32{1, 31, 32, 0, -1, 3}, 6),
	}
}

var wideFunctions = join(
	each("roundings", wideFloats, roundings, fractions),
	each("predicates", wideFloats, predicates, notNumbers),
	each("exponentials", []dtype.DType{dtype.F64}, exponentials, functionsOfAny),
	each("logarithms", []dtype.DType{dtype.F64}, logarithms, positive),
	each("angles", []dtype.DType{dtype.F64}, angles, withinOne),
	each("activations", wideFloats, activations, functionsOfAny),
	each("binary_float", []dtype.DType{dtype.F64}, binaryFloat, twoQuotients),
	each("integer_more", wideIntegers, integerMore, shifts),
	exactFunctions,
)
