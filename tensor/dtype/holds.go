package dtype

import "math"

// Significand returns the number of bits of a float type's significand, the implicit
// one among them; 0 for other types.
func (d DType) Significand() int {
	switch d {
	case F16:
		return 11
	case BF16:
		return 8
	case F32:
		return 24
	case F64:
		return 53
	}
	return 0
}

// Holds reports whether every value of b, NaN and infinities included, is a value of
// d, a type that programs compute in.
func (d DType) Holds(b DType) bool {
	if d == b {
		return true
	}
	if d.IsStorageOnly() || d == Bool {
		return false
	}
	if small, ok := b.Small(); ok {
		return d.IsFloat() && d.holdsAll(small, b.Bits())
	}
	switch {
	case b == Bool:
		return true
	case b.IsFloat():
		return d == F64 || d == F32 && b != F64
	case !b.IsInt():
		return false
	case d.IsFloat():
		return b.magnitude() <= d.Significand() // below the largest exponent of each of them
	case b.IsSigned() && d.IsUnsigned():
		return false
	}
	return d.magnitude() >= b.magnitude()
}

// magnitude counts the bits of an integer's magnitude: -2^7 of i8 is a power of two,
// which a float of 7 digits holds.
func (d DType) magnitude() int {
	if d.IsSigned() {
		return d.Bits() - 1
	}
	return d.Bits()
}

// holdsAll looks at each value of a small float of so many bits.
func (d DType) holdsAll(s *Small, bits int) bool {
	digits := d.Significand()
	// Values are multiples of 2^least, below 2^most.
	least, most := -1074, 1024
	switch d {
	case F16:
		least, most = -24, 16
	case BF16:
		least, most = -133, 128
	case F32:
		least, most = -149, 128
	}
	for _, f := range s.values[:1<<bits] {
		v := float64(f)
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		fraction, exp := math.Frexp(v)
		// The bits that a number of this size has, fewer where it is a subnormal.
		has := min(digits, exp-least)
		if exp > most || has < 1 || math.Ldexp(fraction, has) != math.Trunc(math.Ldexp(fraction, has)) {
			return false
		}
	}
	return true
}
