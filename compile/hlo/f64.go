package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Functions of f64. The pinned compiler makes calls of a C library of these, to
// which programs for processors are not linked, or loses digits near 0 (IREE
// 3.13.0); exponentials, logarithms and roots it computes well. So they are
// formulas of those, or Taylor series where their argument is small, and good to a
// few units in the last place. The sine, cosine and tangent are so up to 10^8 in
// size; beyond, they are those of an argument that is off by up to 2^-51 of it.

// functions64 are by the name in StableHLO or CHLO.
var functions64 = map[string]func(p *printer, x ssa) ssa{
	"log_plus_one":          (*printer).log1p64,
	"exponential_minus_one": (*printer).expm164,
	"tanh":                  odd((*printer).tanh64),
	"sinh":                  odd((*printer).sinh64),
	"cosh":                  (*printer).cosh64,
	"asinh":                 odd((*printer).asinh64),
	"acosh":                 (*printer).acosh64,
	"atanh":                 odd((*printer).atanh64),
	"cbrt":                  odd((*printer).cbrt64),
	"atan":                  func(p *printer, x ssa) ssa { return p.anyAtan2(x, p.number(x, 1)) },
	"asin":                  func(p *printer, x ssa) ssa { return p.anyAtan2(x, p.leg64(x)) },
	"acos":                  func(p *printer, x ssa) ssa { return p.anyAtan2(p.leg64(x), x) },
	"sine": func(p *printer, x ssa) ssa {
		sin, _ := p.circle64(x)
		return sin
	},
	"cosine": func(p *printer, x ssa) ssa {
		_, cos := p.circle64(x)
		return cos
	},
	"tan": func(p *printer, x ssa) ssa {
		sin, cos := p.circle64(x)
		return p.div(sin, cos)
	},
}

// unary prints a function of one operand: the operation of that name, or what
// stands for it in f64.
func (p *printer) unary(name string, x ssa) ssa {
	if f := functions64[name]; f != nil && x.typ.DType == dtype.F64 {
		return f(p, x)
	}
	return p.same("stablehlo."+name, x)
}

func (p *printer) add(a, b ssa) ssa { return p.same("stablehlo.add", a, b) }

func (p *printer) sub(a, b ssa) ssa { return p.same("stablehlo.subtract", a, b) }

func (p *printer) half(x ssa) ssa { return p.mul(x, p.number(x, 0.5)) }

// copySign gives size with the sign of x, of 0 and NaN too.
func (p *printer) copySign(size, x ssa) ssa {
	d := bitsOf(x)
	bits, sign := p.as(size, d), p.as(x, d)
	bits = p.same("stablehlo.and", bits, p.number(bits, greatest(d)))
	sign = p.same("stablehlo.and", sign, p.number(sign, least(d)))
	return p.as(p.same("stablehlo.or", bits, sign), x.typ.DType)
}

// bitsOf is the type of the bits of x, of f64 or f32.
func bitsOf(x ssa) dtype.DType {
	if x.typ.DType == dtype.F32 {
		return dtype.I32
	}
	return dtype.I64
}

// odd makes an odd function of its values for what is not negative.
func odd(f func(p *printer, a ssa) ssa) func(p *printer, x ssa) ssa {
	return func(p *printer, x ssa) ssa { return p.copySign(f(p, p.same("stablehlo.abs", x)), x) }
}

// polynomial gives c[0] + c[1] z + c[2] z^2 ...
func (p *printer) polynomial(z ssa, c ...float64) ssa {
	y := p.number(z, c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		y = p.add(p.mul(y, z), p.number(z, c[i]))
	}
	return y
}

// log1p64 is x log(u)/(u-1) for u = 1 + x as it is rounded: what rounding takes
// from the logarithm it takes from u-1 too (W. Kahan).
func (p *printer) log1p64(x ssa) ssa {
	one := p.number(x, 1)
	u := p.add(x, one)
	y := p.mul(p.same("stablehlo.log", u), p.div(x, p.sub(u, one)))
	same := p.same("stablehlo.or", p.compare("EQ", u, one), p.compare("EQ", x, p.number(x, math.Inf(1))))
	return p.choose(same, x, y)
}

// expm164 is x (u-1)/log(u) for u = e^x as it is rounded, in the same way.
func (p *printer) expm164(x ssa) ssa {
	one := p.number(x, 1)
	u := p.same("stablehlo.exponential", x)
	less := p.sub(u, one)
	y := p.mul(less, p.div(x, p.same("stablehlo.log", u)))
	y = p.choose(p.compare("EQ", u, one), x, y)
	// Of large sizes the 1, or e^x, is nothing.
	return p.choose(p.compare("GT", p.same("stablehlo.abs", x), p.number(x, 40)), less, y)
}

// tanh64 is (1 - e^-2a)/(1 + e^-2a).
func (p *printer) tanh64(a ssa) ssa {
	e := p.expm164(p.mul(a, p.number(a, -2)))
	return p.div(p.same("stablehlo.negate", e), p.add(e, p.number(a, 2)))
}

// halfExp64 is e^a/2, which overflows later than e^a.
func (p *printer) halfExp64(a ssa) ssa {
	e := p.same("stablehlo.exponential", p.half(a))
	return p.mul(p.half(e), e)
}

func (p *printer) sinh64(a ssa) ssa {
	e := p.expm164(a)
	y := p.half(p.add(e, p.div(e, p.add(e, p.number(a, 1)))))
	return p.choose(p.compare("GT", a, p.number(a, 40)), p.halfExp64(a), y)
}

func (p *printer) cosh64(x ssa) ssa {
	a := p.same("stablehlo.abs", x)
	e := p.same("stablehlo.exponential", a)
	y := p.half(p.add(e, p.div(p.number(a, 1), e)))
	return p.choose(p.compare("GT", a, p.number(a, 40)), p.halfExp64(a), y)
}

// large64 is where 1 is nothing to the square.
const large64 = 1 << 28

func (p *printer) asinh64(a ssa) ssa {
	one := p.number(a, 1)
	square := p.mul(a, a)
	y := p.log1p64(p.add(a, p.div(square, p.add(one, p.same("stablehlo.sqrt", p.add(square, one))))))
	return p.choose(p.compare("GT", a, p.number(a, large64)), p.logTwice64(a), y)
}

func (p *printer) acosh64(x ssa) ssa {
	t := p.sub(x, p.number(x, 1))
	y := p.log1p64(p.add(t, p.same("stablehlo.sqrt", p.mul(t, p.add(t, p.number(x, 2))))))
	return p.choose(p.compare("GT", x, p.number(x, large64)), p.logTwice64(x), y)
}

func (p *printer) logTwice64(x ssa) ssa {
	return p.add(p.same("stablehlo.log", x), p.number(x, math.Ln2))
}

func (p *printer) atanh64(a ssa) ssa {
	return p.half(p.log1p64(p.div(p.add(a, a), p.sub(p.number(a, 1), a))))
}

// cbrt64 corrects e^(log(a)/3) by a step of Newton's.
func (p *printer) cbrt64(a ssa) ssa {
	third := p.number(a, 1.0/3)
	y := p.same("stablehlo.exponential", p.mul(p.same("stablehlo.log", a), third))
	y = p.sub(y, p.mul(p.sub(y, p.div(a, p.mul(y, y))), third))
	same := p.same("stablehlo.or", p.compare("EQ", a, p.number(a, 0)), p.compare("EQ", a, p.number(a, math.Inf(1))))
	return p.choose(same, a, y)
}

// leg64 is the square root of 1 - x^2.
func (p *printer) leg64(x ssa) ssa {
	one := p.number(x, 1)
	return p.same("stablehlo.sqrt", p.mul(p.sub(one, x), p.add(one, x)))
}

// arctangent gives the coefficients of atan(t)/t by t^2. At 1/5 the next is 2^-65 in
// f64, 2^-34 in f32.
func arctangent(d dtype.DType) []float64 {
	c := make([]float64, map[dtype.DType]int{dtype.F64: 13, dtype.F32: 6}[d])
	for i := range c {
		c[i] = 1 / float64(2*i+1)
		if i%2 == 1 {
			c[i] = -c[i]
		}
	}
	return c
}

// anyAtan2 is the angle of (x, y), of f64 or f32. The quotient q of the smaller to the larger size
// is brought below 1/5: atan(q) = atan(c) + atan((q-c)/(1+qc)).
func (p *printer) anyAtan2(y, x ssa) ssa {
	ax, ay := p.same("stablehlo.abs", x), p.same("stablehlo.abs", y)
	d, zero, one := x.typ.DType, p.number(x, 0), p.number(x, 1)
	steep := p.compare("GT", ay, ax)
	low, high := p.choose(steep, ax, ay), p.choose(steep, ay, ax)
	q := p.choose(p.compare("EQ", high, zero), zero, p.div(low, high))
	q = p.choose(p.compare("EQ", low, p.number(x, math.Inf(1))), one, q)
	const middle = 0.4140625 // about tan(pi/8)
	above, far := p.compare("GT", q, p.number(x, 0.199)), p.compare("GT", q, p.number(x, 0.668))
	c := p.choose(far, one, p.choose(above, p.number(x, middle), zero))
	base := p.choose(far, p.number(x, math.Pi/4), p.choose(above, p.number(x, math.Atan(middle)), zero))
	t := p.div(p.sub(q, c), p.add(one, p.mul(q, c)))
	angle := p.add(base, p.mul(t, p.polynomial(p.mul(t, t), arctangent(d)...)))
	// Pi and its half are two numbers each: the second is what rounding took.
	rest := 6.123233995736766e-17 + (math.Pi/2 - round(d, math.Pi/2))
	turned := p.add(p.sub(p.number(x, math.Pi/2), angle), p.number(x, rest))
	angle = p.choose(steep, turned, angle)
	back := p.add(p.sub(p.number(x, math.Pi), angle), p.number(x, 2*rest))
	bits := p.as(x, bitsOf(x))
	angle = p.choose(p.compare("LT", bits, p.number(bits, 0)), back, angle)
	nan := p.same("stablehlo.or", p.compare("NE", x, x), p.compare("NE", y, y))
	return p.choose(nan, p.add(x, y), p.copySign(angle, y))
}

// quarter64 are parts of pi/2, which add up to it: products of all but the last with
// whole numbers up to 2^26 are exact.
var quarter64 = parts64(math.Pi/2, 6.123233995736766e-17, -1.4973849048591833e-33)

// parts64 gives three parts of 27 bits and a last one of the sum of hi, mid and low,
// each of which is less than the last place of the one before.
func parts64(hi, mid, low float64) []float64 {
	first := short64(hi)
	second := short64(hi - first)
	rest := hi - first - second + mid // exact to the last place of mid
	third := short64(rest)
	return []float64{first, second, third, rest - third + low}
}

// short64 keeps 27 bits of x.
func short64(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<26 - 1))
}

// series64 are n coefficients of the sine over x (from = 1) or the cosine (from = 0)
// by x^2.
func series64(from, n int) []float64 {
	c := make([]float64, n)
	factorial := 1.0 // exact up to 22!
	for i := range c {
		c[i] = 1 / factorial
		if i%2 == 1 {
			c[i] = -c[i]
		}
		factorial *= float64((2*i + from + 1) * (2*i + from + 2))
	}
	return c
}

// circle64 takes from x its quarters of a turn; what is left is at most pi/4 in size.
func (p *printer) circle64(x ssa) (sin, cos ssa) {
	k := p.same("stablehlo.round_nearest_even", p.mul(x, p.number(x, 2/math.Pi)))
	r := x
	for _, part := range quarter64 {
		r = p.sub(r, p.mul(k, p.number(x, part)))
	}
	r = p.between(r, -1, 1)                                // of numbers that have no digits left
	r = p.choose(p.compare("EQ", k, p.number(x, 0)), x, r) // -0 stays what it is
	z := p.mul(r, r)
	s := p.mul(r, p.polynomial(z, series64(1, 9)...))
	c := p.polynomial(z, series64(0, 10)...)
	quarter := p.number(x, 0.25)
	turn := p.mul(k, quarter) // q is k mod 4
	q := p.mul(p.sub(turn, p.same("stablehlo.floor", turn)), p.number(x, 4))
	is := func(v float64) ssa { return p.compare("EQ", q, p.number(x, v)) }
	swap := p.same("stablehlo.or", is(1), is(3))
	sin, cos = p.choose(swap, c, s), p.choose(swap, s, c)
	sin = p.choose(p.compare("GE", q, p.number(x, 2)), p.same("stablehlo.negate", sin), sin)
	cos = p.choose(p.same("stablehlo.or", is(1), is(2)), p.same("stablehlo.negate", cos), cos)
	return sin, cos
}
