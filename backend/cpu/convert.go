package cpu

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func (x vec[T]) convert(from, to dtype.DType) storage {
	switch to {
	case dtype.Bool:
		return mapTo(x, func(v T) boolean { return boolByte(v != 0) })
	case dtype.I8:
		return toInt[T, int8](x, from, to)
	case dtype.I16:
		return toInt[T, int16](x, from, to)
	case dtype.I32:
		return toInt[T, int32](x, from, to)
	case dtype.I64:
		return toInt[T, int64](x, from, to)
	case dtype.U8:
		return toInt[T, uint8](x, from, to)
	case dtype.U16:
		return toInt[T, uint16](x, from, to)
	case dtype.U32:
		return toInt[T, uint32](x, from, to)
	case dtype.U64:
		return toInt[T, uint64](x, from, to)
	case dtype.F16, dtype.BF16:
		// Rounding to f32 and then to the narrow type could round a tie the
		// wrong way; rounding to odd in between keeps the second one right.
		return mapTo(x, func(v T) float32 { return roundToOdd(float64(v)) })
	case dtype.F32:
		return mapTo(x, func(v T) float32 { return float32(v) })
	case dtype.F64:
		return mapTo(x, func(v T) float64 { return float64(v) })
	}
	panic("no conversion to " + to.String())
}

func mapTo[T, U number](x vec[T], f func(T) U) storage {
	y := fresh[U](len(x))
	chunks(len(x), func(lo, hi int) {
		for i, v := range x[lo:hi] {
			y[lo+i] = f(v)
		}
	})
	return y
}

// toInt wraps integers and truncates floats; floats out of range
// saturate and NaN becomes 0, so that every host computes the same.
func toInt[T, U number](x vec[T], from, to dtype.DType) storage {
	if !from.IsFloat() {
		return mapTo(x, func(v T) U { return U(v) })
	}
	return mapTo(x, func(v T) U { return saturate[U](float64(v), to) })
}

// saturate is exact for values that U can represent.
func saturate[U number](f float64, to dtype.DType) U {
	if !to.IsInt() {
		return U(f)
	}
	low, high := bounds[U](to)
	switch {
	case f != f:
		return 0
	case f >= math.Ldexp(1, to.Bits()-signBit(to)):
		return high
	case to.IsSigned() && f < -math.Ldexp(1, to.Bits()-1) || to.IsUnsigned() && f <= -1:
		return low
	case f < 0:
		return U(int64(f))
	case f >= 1<<63:
		return U(uint64(f))
	}
	return U(int64(f))
}

func signBit(d dtype.DType) int {
	if d.IsSigned() {
		return 1
	}
	return 0
}

// bounds returns the least and the greatest value of a type, the infinities for
// floats.
func bounds[T number](d dtype.DType) (low, high T) {
	switch {
	case d.IsFloat():
		return T(math.Inf(-1)), T(math.Inf(1))
	case d.IsSigned():
		half := int64(1) << (d.Bits() - 1)
		return T(-half), T(half - 1)
	case d.IsUnsigned():
		return 0, T(uint64(math.MaxUint64) >> (64 - d.Bits()))
	}
	return 0, 1
}

// roundToOdd rounds toward zero and sets the last bit of an inexact result
// (Boldo and Melquiond 2008).
func roundToOdd(d float64) float32 {
	f := float32(d)
	if float64(f) == d || d != d {
		return f
	}
	bits := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(d) {
		bits-- // toward zero; an infinity becomes the greatest finite value
	}
	return math.Float32frombits(bits | 1)
}
