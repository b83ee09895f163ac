package safetensors

import (
	"strings"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// types lists the element types of the format in the order of the reference
// implementation (enum Dtype of the crate safetensors 0.8), which is by
// increasing alignment; files are laid out from the last type to the first.
var types = []struct {
	name  string
	dtype dtype.DType
}{
	{"BOOL", dtype.Bool},
	{"F4", dtype.F4E2M1FN},
	{"F6_E2M3", dtype.F6E2M3FN},
	{"F6_E3M2", dtype.F6E3M2FN},
	{"U8", dtype.U8},
	{"I8", dtype.I8},
	{"F8_E5M2", dtype.F8E5M2},
	{"F8_E4M3", dtype.F8E4M3FN},
	{"F8_E8M0", dtype.F8E8M0FNU},
	{"F8_E4M3FNUZ", dtype.F8E4M3FNUZ},
	{"F8_E5M2FNUZ", dtype.F8E5M2FNUZ},
	{"I16", dtype.I16},
	{"U16", dtype.U16},
	{"F16", dtype.F16},
	{"BF16", dtype.BF16},
	{"I32", dtype.I32},
	{"U32", dtype.U32},
	{"F32", dtype.F32},
	{"C64", dtype.C64},
	{"F64", dtype.F64},
	{"I64", dtype.I64},
	{"U64", dtype.U64},
}

// byName returns the element type with the format's name.
func byName(name string) (dtype.DType, bool) {
	for _, t := range types {
		if t.name == name {
			return t.dtype, true
		}
	}
	return dtype.Invalid, false
}

// rank returns the place of d in types, -1 for a type that the format lacks.
func rank(d dtype.DType) int {
	for i, t := range types {
		if t.dtype == d {
			return i
		}
	}
	return -1
}

func typeNames() string {
	var names []string
	for _, t := range types {
		names = append(names, t.name)
	}
	return strings.Join(names, ", ")
}
