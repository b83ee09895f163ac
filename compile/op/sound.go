package op

import (
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// enumerations are the columns of traits that hold one of several values: what they hold in t,
// and the last value that there is.
func (t Traits) enumerations() []enumeration {
	return []enumeration{
		{"Role", uint8(t.Role), uint8(Calls)},
		{"Rounding", uint8(t.Rounding), uint8(Cancelling)},
		{"Precision", uint8(t.Precision), uint8(Own)},
		{"Memory", uint8(t.Memory), uint8(Store)},
		{"Reduces", uint8(t.Reduces), uint8(Windows)},
		{"Terms", uint8(t.Terms), uint8(Quotients)},
		{"Rows", uint8(t.Rows), uint8(Multiplied)},
		{"Padding", uint8(t.Padding), uint8(Unproven)},
	}
}

type enumeration struct {
	column      string
	value, last uint8
}

// laws are all laws.
const laws = Involution | Idempotent | Integral | Commutative | Selects

// soundOperands returns what is wrong with the declarations of operands, or "".
func (o *Op) soundOperands() string {
	for i, x := range o.Operands {
		switch {
		case x.Class == 0:
			return fmt.Sprintf("operand %q has no Class", x.Name)
		case x.Class&^Any != 0:
			return fmt.Sprintf("operand %q has the Class %d; use Float, Int, Bool or a union of these", x.Name, x.Class)
		case x.Variadic && i < len(o.Operands)-1:
			return fmt.Sprintf("operand %q is Variadic but not the last one", x.Name)
		}
	}
	return ""
}

// soundAttributes returns what is wrong with the declarations of attributes, or "".
func (o *Op) soundAttributes() string {
	for _, a := range o.Attributes {
		f, isFloat := a.Default.(float64)
		switch {
		case a.Kind == 0:
			return fmt.Sprintf("attribute %q has no Kind; set KindInt, KindInts, KindFloat, KindBool, KindString or KindDType", a.Name)
		case a.Kind > KindDims:
			return fmt.Sprintf("attribute %q has the Kind %d, which is none; set KindInt, KindInts, KindFloat, KindBool, KindString or KindDType", a.Name, a.Kind)
		case a.Default != nil && !a.Kind.holds(a.Default):
			return fmt.Sprintf("attribute %q of kind %s has the Default %v of Go type %T; it takes %s", a.Name, a.Kind, a.Default, a.Default, a.Kind.goType())
		case isFloat && math.IsNaN(f):
			return fmt.Sprintf("attribute %q has the Default NaN; set a number, or none to require one", a.Name)
		}
	}
	return ""
}

// soundExample returns what is wrong with an example before it is inferred, or "".
func (o *Op) soundExample(e Example) string {
	variadic := slices.ContainsFunc(o.Operands, func(x Operand) bool { return x.Variadic })
	if n := len(o.Operands); len(e.Shapes) < n || len(e.Shapes) > n && !variadic {
		return fmt.Sprintf("Shapes has %d operands, the operation has %d", len(e.Shapes), n)
	}
	for _, list := range []struct {
		column string
		shapes [][]int64
	}{{"Shapes", e.Shapes}, {"Gives", e.Gives}} {
		for _, sizes := range list.shapes {
			if slices.ContainsFunc(sizes, func(n int64) bool { return n < 0 }) {
				return fmt.Sprintf("%s has the shape %v; sizes are 0 or more", list.column, sizes)
			}
			if _, err := tensor.TypeOf(dtype.F64, sizes...).Bytes(); err != nil {
				return fmt.Sprintf("%s has the shape %v: %v", list.column, sizes, err)
			}
		}
	}
	for _, x := range []float64{e.Low, e.High} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Sprintf("its numbers are from %v to %v; set Low and High to finite numbers, or leave both out", e.Low, e.High)
		}
	}
	if e.Low > e.High {
		return fmt.Sprintf("its numbers are from %v to %v; Low may not exceed High", e.Low, e.High)
	}
	for _, a := range o.Attributes {
		v, given := e.Attrs[a.Name]
		f, isFloat := v.(float64)
		switch {
		case a.Default == nil && v == nil:
			return fmt.Sprintf("attribute %q is missing; give it in the example's Attrs, or a Default in Attributes", a.Name)
		case given && !a.Kind.holds(v):
			return fmt.Sprintf("attribute %q of kind %s is given %v of Go type %T; it takes %s", a.Name, a.Kind, v, v, a.Kind.goType())
		case isFloat && math.IsNaN(f):
			return fmt.Sprintf("attribute %q is NaN; give a number", a.Name)
		}
	}
	for _, name := range e.Attrs.Names() {
		if !slices.ContainsFunc(o.Attributes, func(a Attribute) bool { return a.Name == name }) {
			return fmt.Sprintf("Attrs has %q, which is no attribute of the operation", name)
		}
	}
	return ""
}

// goType is the Go type of an attribute's value.
func (k Kind) goType() string {
	types := map[Kind]string{
		KindInt: "int64", KindInts: "[]int64", KindFloat: "float64", KindBool: "bool", KindString: "string",
		KindDType: "dtype.DType", KindValue: "tensor.Value", KindType: "tensor.Type", KindDims: "[]int64 or shape.Shape",
	}
	return types[k]
}
