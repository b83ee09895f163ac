package tensor

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Float32s decodes len(dst) dense elements of a float type from src. All types
// but f64 widen exactly; f64 rounds to nearest even.
func Float32s(d dtype.DType, dst []float32, src []byte) error {
	if err := dense(d, len(dst), len(src)); err != nil {
		return err
	}
	switch d {
	case dtype.F32:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
	case dtype.F16:
		for i := range dst {
			dst[i] = F16ToF32(binary.LittleEndian.Uint16(src[2*i:]))
		}
	case dtype.BF16:
		for i := range dst {
			dst[i] = BF16ToF32(binary.LittleEndian.Uint16(src[2*i:]))
		}
	case dtype.F64:
		for i := range dst {
			dst[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
		}
	default:
		table, err := bytesTable(d)
		if err != nil {
			return err
		}
		for i := range dst {
			dst[i] = table[src[i]]
		}
	}
	return nil
}

// PutFloat32s encodes src as dense elements of type d, rounding to nearest even,
// and returns how many finite elements became infinite.
func PutFloat32s(d dtype.DType, dst []byte, src []float32) (overflow int64, err error) {
	if err := dense(d, len(src), len(dst)); err != nil {
		return 0, err
	}
	switch d {
	case dtype.F32:
		for i, f := range src {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(f))
		}
	case dtype.F16:
		for i, f := range src {
			h := F32ToF16(f)
			if h&0x7fff == 0x7c00 && !isInf(f) {
				overflow++
			}
			binary.LittleEndian.PutUint16(dst[2*i:], h)
		}
	case dtype.BF16:
		for i, f := range src {
			h := F32ToBF16(f)
			if h&0x7fff == 0x7f80 && !isInf(f) {
				overflow++
			}
			binary.LittleEndian.PutUint16(dst[2*i:], h)
		}
	case dtype.F64:
		for i, f := range src {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(float64(f)))
		}
	default:
		return 0, errs.New(CodeBadType, "elements of type %s are not made from f32", d).Hint("use f16, bf16, f32 or f64")
	}
	return overflow, nil
}

func isInf(f float32) bool { return math.Float32bits(f)&0x7fffffff == 0x7f800000 }

// Float64s decodes len(dst) dense elements of any float or integer type, or of
// bool as 0 and 1. Integers beyond 2^53 round to nearest even.
func Float64s(d dtype.DType, dst []float64, src []byte) error {
	if err := dense(d, len(dst), len(src)); err != nil {
		return err
	}
	le := binary.LittleEndian
	var at func(i int) float64
	switch d {
	case dtype.F64:
		at = func(i int) float64 { return math.Float64frombits(le.Uint64(src[8*i:])) }
	case dtype.F32:
		at = func(i int) float64 { return float64(math.Float32frombits(le.Uint32(src[4*i:]))) }
	case dtype.F16:
		at = func(i int) float64 { return float64(F16ToF32(le.Uint16(src[2*i:]))) }
	case dtype.BF16:
		at = func(i int) float64 { return float64(BF16ToF32(le.Uint16(src[2*i:]))) }
	case dtype.I8:
		at = func(i int) float64 { return float64(int8(src[i])) }
	case dtype.U8, dtype.Bool:
		at = func(i int) float64 { return float64(src[i]) }
	case dtype.I16:
		at = func(i int) float64 { return float64(int16(le.Uint16(src[2*i:]))) }
	case dtype.U16:
		at = func(i int) float64 { return float64(le.Uint16(src[2*i:])) }
	case dtype.I32:
		at = func(i int) float64 { return float64(int32(le.Uint32(src[4*i:]))) }
	case dtype.U32:
		at = func(i int) float64 { return float64(le.Uint32(src[4*i:])) }
	case dtype.I64:
		at = func(i int) float64 { return float64(int64(le.Uint64(src[8*i:]))) }
	case dtype.U64:
		at = func(i int) float64 { return float64(le.Uint64(src[8*i:])) }
	default:
		table, err := bytesTable(d)
		if err != nil {
			return err
		}
		at = func(i int) float64 { return float64(table[src[i]]) }
	}
	for i := range dst {
		dst[i] = at(i)
	}
	return nil
}

// F64ToF32Odd rounds to odd: an inexact value goes to whichever of its two f32
// neighbours has an odd last bit, and never to infinity. Rounding the result to
// 16 bits is what rounding the f64 once is, where two roundings to
// nearest may not (Boldo and Melquiond, Emulation of FMA, 2008).
func F64ToF32Odd(d float64) float32 {
	f := float32(d)
	if float64(f) == d || d != d {
		return f
	}
	b := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(d) {
		b-- // toward zero
	}
	return math.Float32frombits(b | 1)
}

// dense checks that so many elements of type d take so many bytes.
func dense(d dtype.DType, elements, bytes int) error {
	if !d.Valid() || d.Bits()%8 != 0 {
		return errs.New(CodeBadType, "elements of type %s are not whole bytes", d)
	}
	if want := d.Bytes(int64(elements)); want != int64(bytes) {
		return errs.New(CodeBadSize, "%d elements of type %s take %d bytes, not %d", elements, d, want, bytes)
	}
	return nil
}

// bytesTable returns the values of a float of one byte.
func bytesTable(d dtype.DType) (*[256]float32, error) {
	if s, ok := d.Small(); ok && d.Bits() == 8 {
		return s.Table(), nil
	}
	return nil, errs.New(CodeBadType, "elements of type %s have no float value", d)
}
