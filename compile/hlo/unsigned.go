package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// UnsignedProduct is the name in Options.Without of the form in which bools and
// unsigned numbers are made wider.
//
// At its levels O2 and O3 the pinned compiler takes a conversion to more bits into
// the product that reads it (dot_general, in every form), and there reads the
// operand as signed: true counts as -1, a u8 of 200 as -56 (IREE 3.13.0; every
// target; wrong numbers, no diagnostic). It does so with a conversion alone, also
// once it has taken away what changes nothing beside it. So after the conversion, to
// an integer, stands a clamp to the range of the narrow type. Code generation knows
// that range and drops the clamp.
const UnsignedProduct = "unsigned-product"

// widenedUnsigned converts bools or unsigned numbers to a type of more bits. The
// integers that floats are made of fit their signed type, and are not read wrongly.
func (p *printer) widenedUnsigned(x ssa, d dtype.DType) ssa {
	through := d
	if d.IsFloat() {
		through = dtype.I32
		if x.typ.DType.Bits() >= 32 {
			through = dtype.I64
		}
	}
	scalar := tensor.TypeOf(through)
	least, greatest := p.splat(scalar, 0), p.splat(scalar, math.Ldexp(1, significant(x.typ.DType))-1)
	y := p.to(tensor.Type{DType: through, Shape: x.typ.Shape}, "stablehlo.convert", "", x)
	y = p.to(y.typ, "stablehlo.clamp", "", least, y, greatest)
	return p.convert(y, d)
}

// isMisread reports whether a product would read the conversion as signed.
func (p *printer) isMisread(from, to dtype.DType) bool {
	return !p.without[UnsignedProduct] && (from == dtype.Bool || from.IsUnsigned()) && significant(to) > significant(from)
}

// significant is the number of bits of a type; a bool has one.
func significant(d dtype.DType) int {
	if d == dtype.Bool {
		return 1
	}
	return d.Bits()
}

// stored is the type of a global variable for values of type t: the dialect of
// globals has no unsigned types (IREE 3.13.0).
func stored(t tensor.Type) tensor.Type {
	if twin, unsigned := signedTwin[t.DType]; unsigned {
		t.DType = twin
	}
	return t
}
