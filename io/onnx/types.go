package onnx

import (
	"strconv"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// elementType is a row of the table of TensorProto.DataType.
type elementType struct {
	name  string // in lower case, as ONNX's own messages have it
	dtype dtype.DType
	bits  int
}

// types gives the element types by their numbers. Invalid is one that tensor/dtype lacks.
var types = map[int64]elementType{
	1: {"float", dtype.F32, 32}, 2: {"uint8", dtype.U8, 8}, 3: {"int8", dtype.I8, 8}, 4: {"uint16", dtype.U16, 16},
	5: {"int16", dtype.I16, 16}, 6: {"int32", dtype.I32, 32}, 7: {"int64", dtype.I64, 64}, typeString: {name: "string"},
	9: {"bool", dtype.Bool, 8}, 10: {"float16", dtype.F16, 16}, 11: {"double", dtype.F64, 64}, 12: {"uint32", dtype.U32, 32},
	13: {"uint64", dtype.U64, 64}, 14: {"complex64", dtype.C64, 64}, 15: {"complex128", dtype.Invalid, 128}, 16: {"bfloat16", dtype.BF16, 16},
	17: {"float8e4m3fn", dtype.F8E4M3FN, 8}, 18: {"float8e4m3fnuz", dtype.F8E4M3FNUZ, 8}, 19: {"float8e5m2", dtype.F8E5M2, 8},
	20: {"float8e5m2fnuz", dtype.F8E5M2FNUZ, 8}, 21: {"uint4", dtype.U4, 4}, 22: {"int4", dtype.I4, 4}, 23: {"float4e2m1", dtype.F4E2M1FN, 4},
	24: {"float8e8m0", dtype.F8E8M0FNU, 8}, 25: {"uint2", dtype.Invalid, 2}, 26: {"int2", dtype.Invalid, 2},
	27: {"float6e2m3", dtype.F6E2M3FN, 6}, 28: {"float6e3m2", dtype.F6E3M2FN, 6},
}

const typeString = 8

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
