package fromhlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func (n number) must() shape.Dim { return shape.N(n.n) }

// bitRules count bits.
var bitRules = map[string]rule{
	"stablehlo.popcnt": func(c *call) []*dag.Value { return one(c.ones(c.in[0])) },
	"stablehlo.count_leading_zeros": func(c *call) []*dag.Value {
		x, d := c.unsigned(c.in[0]), c.in[0].Type.DType
		for by := 1; by < d.Bits(); by *= 2 { // sets all bits below the first
			x = c.add("or", nil, x, c.with("shift_right", x, float64(by)))
		}
		return one(c.bitcast(c.ones(c.add("not", nil, x)), d))
	},
}

// unsigned returns integers as those of their bits.
func (im *importer) unsigned(x *dag.Value) *dag.Value {
	return im.bitcast(x, map[int]dtype.DType{8: dtype.U8, 16: dtype.U16, 32: dtype.U32, 64: dtype.U64}[x.Type.DType.Bits()])
}

// ones counts the bits that are 1: first in pairs, then in fours and so on
// (Warren, Hacker's Delight, 5-1).
func (im *importer) ones(v *dag.Value) *dag.Value {
	x, bits := im.unsigned(v), v.Type.DType.Bits()
	for by := 1; by < bits; by *= 2 {
		mask := im.mask(x, by)
		x = im.add("add", nil, im.add("and", nil, x, mask), im.add("and", nil, im.with("shift_right", x, float64(by)), mask))
	}
	return im.bitcast(x, v.Type.DType)
}

// mask returns by ones, by zeros and so on, from the lowest bit.
func (im *importer) mask(x *dag.Value, by int) *dag.Value {
	bits := x.Type.DType.Bits()
	word, chunk := uint64(0), uint64(1)<<by-1
	for at := 0; at < bits; at += 2 * by {
		word |= chunk << at
	}
	if bits < 64 {
		return im.like(x, float64(word))
	}
	// A float64 does not hold all 64 bits.
	high := im.with("shift_left", im.like(x, float64(word>>32)), 32)
	return im.add("or", nil, high, im.like(x, float64(word&math.MaxUint32)))
}

// The coefficients of Giles, Approximating the erfinv function (2010), in single precision.
var (
	erfInvNear = []float64{2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941}
	erfInvFar  = []float64{-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682}
)

// erfInv is the inverse of erf, in f32.
func (im *importer) erfInv(v *dag.Value) *dag.Value {
	if v.Type.DType == dtype.F64 {
		im.refuse(CodeOperation, "convert the operand to f32", "no operation of the table computes it in f64")
	}
	x := im.convert(v, dtype.F32)
	w := im.add("negate", nil, im.add("log1p", nil, im.add("negate", nil, im.add("multiply", nil, x, x))))
	near := im.compare(op.LT, w, im.like(w, 5))
	w = im.add("select", nil, near, im.with("subtract", w, 2.5), im.with("subtract", im.add("sqrt", nil, w), 3))
	coefficient := func(i int) *dag.Value {
		return im.add("select", nil, near, im.like(w, erfInvNear[i]), im.like(w, erfInvFar[i]))
	}
	p := coefficient(0)
	for i := 1; i < len(erfInvNear); i++ {
		p = im.add("add", nil, coefficient(i), im.add("multiply", nil, p, w))
	}
	end := im.compare(op.EQ, im.add("abs", nil, x), im.like(x, 1))
	return im.convert(im.add("select", nil, end, im.with("multiply", x, math.Inf(1)), im.add("multiply", nil, p, x)), v.Type.DType)
}
