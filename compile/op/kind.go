package op

import "strconv"

var kindNames = map[Kind]string{
	KindInt: "int", KindInts: "ints", KindFloat: "float", KindBool: "bool",
	KindString: "string", KindDType: "dtype", KindValue: "value", KindType: "type", KindDims: "dims",
}

// String returns the name of the kind in documents: int, ints, float, bool, string,
// dtype, value, type or dims.
func (k Kind) String() string {
	if name, ok := kindNames[k]; ok {
		return name
	}
	return "kind " + strconv.Itoa(int(k))
}
