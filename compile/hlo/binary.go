package hlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
)

var binaryLowerings = map[string]lowering{
	"xor":   plain("xor"),
	"atan2": plain("atan2"),
	"shift_left": func(p *printer, n *dag.Node) {
		a, b := p.in(n, 0), p.in(n, 1)
		in, at := p.shiftable(b)
		p.bind(n, p.choose(in, p.same("stablehlo.shift_left", a, at), p.number(a, 0)))
	},
	"shift_right": func(p *printer, n *dag.Node) {
		a, b := p.in(n, 0), p.in(n, 1)
		in, at := p.shiftable(b)
		if a.typ.DType.IsUnsigned() {
			p.bind(n, p.choose(in, p.same("stablehlo.shift_right_logical", a, at), p.number(a, 0)))
			return
		}
		all := p.number(b, float64(a.typ.DType.Bits()-1))
		p.bind(n, p.same("stablehlo.shift_right_arithmetic", a, p.choose(in, at, all)))
	},
	"remainder": func(p *printer, n *dag.Node) { p.bind(n, p.remainder(p.in(n, 0), p.in(n, 1))) },
	"modulo": func(p *printer, n *dag.Node) {
		a, b := p.in(n, 0), p.in(n, 1)
		r, zero := p.remainder(a, b), p.number(a, 0)
		if a.typ.DType.IsUnsigned() {
			p.bind(n, r)
			return
		}
		other := p.compare("NE", p.compare("LT", r, zero), p.compare("LT", b, zero))
		moved := p.same("stablehlo.and", other, p.compare("NE", r, zero))
		if !a.typ.DType.IsFloat() {
			moved = p.same("stablehlo.and", moved, p.compare("NE", b, zero))
		}
		p.bind(n, p.choose(moved, p.same("stablehlo.add", r, b), r))
	},
	"clamp": func(p *printer, n *dag.Node) {
		low, x, high := p.in(n, 0), p.in(n, 1), p.in(n, 2)
		if low.typ.Shape.Rank() == 0 {
			low = p.broadcast(low, x.typ, nil)
		}
		if high.typ.Shape.Rank() == 0 {
			high = p.broadcast(high, x.typ, nil)
		}
		p.bind(n, p.same("stablehlo.minimum", p.same("stablehlo.maximum", x, low), high))
	},
}

// shiftable says where b is a shift within its type's bits, and gives b there and
// 0 elsewhere: what a processor does with other shifts is its own affair.
func (p *printer) shiftable(b ssa) (in, at ssa) {
	zero := p.number(b, 0)
	in = p.compare("LT", b, p.number(b, float64(b.typ.DType.Bits())))
	if !b.typ.DType.IsUnsigned() {
		in = p.same("stablehlo.and", in, p.compare("GE", b, zero))
	}
	return in, p.choose(in, b, zero)
}

// remainder avoids the integer divisions that stop a processor: by 0, and of the
// least number by -1. By 1 instead, they give 0, which is right for the latter.
func (p *printer) remainder(a, b ssa) ssa {
	d := a.typ.DType
	if d.IsFloat() {
		return p.same("stablehlo.remainder", a, b)
	}
	zero, one := p.number(b, 0), p.number(b, 1)
	byZero := p.compare("EQ", b, zero)
	bad := byZero
	if !d.IsUnsigned() {
		bad = p.same("stablehlo.or", bad, p.compare("EQ", b, p.number(b, -1)))
	}
	return p.choose(byZero, a, p.same("stablehlo.remainder", a, p.choose(bad, one, b)))
}
