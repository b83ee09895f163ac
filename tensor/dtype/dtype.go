// Package dtype names the element types of tensors.
//
// Programs compute in the types that All lists. Weight files know more: floats
// of 4, 6 and 8 bits and complex numbers, which Storage lists. A tensor of such
// a type is named, sized, copied and, where Small knows it, converted to f32 and
// back; every operation refuses it.
//
// # Errors
//
// Parse returns DTYPE_UNKNOWN for a name outside the table; nothing is guessed.
//
// # Determinism
//
// The table is fixed.
package dtype

import (
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// DType is an element type. The zero value is Invalid.
type DType uint8

// The element types. I4 and U4 are packed two to a byte.
const (
	Invalid DType = iota
	Bool
	I4
	I8
	I16
	I32
	I64
	U4
	U8
	U16
	U32
	U64
	F16
	BF16
	F32
	F64

	// Storage only; F4 and F6 are packed without gaps.
	F4E2M1FN
	F6E2M3FN
	F6E3M2FN
	F8E4M3FN
	F8E4M3FNUZ
	F8E5M2
	F8E5M2FNUZ
	F8E8M0FNU
	C64
)

// lastComputed is the last type that programs compute in.
const lastComputed = F64

// CodeUnknown is the code of an element type outside the table.
const CodeUnknown errs.Code = "DTYPE_UNKNOWN"

type class uint8

const (
	classBool class = iota + 1
	classSigned
	classUnsigned
	classFloat
	classStorage
)

type info struct {
	name  string // short name, as in contracts and indexes
	mlir  string // element type in StableHLO text
	numpy string // array-protocol type string without byte order; "" when there is none
	bits  int
	class class
}

var table = [...]info{
	Invalid: {name: "invalid"},
	Bool:    {"bool", "i1", "b1", 8, classBool},
	I4:      {"i4", "i4", "", 4, classSigned},
	I8:      {"i8", "i8", "i1", 8, classSigned},
	I16:     {"i16", "i16", "i2", 16, classSigned},
	I32:     {"i32", "i32", "i4", 32, classSigned},
	I64:     {"i64", "i64", "i8", 64, classSigned},
	U4:      {"u4", "ui4", "", 4, classUnsigned},
	U8:      {"u8", "ui8", "u1", 8, classUnsigned},
	U16:     {"u16", "ui16", "u2", 16, classUnsigned},
	U32:     {"u32", "ui32", "u4", 32, classUnsigned},
	U64:     {"u64", "ui64", "u8", 64, classUnsigned},
	F16:     {"f16", "f16", "f2", 16, classFloat},
	BF16:    {"bf16", "bf16", "", 16, classFloat},
	F32:     {"f32", "f32", "f4", 32, classFloat},
	F64:     {"f64", "f64", "f8", 64, classFloat},

	F4E2M1FN:   {"f4e2m1fn", "f4E2M1FN", "", 4, classStorage},
	F6E2M3FN:   {"f6e2m3fn", "f6E2M3FN", "", 6, classStorage},
	F6E3M2FN:   {"f6e3m2fn", "f6E3M2FN", "", 6, classStorage},
	F8E4M3FN:   {"f8e4m3fn", "f8E4M3FN", "", 8, classStorage},
	F8E4M3FNUZ: {"f8e4m3fnuz", "f8E4M3FNUZ", "", 8, classStorage},
	F8E5M2:     {"f8e5m2", "f8E5M2", "", 8, classStorage},
	F8E5M2FNUZ: {"f8e5m2fnuz", "f8E5M2FNUZ", "", 8, classStorage},
	F8E8M0FNU:  {"f8e8m0fnu", "f8E8M0FNU", "", 8, classStorage},
	C64:        {"c64", "complex<f32>", "", 64, classStorage},
}

// All lists the element types that programs compute in, in declaration order.
func All() []DType {
	var list []DType
	for d := Bool; d <= lastComputed; d++ {
		list = append(list, d)
	}
	return list
}

func (d DType) info() info {
	if int(d) < len(table) {
		return table[d]
	}
	return table[Invalid]
}

// String returns the short name: f32, bf16, i8, bool.
func (d DType) String() string { return d.info().name }

// MLIR returns the element type as StableHLO text spells it: f32, i1, ui8.
func (d DType) MLIR() string { return d.info().mlir }

// NumPy returns the array-protocol type string without byte order, or "" for a
// type that NumPy lacks or that is storage only.
func (d DType) NumPy() string { return d.info().numpy }

// Bits returns the width of a stored element in bits; Bool is stored as a byte.
func (d DType) Bits() int { return d.info().bits }

// Bytes returns the size of n stored elements.
func (d DType) Bytes(n int64) int64 { return (n*int64(d.Bits()) + 7) / 8 }

// Valid reports whether d is in the table, storage only or not.
func (d DType) Valid() bool { return d != Invalid && int(d) < len(table) }

// IsStorageOnly reports whether files hold elements of type d and no program
// computes with them. Such a type is in none of the other classes.
func (d DType) IsStorageOnly() bool { return d.info().class == classStorage }

// IsFloat reports whether d is a floating-point type that programs compute in.
func (d DType) IsFloat() bool { return d.info().class == classFloat }

// IsInt reports whether d is a signed or unsigned integer type (not Bool).
func (d DType) IsInt() bool { return d.IsSigned() || d.IsUnsigned() }

// IsSigned reports whether d is a signed integer type.
func (d DType) IsSigned() bool { return d.info().class == classSigned }

// IsUnsigned reports whether d is an unsigned integer type.
func (d DType) IsUnsigned() bool { return d.info().class == classUnsigned }

// Parse finds the element type with this short name.
func Parse(name string) (DType, error) {
	var names []string
	for d := Bool; int(d) < len(table); d++ {
		if table[d].name == name {
			return d, nil
		}
		names = append(names, table[d].name)
	}
	return Invalid, errs.New(CodeUnknown, "no element type is named %q", name).
		Hint("use one of %s", strings.Join(names, ", "))
}

// MarshalText returns the short name.
func (d DType) MarshalText() ([]byte, error) {
	if !d.Valid() {
		return nil, errs.New(CodeUnknown, "element type %d is not in the table", uint8(d))
	}
	return []byte(d.String()), nil
}

// UnmarshalText parses the short name.
func (d *DType) UnmarshalText(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*d = v
	return nil
}
