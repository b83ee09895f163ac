package onnx

import (
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// elementType is a row of the table of TensorProto.DataType.
type elementType struct {
	name  string // in lower case, as ONNX's own messages have it
	dtype dtype.DType
	bits  int
	field protowire.Number // that holds elements which are no raw data
}

const typeString = 8

// types gives the element types by their numbers. Invalid is one that tensor/dtype lacks.
var types = map[int64]elementType{
	1:          {"float", dtype.F32, 32, fieldFloat},
	2:          {"uint8", dtype.U8, 8, fieldInt32},
	3:          {"int8", dtype.I8, 8, fieldInt32},
	4:          {"uint16", dtype.U16, 16, fieldInt32},
	5:          {"int16", dtype.I16, 16, fieldInt32},
	6:          {"int32", dtype.I32, 32, fieldInt32},
	7:          {"int64", dtype.I64, 64, fieldInt64},
	typeString: {"string", dtype.Invalid, 0, fieldString},
	9:          {"bool", dtype.Bool, 8, fieldInt32},
	10:         {"float16", dtype.F16, 16, fieldInt32},
	11:         {"double", dtype.F64, 64, fieldDouble},
	12:         {"uint32", dtype.U32, 32, fieldUint64},
	13:         {"uint64", dtype.U64, 64, fieldUint64},
	14:         {"complex64", dtype.C64, 64, fieldFloat},
	15:         {"complex128", dtype.Invalid, 128, fieldDouble},
	16:         {"bfloat16", dtype.BF16, 16, fieldInt32},
	17:         {"float8e4m3fn", dtype.F8E4M3FN, 8, fieldInt32},
	18:         {"float8e4m3fnuz", dtype.F8E4M3FNUZ, 8, fieldInt32},
	19:         {"float8e5m2", dtype.F8E5M2, 8, fieldInt32},
	20:         {"float8e5m2fnuz", dtype.F8E5M2FNUZ, 8, fieldInt32},
	21:         {"uint4", dtype.U4, 4, fieldInt32},
	22:         {"int4", dtype.I4, 4, fieldInt32},
	23:         {"float4e2m1", dtype.F4E2M1FN, 4, fieldInt32},
	24:         {"float8e8m0", dtype.F8E8M0FNU, 8, fieldInt32},
	25:         {"uint2", dtype.Invalid, 2, fieldInt32},
	26:         {"int2", dtype.Invalid, 2, fieldInt32},
	27:         {"float6e2m3", dtype.F6E2M3FN, 6, fieldInt32},
	28:         {"float6e3m2", dtype.F6E3M2FN, 6, fieldInt32},
}

// DType returns the element type with a number of TensorProto.DataType, or Invalid for
// one that tensor/dtype lacks.
func DType(number int64) dtype.DType { return types[number].dtype }

// TypeName returns the name of a number of TensorProto.DataType, such as bfloat16.
func TypeName(number int64) string {
	if t, ok := types[number]; ok {
		return t.name
	}
	return "type " + strconv.FormatInt(number, 10)
}

// stored returns how many elements a field has for n elements of a tensor: those of 32-bit
// integers hold a byte of smaller ones, those of floats half of a complex number.
func (t elementType) stored(field protowire.Number, n int64) int64 {
	switch {
	case field == fieldRaw:
		return bytesOf(t.bits, n)
	case t.bits == 4 || t.bits == 2:
		return bytesOf(t.bits, n)
	case t.bits == 128, t.dtype == dtype.C64:
		return 2 * n
	}
	return n
}

// bytesOf returns the size of n elements of so many bits, which do not overflow.
func bytesOf(bits int, n int64) int64 { return (n*int64(bits) + 7) / 8 }
