package op

import "strconv"

var kindNames = map[Kind]string{
	KindInt: "int", KindInts: "ints", KindFloat: "float", KindBool: "bool",
	KindString: "string", KindDType: "dtype", KindValue: "value", KindType: "type", KindDims: "dims",
}

// Kinds lists the kinds of attributes in their order.
func Kinds() []Kind {
	kinds := make([]Kind, len(kindNames))
	for i := range kinds {
		kinds[i] = KindInt + Kind(i)
	}
	return kinds
}

// String returns the name of the kind in documents: int, ints, float, bool, string,
// dtype, value, type or dims.
func (k Kind) String() string {
	if name, ok := kindNames[k]; ok {
		return name
	}
	return "kind " + strconv.Itoa(int(k))
}
