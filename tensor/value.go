package tensor

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Value is a dense host tensor: little-endian, row-major bytes.
type Value struct {
	Type  Type
	Bytes []byte
}

// Element is a Go type with a dtype of the same layout.
type Element interface {
	~float32 | ~float64 | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~bool
}

// DTypeOf returns the element type of T.
func DTypeOf[T Element]() dtype.DType {
	var z T
	switch any(z).(type) {
	case float32:
		return dtype.F32
	case float64:
		return dtype.F64
	case int8:
		return dtype.I8
	case int16:
		return dtype.I16
	case int32:
		return dtype.I32
	case int64:
		return dtype.I64
	case uint8:
		return dtype.U8
	case uint16:
		return dtype.U16
	case uint32:
		return dtype.U32
	case uint64:
		return dtype.U64
	case bool:
		return dtype.Bool
	}
	return dtype.Invalid
}

// Of returns a value of the given static sizes with a copy of data.
func Of[T Element](data []T, sizes ...int64) (Value, error) {
	t := TypeOf(DTypeOf[T](), sizes...)
	n, err := t.Shape.Elements()
	if err != nil {
		return Value{}, err
	}
	if n != int64(len(data)) {
		return Value{}, errs.New(CodeBadSize, "%d elements given for shape %s, which has %d", len(data), t.Shape, n)
	}
	b, err := binary.Append(make([]byte, 0, t.DType.Bytes(n)), binary.LittleEndian, data)
	if err != nil {
		return Value{}, errs.Wrap(CodeBadType, err, "elements cannot be stored")
	}
	return Value{Type: t, Bytes: b}, nil
}

// Zero returns a value of zeros.
func Zero(t Type) (Value, error) {
	n, err := t.Bytes()
	if err != nil {
		return Value{}, err
	}
	return Value{Type: t, Bytes: make([]byte, n)}, nil
}

// Check returns an error if the bytes do not fit the type.
func (v Value) Check() error {
	n, err := v.Type.Bytes()
	if err != nil {
		return err
	}
	if n != int64(len(v.Bytes)) {
		return errs.New(CodeBadSize, "%d bytes given for %s, which takes %d", len(v.Bytes), v.Type, n)
	}
	return nil
}

// Slice returns the elements of v as Go values; T must be the element type of v.
func Slice[T Element](v Value) ([]T, error) {
	if d := DTypeOf[T](); d != v.Type.DType {
		return nil, errs.New(CodeBadType, "the tensor is %s, not %s", v.Type, d)
	}
	if err := v.Check(); err != nil {
		return nil, err
	}
	n, err := v.Type.Shape.Elements()
	if err != nil {
		return nil, err
	}
	out := make([]T, n)
	if _, err := binary.Decode(v.Bytes, binary.LittleEndian, out); err != nil {
		return nil, errs.Wrap(CodeBadSize, err, "cannot decode %s", v.Type)
	}
	return out, nil
}

// F16ToF32 widens an IEEE 754 binary16 value; exact for every input.
func F16ToF32(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	frac := uint32(h) & 0x3ff
	switch exp {
	case 0:
		f := float32(frac) * (1.0 / (1 << 24)) // subnormal: frac * 2^-24
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// F32ToF16 rounds to nearest even, with overflow to infinity.
func F32ToF16(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b>>16) & 0x8000
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return sign | 0x7e00
	case b >= 0x477ff000: // rounds to 65536 or more
		return sign | 0x7c00
	case b < 0x38800000: // below the smallest normal half, 2^-14
		// Adding 0.5 lets the float adder round to a multiple of 2^-24.
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-0x3f000000)
	}
	b += 0xfff + (b>>13)&1
	return sign | uint16((b-0x38000000)>>13)
}

// BF16ToF32 widens a bfloat16 value; exact.
func BF16ToF32(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// F32ToBF16 rounds to nearest even; NaN stays a quiet NaN.
func F32ToBF16(f float32) uint16 {
	b := math.Float32bits(f)
	if b&0x7fffffff > 0x7f800000 {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + (b>>16)&1) >> 16)
}
