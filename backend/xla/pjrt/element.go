package pjrt

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The element types of buffers (PJRT_Buffer_Type).
var elements = map[dtype.DType]int32{
	dtype.Bool: 1,
	dtype.I8:   2,
	dtype.I16:  3,
	dtype.I32:  4,
	dtype.I64:  5,
	dtype.U8:   6,
	dtype.U16:  7,
	dtype.U32:  8,
	dtype.U64:  9,
	dtype.F16:  10,
	dtype.F32:  11,
	dtype.F64:  12,
	dtype.BF16: 13,
}

func elementOf(d dtype.DType) (int32, error) {
	if e, ok := elements[d]; ok {
		return e, nil
	}
	return 0, errs.New(CodeCall, "programs have no arguments or results of element type %s", d).
		Hint("pass the bytes as i8 and unpack them in the program")
}

func dtypeOf(element int32) (dtype.DType, error) {
	for d, e := range elements {
		if e == element {
			return d, nil
		}
	}
	return dtype.Invalid, errs.New(CodeCall, "a buffer has XLA's element type %d, which is not supported", element).
		Hint("convert it in the program")
}
