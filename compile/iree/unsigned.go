package iree

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// UnsignedProduct is the row of conversions of bools and unsigned numbers.
//
// The compiler folds a widening conversion into the product that reads it, also after
// removing operations that change nothing. So the conversion, to an integer, is
// followed by a clamp to the range of the narrow type. Code generation knows that range
// and drops the clamp.
const UnsignedProduct = "unsigned-product"

var unsignedRows = []Rewrite{{
	ID:      UnsignedProduct,
	Symptom: "At O2 and O3 a widening conversion of bools or unsigned integers is folded into the product that reads it, and treats them as signed: true counts as -1, a u8 of 200 as -56.",
	Instead: "a clamp to the range of the narrow type after the conversion",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: WrongNumbers,
	install: func(t *target) {
		inner := t.Convert
		t.Convert = func(p *hlo.Printer, x hlo.Value, d dtype.DType) hlo.Value {
			from := x.Type.DType
			if (from == dtype.Bool || from.IsUnsigned()) && significant(d) > significant(from) {
				return widenedUnsigned(p, x, d)
			}
			return inner(p, x, d)
		}
	},
}, {
	ID:      "unsigned-variable",
	Symptom: "A global variable of an unsigned type is rejected.",
	Instead: "the signed type of the same width",
	Targets: "all", First: "3.13.0", Last: "3.13.0", Text: AnyText, Shown: NoProgram,
	install: func(t *target) {
		t.stored = stored
		load, store := t.Load, t.Store
		t.Load = func(p *hlo.Printer, name string, typ tensor.Type) hlo.Value {
			return p.Bitcast(load(p, name, stored(typ)), typ.DType)
		}
		t.Store = func(p *hlo.Printer, v hlo.Value, name string) {
			store(p, p.Bitcast(v, stored(v.Type).DType), name)
		}
	},
}}

// widenedUnsigned converts bools or unsigned integers to a wider type. The integers from
// which floats are made fit their signed type, and are not misread.
func widenedUnsigned(p *hlo.Printer, x hlo.Value, d dtype.DType) hlo.Value {
	through := d
	if d.IsFloat() {
		through = dtype.I32
		if x.Type.DType.Bits() >= 32 {
			through = dtype.I64
		}
	}
	scalar := tensor.TypeOf(through)
	least, greatest := p.Splat(scalar, 0), p.Splat(scalar, math.Ldexp(1, significant(x.Type.DType))-1)
	y := p.To(tensor.Type{DType: through, Shape: x.Type.Shape}, "stablehlo.convert", "", x)
	y = p.To(y.Type, "stablehlo.clamp", "", least, y, greatest)
	return p.Convert(y, d)
}

// significant is the number of significant bits of a type; a bool has one.
func significant(d dtype.DType) int {
	if d == dtype.Bool {
		return 1
	}
	return d.Bits()
}

// stored is the type of a global variable for values of type t.
func stored(t tensor.Type) tensor.Type {
	if twin, unsigned := hlo.SignedTwin[t.DType]; unsigned {
		t.DType = twin
	}
	return t
}
