package hlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var binaryLowerings = map[string]lowering{
	"xor": cancelling("xor"),
	"atan2": func(p *printer, n *dag.Node) {
		// That of StableHLO keeps 18 bits of f32, and is not right of two zeros and of
		// two infinities (IREE 3.13.0).
		y, x := p.in(n, 0), p.in(n, 1)
		wide := f32(x.typ).DType
		p.bind(n, p.convert(p.anyAtan2(p.convert(y, wide), p.convert(x, wide)), x.typ.DType))
	},
	"divide": divide,
	"shift_left": func(p *printer, n *dag.Node) {
		a, b := p.in(n, 0), p.in(n, 1)
		if shifts(n.Inputs[1]) {
			p.bind(n, p.same("stablehlo.shift_left", a, b))
			return
		}
		in, at := p.shiftable(b)
		p.bind(n, p.choose(in, p.same("stablehlo.shift_left", a, at), p.number(a, 0)))
	},
	"shift_right": func(p *printer, n *dag.Node) {
		a, b := p.in(n, 0), p.in(n, 1)
		if shifts(n.Inputs[1]) {
			name := "stablehlo.shift_right_arithmetic"
			if a.typ.DType.IsUnsigned() {
				name = "stablehlo.shift_right_logical"
			}
			p.bind(n, p.same(name, a, b))
			return
		}
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
			low = p.broadcast(low, x.typ, nil, x)
		}
		if high.typ.Shape.Rank() == 0 {
			high = p.broadcast(high, x.typ, nil, x)
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

// divide keeps integers from the divisions that StableHLO leaves open: by 0, which
// gives all bits set, and of the least number by -1, which gives that number.
func divide(p *printer, n *dag.Node) {
	a, b := p.in(n, 0), p.in(n, 1)
	d := a.typ.DType
	if d.IsFloat() || divides(n.Inputs[1]) {
		p.bind(n, p.div(a, b))
		return
	}
	byZero, safe := p.divisor(b)
	quotient := p.div(a, safe)
	if d.IsUnsigned() {
		p.bind(n, p.choose(byZero, p.number(a, greatest(d)), quotient))
		return
	}
	quotient = p.choose(p.compare("EQ", b, p.number(b, -1)), p.same("stablehlo.negate", a), quotient)
	p.bind(n, p.choose(byZero, p.number(a, -1), quotient))
}

// divisor says where b is 0, and gives b with 1 there and in place of -1.
func (p *printer) divisor(b ssa) (byZero, safe ssa) {
	byZero = p.compare("EQ", b, p.number(b, 0))
	bad := byZero
	if !b.typ.DType.IsUnsigned() {
		bad = p.same("stablehlo.or", bad, p.compare("EQ", b, p.number(b, -1)))
	}
	return byZero, p.choose(bad, p.number(b, 1), b)
}

// divides says whether no element of v is 0 or -1, as far as the graph tells.
func divides(v *dag.Value) bool {
	n := v.Node
	if n == nil {
		return false
	}
	switch {
	case n.Op.Role == op.Moves && len(n.Inputs) == 1:
		return divides(n.Inputs[0])
	case n.Op.Role == op.Uniform:
		x := n.Attrs.Float("value")
		return x != 0 && x != -1
	}
	return false
}

// shifts says whether every element of v is a shift within its type's bits, as far
// as the graph tells.
func shifts(v *dag.Value) bool {
	n := v.Node
	if n == nil {
		return false
	}
	switch {
	case n.Op.Role == op.Moves && len(n.Inputs) == 1:
		return shifts(n.Inputs[0])
	case n.Op.Role == op.Uniform:
		x := n.Attrs.Float("value")
		return x >= 0 && x < float64(v.Type.DType.Bits())
	}
	return false
}

// remainder gives a where the divisor is 0, and 0 where it is -1.
func (p *printer) remainder(a, b ssa) ssa {
	switch d := a.typ.DType; {
	case d == dtype.F64:
		return p.fmod64(a, b)
	case d.IsFloat():
		return p.same("stablehlo.remainder", a, b)
	}
	byZero, safe := p.divisor(b)
	return p.choose(byZero, a, p.same("stablehlo.remainder", a, safe))
}
