package ireert

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The element types of IREE's buffer views (iree/hal/buffer_view.h): numerical
// class in the top byte, width in bits in the low byte. Signed integers in
// StableHLO are signless in a program.
var elements = map[dtype.DType]int32{
	dtype.Bool: 0x13000008,
	dtype.I8:   0x10000008,
	dtype.I16:  0x10000010,
	dtype.I32:  0x10000020,
	dtype.I64:  0x10000040,
	dtype.U8:   0x12000008,
	dtype.U16:  0x12000010,
	dtype.U32:  0x12000020,
	dtype.U64:  0x12000040,
	dtype.F16:  0x21000010,
	dtype.BF16: 0x22000010,
	dtype.F32:  0x21000020,
	dtype.F64:  0x21000040,
}

// explicitly signed integers, as some hosts create them.
var signedElements = map[int32]dtype.DType{
	0x11000008: dtype.I8,
	0x11000010: dtype.I16,
	0x11000020: dtype.I32,
	0x11000040: dtype.I64,
}

func elementOf(d dtype.DType) (int32, error) {
	if e, ok := elements[d]; ok {
		return e, nil
	}
	return 0, errs.New(CodeCall, "programs have no arguments or results of element type %s", d).
		Hint("pass the bytes as i8 and unpack them in the program")
}

// dtypeOf returns Invalid for an element type that has no dtype.
func dtypeOf(element int32) dtype.DType {
	for d, e := range elements {
		if e == element {
			return d
		}
	}
	return signedElements[element]
}
