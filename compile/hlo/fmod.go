package hlo

import (
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// fmodStep is how many bits of a quotient one round of fmod64 takes: a remainder
// of 53 bits times 2^10 still fits an i64.
const fmodStep = 10

// fmod64 is the remainder of f64, exact as C's fmod. stablehlo.remainder would
// be a call of fmod, to which programs for processors are not linked (IREE
// 3.13.0), and arithmetic on floats would lose subnormals, which the runtime
// flushes to zero. So it is integers throughout: with |a| = x 2^e and |b| = y 2^f
// for mantissas x and y below 2^53, the remainder is (x 2^(e-f) mod y) 2^f.
func (p *printer) fmod64(a, b ssa) ssa {
	it := tensor.Type{DType: dtype.I64, Shape: a.typ.Shape}
	bits := func(v ssa) ssa { return p.to(it, "stablehlo.bitcast_convert", "", v) }
	and := func(v, w ssa) ssa { return p.same("stablehlo.and", v, w) }
	add := func(v, w ssa) ssa { return p.same("stablehlo.add", v, w) }
	sub := func(v, w ssa) ssa { return p.same("stablehlo.subtract", v, w) }
	least := func(v, w ssa) ssa { return p.same("stablehlo.minimum", v, w) }
	left := func(v, w ssa) ssa { return p.same("stablehlo.shift_left", v, w) }
	bitsA, bitsB := bits(a), bits(b)
	number := func(v float64) ssa { return p.number(bitsA, v) }
	zero, one, hidden, field := number(0), number(1), number(1<<52), number(52)
	rest, infinity := number(1<<52-1), number(0x7FF<<52)
	absA, absB := and(bitsA, number(math.MaxInt64)), and(bitsB, number(math.MaxInt64))

	// A subnormal has the exponent of the least normal number and no hidden bit.
	parts := func(v ssa) (mantissa, exponent ssa) {
		e := p.same("stablehlo.shift_right_logical", v, field)
		m := p.choose(p.compare("EQ", e, zero), zero, hidden)
		return p.same("stablehlo.or", and(v, rest), m), p.same("stablehlo.maximum", e, one)
	}
	x, e := parts(absA)
	y, f := parts(absB)
	y = p.choose(p.compare("EQ", y, zero), one, y)
	left1 := p.same("stablehlo.maximum", sub(e, f), zero)
	r := p.same("stablehlo.remainder", x, y)
	r = p.rounds(r, left1, func(r, n ssa) (ssa, ssa) {
		s := least(n, number(fmodStep))
		return p.same("stablehlo.remainder", left(r, s), y), sub(n, s)
	})

	// Back to a float: the mantissa goes up to the hidden bit, or as far as the
	// exponent allows.
	f = sub(f, one)
	room := sub(p.same("stablehlo.count_leading_zeros", r), number(11))
	shift := least(room, f)
	made := add(left(r, shift), left(sub(f, shift), field))
	made = p.choose(p.compare("EQ", r, zero), zero, made)
	made = p.choose(p.compare("LT", absA, absB), absA, made)
	made = p.same("stablehlo.or", made, and(bitsA, number(math.MinInt64)))
	none := p.same("stablehlo.or", p.compare("EQ", absB, zero), p.compare("GE", absA, infinity))
	none = p.same("stablehlo.or", none, p.compare("GT", absB, infinity))
	return p.choose(none, p.number(a, math.NaN()), p.to(a.typ, "stablehlo.bitcast_convert", "", made))
}

// rounds repeats step on r and n until no element of n is above 0, and at least
// once: a loop without rounds fails in the runtime's worker threads (IREE
// 3.13.0).
func (p *printer) rounds(r, n ssa, step func(r, n ssa) (ssa, ssa)) ssa {
	most := n
	if rank := n.typ.Shape.Rank(); rank > 0 {
		dims := make([]int64, rank)
		for i := range dims {
			dims[i] = int64(i)
		}
		most = p.reduce(n, "maximum", 0, dims)
	}
	count := p.div(p.same("stablehlo.add", most, p.number(most, fmodStep-1)), p.number(most, fmodStep))
	count = p.same("stablehlo.maximum", count, p.number(count, 1))
	start := p.number(count, 0)
	label := p.next
	p.next++
	name := func(i int) string { return fmt.Sprintf("%%c%d.%d", label, i) }
	i, cr, cn := ssa{name(0), start.typ}, ssa{name(1), r.typ}, ssa{name(2), n.typ}
	initial := []ssa{start, r, n}
	p.line("%%%d:3 = stablehlo.while(%s = %s, %s = %s, %s = %s) : %s", label,
		i.name, start.name, cr.name, r.name, cn.name, n.name, p.typesOf(initial))
	p.nested("cond {", func() []ssa { return []ssa{p.compare("LT", i, count)} })
	p.nested("} do {", func() []ssa {
		r, n := step(cr, cn)
		return []ssa{p.same("stablehlo.add", i, p.number(i, 1)), r, n}
	})
	p.line("}")
	return ssa{fmt.Sprintf("%%%d#1", label), r.typ}
}

// nested prints a region behind its opening and returns what it gives.
func (p *printer) nested(opening string, body func() []ssa) {
	p.line("%s", opening)
	p.indent++
	p.inner(func() {
		vs := body()
		p.line("stablehlo.return %s : %s", names(vs), p.typesOf(vs))
	})
	p.indent--
}
