// Package formulas writes functions as formulas of simpler ones, for compilers whose own
// are missing or lose digits: tables of workarounds choose from them.
//
// Functions of f64 are formulas of exponentials, logarithms and roots, or Taylor series
// where their argument is small, accurate to a few units in the last place. The sine,
// cosine and tangent are that accurate up to a magnitude of 10^8; beyond, they are
// those of an argument that is off by up to 2^-51 of it.
//
// # Errors
//
// None: an operand of another element type is a fault of the caller.
//
// # Determinism
//
// The text depends only on the types of the operands.
package formulas

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Function prints a function of its operands.
type Function = func(p *hlo.Printer, vs ...hlo.Value) hlo.Value

func one(f func(p *hlo.Printer, x hlo.Value) hlo.Value) Function {
	return func(p *hlo.Printer, vs ...hlo.Value) hlo.Value { return f(p, vs[0]) }
}

func atan(p *hlo.Printer, x hlo.Value) hlo.Value { return anyAtan2(p, x, p.Number(x, 1)) }

func asin(p *hlo.Printer, x hlo.Value) hlo.Value { return anyAtan2(p, x, leg64(p, x)) }

func acos(p *hlo.Printer, x hlo.Value) hlo.Value { return anyAtan2(p, leg64(p, x), x) }

func atan2(p *hlo.Printer, vs ...hlo.Value) hlo.Value { return anyAtan2(p, vs[0], vs[1]) }

// Angles are the inverse trigonometric functions, of f32 and f64, by their names in a text.
var Angles = map[string]Function{
	"chlo.asin": one(asin), "chlo.acos": one(acos), "chlo.atan": one(atan), "stablehlo.atan2": atan2,
}

// F64 are functions of f64 by their names in StableHLO or CHLO, without the dialect.
var F64 = map[string]Function{
	"log_plus_one":          one(log1p64),
	"exponential_minus_one": one(expm164),
	"tanh":                  one(odd(tanh64)),
	"sinh":                  one(odd(sinh64)),
	"cosh":                  one(cosh64),
	"asinh":                 one(odd(asinh64)),
	"acosh":                 one(acosh64),
	"atanh":                 one(odd(atanh64)),
	"cbrt":                  one(odd(cbrt64)),
	"atan":                  one(atan),
	"asin":                  one(asin),
	"acos":                  one(acos),
	"atan2":                 atan2,
	"sine": one(func(p *hlo.Printer, x hlo.Value) hlo.Value {
		sin, _ := circle64(p, x)
		return sin
	}),
	"cosine": one(func(p *hlo.Printer, x hlo.Value) hlo.Value {
		_, cos := circle64(p, x)
		return cos
	}),
	"tan": one(func(p *hlo.Printer, x hlo.Value) hlo.Value {
		sin, cos := circle64(p, x)
		return p.Div(sin, cos)
	}),
}

func halved(p *hlo.Printer, x hlo.Value) hlo.Value { return p.Mul(x, p.Number(x, 0.5)) }

// copySign returns size with the sign of x, including zeros and NaN.
func copySign(p *hlo.Printer, size, x hlo.Value) hlo.Value {
	d := bitsOf(x)
	bits, sign := p.Bitcast(size, d), p.Bitcast(x, d)
	bits = p.Same("stablehlo.and", bits, p.Number(bits, hlo.Greatest(d)))
	sign = p.Same("stablehlo.and", sign, p.Number(sign, hlo.Least(d)))
	return p.Bitcast(p.Same("stablehlo.or", bits, sign), x.Type.DType)
}

// bitsOf is the integer type as wide as x, which is f64 or f32.
func bitsOf(x hlo.Value) dtype.DType {
	if x.Type.DType == dtype.F32 {
		return dtype.I32
	}
	return dtype.I64
}

// odd extends a function of non-negative arguments to an odd function.
func odd(f func(p *hlo.Printer, a hlo.Value) hlo.Value) func(p *hlo.Printer, x hlo.Value) hlo.Value {
	return func(p *hlo.Printer, x hlo.Value) hlo.Value { return copySign(p, f(p, p.Same("stablehlo.abs", x)), x) }
}

// polynomial returns c[0] + c[1] z + c[2] z^2 ...
func polynomial(p *hlo.Printer, z hlo.Value, c ...float64) hlo.Value {
	y := p.Number(z, c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		y = p.Add(p.Mul(y, z), p.Number(z, c[i]))
	}
	return y
}

// log1p64 is x log(u)/(u-1) with u = 1 + x rounded: rounding changes the logarithm and u-1
// in the same proportion (W. Kahan).
func log1p64(p *hlo.Printer, x hlo.Value) hlo.Value {
	one := p.Number(x, 1)
	u := p.Add(x, one)
	y := p.Mul(p.Same("stablehlo.log", u), p.Div(x, p.Sub(u, one)))
	same := p.Same("stablehlo.or", p.Compare("EQ", u, one), p.Compare("EQ", x, p.Number(x, math.Inf(1))))
	return p.Select(same, x, y)
}

// expm164 is x (u-1)/log(u) with u = e^x rounded, for the same reason.
func expm164(p *hlo.Printer, x hlo.Value) hlo.Value {
	one := p.Number(x, 1)
	u := p.Same("stablehlo.exponential", x)
	less := p.Sub(u, one)
	y := p.Mul(less, p.Div(x, p.Same("stablehlo.log", u)))
	y = p.Select(p.Compare("EQ", u, one), x, y)
	// For large magnitudes the 1, or e^x, is negligible.
	return p.Select(p.Compare("GT", p.Same("stablehlo.abs", x), p.Number(x, 40)), less, y)
}

// tanh64 is (1 - e^-2a)/(1 + e^-2a).
func tanh64(p *hlo.Printer, a hlo.Value) hlo.Value {
	e := expm164(p, p.Mul(a, p.Number(a, -2)))
	return p.Div(p.Same("stablehlo.negate", e), p.Add(e, p.Number(a, 2)))
}

// halfExp64 is e^a/2, which overflows later than e^a.
func halfExp64(p *hlo.Printer, a hlo.Value) hlo.Value {
	e := p.Same("stablehlo.exponential", halved(p, a))
	return p.Mul(halved(p, e), e)
}

func sinh64(p *hlo.Printer, a hlo.Value) hlo.Value {
	e := expm164(p, a)
	y := halved(p, p.Add(e, p.Div(e, p.Add(e, p.Number(a, 1)))))
	return p.Select(p.Compare("GT", a, p.Number(a, 40)), halfExp64(p, a), y)
}

func cosh64(p *hlo.Printer, x hlo.Value) hlo.Value {
	a := p.Same("stablehlo.abs", x)
	e := p.Same("stablehlo.exponential", a)
	y := halved(p, p.Add(e, p.Div(p.Number(a, 1), e)))
	return p.Select(p.Compare("GT", a, p.Number(a, 40)), halfExp64(p, a), y)
}

// large64 is the magnitude from which 1 is negligible beside the square.
const large64 = 1 << 28

func asinh64(p *hlo.Printer, a hlo.Value) hlo.Value {
	one := p.Number(a, 1)
	square := p.Mul(a, a)
	y := log1p64(p, p.Add(a, p.Div(square, p.Add(one, p.Same("stablehlo.sqrt", p.Add(square, one))))))
	return p.Select(p.Compare("GT", a, p.Number(a, large64)), logTwice64(p, a), y)
}

func acosh64(p *hlo.Printer, x hlo.Value) hlo.Value {
	t := p.Sub(x, p.Number(x, 1))
	y := log1p64(p, p.Add(t, p.Same("stablehlo.sqrt", p.Mul(t, p.Add(t, p.Number(x, 2))))))
	return p.Select(p.Compare("GT", x, p.Number(x, large64)), logTwice64(p, x), y)
}

func logTwice64(p *hlo.Printer, x hlo.Value) hlo.Value {
	return p.Add(p.Same("stablehlo.log", x), p.Number(x, math.Ln2))
}

func atanh64(p *hlo.Printer, a hlo.Value) hlo.Value {
	return halved(p, log1p64(p, p.Div(p.Add(a, a), p.Sub(p.Number(a, 1), a))))
}

// cbrt64 corrects e^(log(a)/3) with one Newton step.
func cbrt64(p *hlo.Printer, a hlo.Value) hlo.Value {
	third := p.Number(a, 1.0/3)
	y := p.Same("stablehlo.exponential", p.Mul(p.Same("stablehlo.log", a), third))
	y = p.Sub(y, p.Mul(p.Sub(y, p.Div(a, p.Mul(y, y))), third))
	same := p.Same("stablehlo.or", p.Compare("EQ", a, p.Number(a, 0)), p.Compare("EQ", a, p.Number(a, math.Inf(1))))
	return p.Select(same, a, y)
}

// leg64 is the square root of 1 - x^2.
func leg64(p *hlo.Printer, x hlo.Value) hlo.Value {
	one := p.Number(x, 1)
	return p.Same("stablehlo.sqrt", p.Mul(p.Sub(one, x), p.Add(one, x)))
}

// arctangent returns the coefficients of atan(t)/t in powers of t^2. At 1/5 the first omitted
// term is 2^-65 in f64, 2^-34 in f32.
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
func anyAtan2(p *hlo.Printer, y, x hlo.Value) hlo.Value {
	ax, ay := p.Same("stablehlo.abs", x), p.Same("stablehlo.abs", y)
	d, zero, one := x.Type.DType, p.Number(x, 0), p.Number(x, 1)
	steep := p.Compare("GT", ay, ax)
	low, high := p.Select(steep, ax, ay), p.Select(steep, ay, ax)
	q := p.Select(p.Compare("EQ", high, zero), zero, p.Div(low, high))
	q = p.Select(p.Compare("EQ", low, p.Number(x, math.Inf(1))), one, q)
	const middle = 0.4140625 // about tan(pi/8)
	above, far := p.Compare("GT", q, p.Number(x, 0.199)), p.Compare("GT", q, p.Number(x, 0.668))
	c := p.Select(far, one, p.Select(above, p.Number(x, middle), zero))
	base := p.Select(far, p.Number(x, math.Pi/4), p.Select(above, p.Number(x, math.Atan(middle)), zero))
	t := p.Div(p.Sub(q, c), p.Add(one, p.Mul(q, c)))
	angle := p.Add(base, p.Mul(t, polynomial(p, p.Mul(t, t), arctangent(d)...)))
	// Pi and its half are two numbers each: the second is the rounding error of the first.
	rest := 6.123233995736766e-17 + (math.Pi/2 - tensor.Round(d, math.Pi/2))
	turned := p.Add(p.Sub(p.Number(x, math.Pi/2), angle), p.Number(x, rest))
	angle = p.Select(steep, turned, angle)
	back := p.Add(p.Sub(p.Number(x, math.Pi), angle), p.Number(x, 2*rest))
	bits := p.Bitcast(x, bitsOf(x))
	angle = p.Select(p.Compare("LT", bits, p.Number(bits, 0)), back, angle)
	nan := p.Same("stablehlo.or", p.Compare("NE", x, x), p.Compare("NE", y, y))
	return p.Select(nan, p.Add(x, y), copySign(p, angle, y))
}

// quarter64 are parts that add up to pi/2: products of all but the last with integers up
// to 2^26 are exact.
var quarter64 = parts64(math.Pi/2, 6.123233995736766e-17, -1.4973849048591833e-33)

// parts64 splits the sum of hi, mid and low, each less than the last place of the one before,
// into three parts of 27 bits and a remainder.
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

// series64 are n coefficients, in powers of x^2, of sin(x)/x (from = 1) or cos(x) (from = 0).
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

// circle64 subtracts the multiples of pi/2 from x; the magnitude of the remainder is at
// most pi/4.
func circle64(p *hlo.Printer, x hlo.Value) (sin, cos hlo.Value) {
	k := p.Same("stablehlo.round_nearest_even", p.Mul(x, p.Number(x, 2/math.Pi)))
	r := x
	for _, part := range quarter64 {
		r = p.Sub(r, p.Mul(k, p.Number(x, part)))
	}
	r = p.Between(r, -1, 1)                                // for arguments with no significant digits left
	r = p.Select(p.Compare("EQ", k, p.Number(x, 0)), x, r) // -0 is unchanged
	z := p.Mul(r, r)
	s := p.Mul(r, polynomial(p, z, series64(1, 9)...))
	c := polynomial(p, z, series64(0, 10)...)
	quarter := p.Number(x, 0.25)
	turn := p.Mul(k, quarter) // q is k mod 4
	q := p.Mul(p.Sub(turn, p.Same("stablehlo.floor", turn)), p.Number(x, 4))
	is := func(v float64) hlo.Value { return p.Compare("EQ", q, p.Number(x, v)) }
	swap := p.Same("stablehlo.or", is(1), is(3))
	sin, cos = p.Select(swap, c, s), p.Select(swap, s, c)
	sin = p.Select(p.Compare("GE", q, p.Number(x, 2)), p.Same("stablehlo.negate", sin), sin)
	cos = p.Select(p.Same("stablehlo.or", is(1), is(2)), p.Same("stablehlo.negate", cos), cos)
	return sin, cos
}
