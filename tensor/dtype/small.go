package dtype

import (
	"math"
	"sync"
)

// Small converts between f32 and one of the floats of up to 8 bits.
//
// Elements are codes in the low bits of a byte; how codes of less than 8 bits
// lie in a file is the file format's matter. Sources: OCP 8-bit Floating Point
// Specification 1.0 (E4M3 and E5M2), OCP Microscaling Formats 1.0 (E8M0, the
// floats of 4 and 6 bits), Noune et al., arXiv:2206.02915 (the FNUZ types, which
// have neither infinities nor a negative zero).
type Small struct {
	width    int // of a code, in bits
	mantissa int
	bias     int
	max      int  // code of the largest finite value
	inf      int  // code of infinity; 0 when there is none
	nan      int  // code of NaN; 0 when there is none
	unsigned bool // E8M0: powers of two, no sign, no zero
	unified  bool // FNUZ: the code of -0 is NaN

	values [256]float32
}

// Small returns the conversion of a float of up to 8 bits.
func (d DType) Small() (*Small, bool) {
	s, ok := smalls()[d]
	return s, ok
}

var smalls = sync.OnceValue(func() map[DType]*Small {
	m := map[DType]*Small{
		F4E2M1FN:   {width: 4, mantissa: 1, bias: 1, max: 0x7},
		F6E2M3FN:   {width: 6, mantissa: 3, bias: 1, max: 0x1f},
		F6E3M2FN:   {width: 6, mantissa: 2, bias: 3, max: 0x1f},
		F8E4M3FN:   {width: 8, mantissa: 3, bias: 7, max: 0x7e, nan: 0x7f},
		F8E4M3FNUZ: {width: 8, mantissa: 3, bias: 8, max: 0x7f, nan: 0x80, unified: true},
		F8E5M2:     {width: 8, mantissa: 2, bias: 15, max: 0x7b, inf: 0x7c, nan: 0x7e},
		F8E5M2FNUZ: {width: 8, mantissa: 2, bias: 16, max: 0x7f, nan: 0x80, unified: true},
		F8E8M0FNU:  {width: 8, bias: 127, max: 0xfe, nan: 0xff, unsigned: true},
	}
	for _, s := range m {
		for code := range s.values {
			s.values[code] = s.value(code & (1<<s.width - 1))
		}
	}
	return m
})

// F32 widens a code; exact. Bits above the code's width are ignored.
func (s *Small) F32(code uint8) float32 { return s.values[code] }

// Table returns the values of all codes; it must not be written.
func (s *Small) Table() *[256]float32 { return &s.values }

// value computes what a code stands for.
func (s *Small) value(code int) float32 {
	if s.unsigned {
		if code == s.nan {
			return nan32
		}
		return float32(math.Ldexp(1, code-s.bias))
	}
	sign := 1 << (s.width - 1)
	mag := code &^ sign
	var f float64
	switch {
	case s.unified && code == s.nan:
		return nan32
	case s.inf > 0 && mag == s.inf:
		f = math.Inf(1)
	case mag > s.max:
		f = math.NaN()
	default:
		e, m := mag>>s.mantissa, mag&(1<<s.mantissa-1)
		if e > 0 {
			m += 1 << s.mantissa
			e--
		}
		f = math.Ldexp(float64(m), e+1-s.bias-s.mantissa)
	}
	if code&sign != 0 {
		f = math.Copysign(f, -1)
	}
	return float32(f)
}

var nan32 = float32(math.NaN())

// Code rounds to nearest, ties to even. What rounds beyond the largest value
// becomes infinity where the type has one, else NaN where it has one, else the
// largest value of that sign; NaN becomes a zero of the other sign where the type
// has no NaN. For E8M0, which holds powers of two from 2^-127 on, ties go up and
// anything not positive is NaN. All this is as in ml_dtypes, which differs only
// for E8M0 between 2^-127 and 1.5 * 2^-127, where it does not give the nearest.
func (s *Small) Code(f float32) uint8 {
	x := math.Abs(float64(f))
	if s.unsigned {
		return s.power(f)
	}
	sign := 0
	if math.Signbit(float64(f)) {
		sign = 1 << (s.width - 1)
	}
	if x != x {
		switch {
		case s.unified:
			return uint8(s.nan)
		case s.nan == 0:
			return uint8(sign ^ 1<<(s.width-1))
		}
		return uint8(s.nan | sign)
	}
	mag := s.max + 1
	if !math.IsInf(x, 1) {
		mag = s.magnitude(x)
	}
	if mag > s.max {
		switch {
		case s.inf > 0:
			mag = s.inf
		case s.unified:
			return uint8(s.nan)
		case s.nan > 0:
			mag = s.nan
		default:
			mag = s.max
		}
	}
	if mag == 0 && s.unified {
		return 0
	}
	return uint8(mag | sign)
}

// magnitude rounds a finite x >= 0 to the code of a value that may be too large.
func (s *Small) magnitude(x float64) int {
	e := 1 - s.bias // the exponent of subnormals and of the smallest normals
	if x > 0 {
		e = max(e, math.Ilogb(x))
	}
	// The quotient is exact in f64. A carry into the next exponent is right in
	// the code as well.
	q := int(math.RoundToEven(math.Ldexp(x, s.mantissa-e)))
	return (e+s.bias-1)<<s.mantissa + q
}

func (s *Small) power(f float32) uint8 {
	if !(f > 0) || f > math.MaxFloat32 {
		return uint8(s.nan)
	}
	frac, e := math.Frexp(float64(f)) // frac in [0.5, 1)
	if frac < 0.75 {
		e--
	}
	return uint8(min(max(e+s.bias, 0), s.nan))
}
