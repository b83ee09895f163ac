package quant

import "math"

// half widens the little-endian IEEE 754 binary16 value lo, hi; exact. A NaN
// keeps its payload.
//
// tensor has the same conversion, but imports this package.
func half(lo, hi byte) float32 {
	h := uint32(lo) | uint32(hi)<<8
	bits := h & 0x7fff << 13
	if bits >= 0x7c00<<13 { // infinity or NaN: the exponent becomes 255
		return math.Float32frombits(h&0x8000<<16 | bits | 0x7f800000)
	}
	// As a float32 the bits are the value times 2^-112, subnormals included.
	return math.Float32frombits(h&0x8000<<16 | math.Float32bits(math.Float32frombits(bits)*0x1p112))
}

// toHalf rounds to nearest even; beyond the largest half it is an infinity. f is
// no NaN.
func toHalf(f float32) uint16 {
	bits := math.Float32bits(f)
	sign, mag := uint16(bits>>16&0x8000), bits&0x7fffffff
	switch {
	case mag >= 0x47800000: // 65536
		return sign | 0x7c00
	case mag < 0x38800000: // below the smallest normal: count units of 2^-24
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(mag))*0x1p24))
	}
	// A carry out of the mantissa goes into the exponent, as it should.
	return sign | uint16((mag-0x38000000+0xfff+mag>>13&1)>>13)
}
