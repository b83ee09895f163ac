package formulas

import (
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// fmodStep is how many bits of the quotient one iteration of Remainder64 consumes: a remainder
// of 53 bits times 2^10 still fits an i64.
const fmodStep = 10

// Remainder64 is the remainder of f64, exact as C's fmod. Arithmetic on floats would lose
// subnormals, which runtimes flush to zero. So all arithmetic is on integers: with
// |a| = x 2^e and |b| = y 2^f for mantissas x and y below 2^53, the remainder is (x
// 2^(e-f) mod y) 2^f.
func Remainder64(p *hlo.Printer, a, b hlo.Value) hlo.Value {
	it := tensor.Type{DType: dtype.I64, Shape: a.Type.Shape}
	bits := func(v hlo.Value) hlo.Value { return p.To(it, "stablehlo.bitcast_convert", "", v) }
	and := func(v, w hlo.Value) hlo.Value { return p.Same("stablehlo.and", v, w) }
	add := func(v, w hlo.Value) hlo.Value { return p.Same("stablehlo.add", v, w) }
	sub := func(v, w hlo.Value) hlo.Value { return p.Same("stablehlo.subtract", v, w) }
	least := func(v, w hlo.Value) hlo.Value { return p.Same("stablehlo.minimum", v, w) }
	left := func(v, w hlo.Value) hlo.Value { return p.Same("stablehlo.shift_left", v, w) }
	bitsA, bitsB := bits(a), bits(b)
	number := func(v float64) hlo.Value { return p.Number(bitsA, v) }
	zero, one, hidden, field := number(0), number(1), number(1<<52), number(52)
	rest, infinity := number(1<<52-1), number(0x7FF<<52)
	absA, absB := and(bitsA, number(math.MaxInt64)), and(bitsB, number(math.MaxInt64))

	// A subnormal has the exponent of the smallest normal number and no hidden bit.
	parts := func(v hlo.Value) (mantissa, exponent hlo.Value) {
		e := p.Same("stablehlo.shift_right_logical", v, field)
		m := p.Select(p.Compare("EQ", e, zero), zero, hidden)
		return p.Same("stablehlo.or", and(v, rest), m), p.Same("stablehlo.maximum", e, one)
	}
	x, e := parts(absA)
	y, f := parts(absB)
	y = p.Select(p.Compare("EQ", y, zero), one, y)
	left1 := p.Same("stablehlo.maximum", sub(e, f), zero)
	r := p.Same("stablehlo.remainder", x, y)
	r = roundsOf(p, r, left1, func(r, n hlo.Value) (hlo.Value, hlo.Value) {
		s := least(n, number(fmodStep))
		return p.Same("stablehlo.remainder", left(r, s), y), sub(n, s)
	})

	// Back to a float: the mantissa is shifted up to the hidden bit, or as far as
	// the exponent allows.
	f = sub(f, one)
	room := sub(p.Same("stablehlo.count_leading_zeros", r), number(11))
	shift := least(room, f)
	made := add(left(r, shift), left(sub(f, shift), field))
	made = p.Select(p.Compare("EQ", r, zero), zero, made)
	made = p.Select(p.Compare("LT", absA, absB), absA, made)
	made = p.Same("stablehlo.or", made, and(bitsA, number(math.MinInt64)))
	none := p.Same("stablehlo.or", p.Compare("EQ", absB, zero), p.Compare("GE", absA, infinity))
	none = p.Same("stablehlo.or", none, p.Compare("GT", absB, infinity))
	return p.Select(none, p.Number(a, math.NaN()), p.To(a.Type, "stablehlo.bitcast_convert", "", made))
}

// rounds repeats step on r and n until no element of n is above 0, and at least
// once: a loop without iterations fails in the runtime's worker threads.
func roundsOf(p *hlo.Printer, r, n hlo.Value, step func(r, n hlo.Value) (hlo.Value, hlo.Value)) hlo.Value {
	most := n
	if rank := n.Type.Shape.Rank(); rank > 0 {
		dims := make([]int64, rank)
		for i := range dims {
			dims[i] = int64(i)
		}
		most = p.Reduce(n, "maximum", 0, dims)
	}
	count := p.Div(p.Same("stablehlo.add", most, p.Number(most, fmodStep-1)), p.Number(most, fmodStep))
	count = p.Same("stablehlo.maximum", count, p.Number(count, 1))
	start := p.Number(count, 0)
	label := p.Label()
	name := func(i int) string { return fmt.Sprintf("%%c%d.%d", label, i) }
	i, cr, cn := hlo.Value{Name: name(0), Type: start.Type}, hlo.Value{Name: name(1), Type: r.Type}, hlo.Value{Name: name(2), Type: n.Type}
	initial := []hlo.Value{start, r, n}
	p.Line("%%%d:3 = stablehlo.while(%s = %s, %s = %s, %s = %s) : %s", label,
		i.Name, start.Name, cr.Name, r.Name, cn.Name, n.Name, p.Types(initial))
	p.Nested("cond {", func() []hlo.Value { return []hlo.Value{p.Compare("LT", i, count)} })
	p.Nested("} do {", func() []hlo.Value {
		r, n := step(cr, cn)
		return []hlo.Value{p.Same("stablehlo.add", i, p.Number(i, 1)), r, n}
	})
	p.Line("}")
	return hlo.Value{Name: fmt.Sprintf("%%%d#1", label), Type: r.Type}
}
