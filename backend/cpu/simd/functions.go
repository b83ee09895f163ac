package simd

import (
	"math"
	"slices"
)

// The functions of this file use fused operations in one order, in the kernels and in
// Go, so that every processor returns the same bits. Errors are in units in the last
// place of float32. TestFunctions checks them at every 4099th float32 and at 2^18
// others near zero, and with -every at more. At every 61st the largest were 0.5035 for
// Tanh and 0.5012 for the others.

// core holds the constants of e^a: a is n ln(2) + r with an integer n, found by adding
// 1.5 2^52, and (e^r - 1)/r is the polynomial of rows_amd64.s.
var core = []float64{
	math.Log2E, 0x1.8p52, math.Ln2,
	math.Float64frombits(0x3f2a151b9b9f9468), math.Float64frombits(0x3f56d758bcd6903a),
	math.Float64frombits(0x3f81110c613ed8f1), math.Float64frombits(0x3fa5554ac8ab8909),
	math.Float64frombits(0x3fc555555675e3d0), math.Float64frombits(0x3fe000000289873a), 1,
}

// The tables of the kernels: core, the sign bit, the |x| beyond which the result
// is constant, a factor, and the constants of the function.
const (
	limit  = 11
	factor = 12
	own    = 13
)

func table(limit, factor float64, own ...float64) []float64 {
	return slices.Concat(core, []float64{math.Copysign(0, -1), limit, factor}, own)
}

var (
	tanhTable = table(20, 2)

	// erf(x)/x as a polynomial in x^2/8 - 1 for |x| <= 4: Chebyshev interpolation
	// with a relative error below 2^-33.
	erfTable = table(4, 0.125,
		-3.5566795785810666e-05, 9.725663769924159e-05, -7.775892249416875e-05, 0.0001587696196752785,
		-0.0006622194966461363, 0.0014372159312613072, -0.0025422212206154073, 0.0047476391993702015,
		-0.008622341358686591, 0.014397091965097183, -0.02246919993772733, 0.03304775025622779,
		-0.04576578772582612, 0.059888903555390775, -0.07472781257074841, 0.09020883714494014,
		-0.10771044414410302, 0.13167512166462025, -0.1765762332932892, 0.35353099561954215,
	)

	// The normal distribution's tail beyond z is e^(-z^2/2) w h(c w + d) with
	// w = 1/(z + k), as Shepherd and Laframboise (1981) write erfc. The table has
	// k, d, c and the polynomial h for z <= 14.8: Chebyshev interpolation with a
	// relative error below 2^-37.
	geluTable = table(14.8, 0.5, 3.5, -1.47314453125, 8.65625,
		-2.169019873670205e-07, 8.80526158881325e-09, 2.678018003726388e-06, -2.639899597569634e-06,
		-2.3866294225765735e-05, 4.846151687739067e-05, 0.00023353315907631802, -0.0006049091896177023,
		-0.003327833802144516, 0.00411152980193572, 0.0669383002436859, 0.2519796811890583,
		0.5655860615569646, 0.8649707368656716,
	)

	// x/(1 + e^-g) with g = (a + b x^2) x; the table has -b and -a.
	siluTable     = table(110, 0.5, 0, -1)
	geluTanhTable = table(11, 0.5, -0.044715*2*math.Sqrt2/sqrtPi, -2*math.Sqrt2/sqrtPi)
)

const sqrtPi = 1.7724538509055160272981674833411451827975494561224

// Tanh computes y[i] = tanh(x[i]), within 0.505 units.
func Tanh(y, x []float32) { each(tanhRow, tanhOf, tanhTable, y, x) }

// Erf computes y[i] = erf(x[i]), within 0.505 units.
func Erf(y, x []float32) { each(erfRow, erfOf, erfTable, y, x) }

// GELU computes y[i] = x[i]/2 (1 + erf(x[i]/sqrt 2)) (Hendrycks and Gimpel 2016),
// within 0.505 units, also where the sum cancels. -Inf gives NaN, as the formula.
func GELU(y, x []float32) { each(geluRow, geluOf, geluTable, y, x) }

// GELUTanh computes y[i] = x[i]/2 (1 + tanh(sqrt(2/pi) (x[i] + 0.044715 x[i]^3))),
// the approximate GELU of the same paper, within 0.505 units, also where the sum
// cancels. -Inf gives NaN, as the formula.
func GELUTanh(y, x []float32) { each(siluRow, siluOf, geluTanhTable, y, x) }

// SiLU computes y[i] = x[i]/(1 + exp(-x[i])), within 0.505 units. -Inf gives NaN,
// as the formula.
func SiLU(y, x []float32) { each(siluRow, siluOf, siluTable, y, x) }

func each(row func(n int, x, y *float32, table *float64), one func(x float64, table []float64) float64, table []float64, y, x []float32) {
	y = y[:len(x)]
	if !wide {
		for i, v := range x {
			y[i] = float32(one(float64(v), table))
		}
		return
	}
	n := len(x) &^ (width - 1)
	if n > 0 {
		row(n, &x[0], &y[0], &table[0])
	}
	if n < len(x) {
		var rest [width]float32
		copy(rest[:], x[n:])
		row(width, &rest[0], &rest[0], &table[0])
		copy(y[n:], rest[:])
	}
}

// parts returns m and s with e^a = s m + s, where s is a power of two.
func parts(a float64) (m, s float64) {
	t := math.FMA(core[0], a, core[1])
	r := math.FMA(-(t - core[1]), core[2], a)
	p := core[3]
	for _, c := range core[4:] {
		p = math.FMA(p, r, c)
	}
	return float64(p * r), math.Float64frombits(math.Float64bits(t)<<52 + math.Float64bits(1))
}

// below is the smaller of z and limit, or NaN.
func below(z, limit float64) float64 {
	if z > limit {
		return limit
	}
	return z
}

// tanhOf is e/(e + 2) with e = e^2|x| - 1, which does not cancel.
func tanhOf(x float64, c []float64) float64 {
	z := below(math.Abs(x), c[limit])
	m, s := parts(z + z)
	e := math.FMA(s, m, s-1)
	return math.Copysign(e/(e+c[factor]), x)
}

func erfOf(x float64, c []float64) float64 {
	z := below(math.Abs(x), c[limit])
	u := math.FMA(float64(z*z), c[factor], -1)
	p := c[own]
	for _, c := range c[own+1:] {
		p = math.FMA(p, u, c)
	}
	return math.Copysign(float64(z*p), x)
}

// geluOf is max(x, 0) - |x| q with the tail q beyond |x|. The maximum is computed
// so that -Inf gives NaN.
func geluOf(x float64, c []float64) float64 {
	r := float64((x + math.Abs(x)) * c[factor])
	z := below(math.Abs(x), c[limit])
	m, s := parts(float64(float64(z*z) * -c[factor]))
	e := math.FMA(s, m, s)
	w := 1 / (z + c[own])
	u := math.FMA(w, c[own+2], c[own+1])
	h := c[own+3]
	for _, c := range c[own+4:] {
		h = math.FMA(h, u, c)
	}
	return math.Copysign(math.FMA(-float64(float64(e*w)*z), h, r), x)
}

// siluOf is max(x, 0) - |x| q with q = 1/(1 + e^|g|), like geluOf.
func siluOf(x float64, c []float64) float64 {
	r := float64((x + math.Abs(x)) * c[factor])
	z := below(math.Abs(x), c[limit])
	m, s := parts(float64(math.FMA(c[own], float64(z*z), c[own+1]) * z))
	e := math.FMA(s, m, s)
	return math.Copysign(math.FMA(-z, e/(e+1), r), x)
}
