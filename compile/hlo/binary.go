package hlo

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

var binaryLowerings = map[id.ID]Lowering{
	id.Atan2: func(p *Printer, n *dag.Node) { // narrow floats in f32
		y, x := p.In(n, 0), p.In(n, 1)
		wide := Wide(x.Type).DType
		p.Bind(n, p.Convert(p.Same("stablehlo.atan2", p.Convert(y, wide), p.Convert(x, wide)), x.Type.DType))
	},
	id.Divide: divide,
	id.ShiftLeft: func(p *Printer, n *dag.Node) {
		a, b := p.In(n, 0), p.In(n, 1)
		if shifts(n.Inputs[1]) {
			p.Bind(n, p.Same("stablehlo.shift_left", a, b))
			return
		}
		in, at := p.shiftable(b)
		p.Bind(n, p.Select(in, p.Same("stablehlo.shift_left", a, at), p.Number(a, 0)))
	},
	id.ShiftRight: func(p *Printer, n *dag.Node) {
		a, b := p.In(n, 0), p.In(n, 1)
		if shifts(n.Inputs[1]) {
			name := "stablehlo.shift_right_arithmetic"
			if a.Type.DType.IsUnsigned() {
				name = "stablehlo.shift_right_logical"
			}
			p.Bind(n, p.Same(name, a, b))
			return
		}
		in, at := p.shiftable(b)
		if a.Type.DType.IsUnsigned() {
			p.Bind(n, p.Select(in, p.Same("stablehlo.shift_right_logical", a, at), p.Number(a, 0)))
			return
		}
		all := p.Number(b, float64(a.Type.DType.Bits()-1))
		p.Bind(n, p.Same("stablehlo.shift_right_arithmetic", a, p.Select(in, at, all)))
	},
	id.Remainder: func(p *Printer, n *dag.Node) { p.Bind(n, p.Remainder(p.In(n, 0), p.In(n, 1))) },
	id.Modulo: func(p *Printer, n *dag.Node) {
		a, b := p.In(n, 0), p.In(n, 1)
		r, zero := p.Remainder(a, b), p.Number(a, 0)
		if a.Type.DType.IsUnsigned() {
			p.Bind(n, r)
			return
		}
		other := p.Compare("NE", p.Compare("LT", r, zero), p.Compare("LT", b, zero))
		moved := p.Same("stablehlo.and", other, p.Compare("NE", r, zero))
		if !a.Type.DType.IsFloat() {
			moved = p.Same("stablehlo.and", moved, p.Compare("NE", b, zero))
		}
		p.Bind(n, p.Select(moved, p.Same("stablehlo.add", r, b), r))
	},
	id.Clamp: func(p *Printer, n *dag.Node) {
		low, x, high := p.In(n, 0), p.In(n, 1), p.In(n, 2)
		if low.Type.Shape.Rank() == 0 {
			low = p.Broadcast(low, x.Type, nil, x)
		}
		if high.Type.Shape.Rank() == 0 {
			high = p.Broadcast(high, x.Type, nil, x)
		}
		p.Bind(n, p.Same("stablehlo.minimum", p.Same("stablehlo.maximum", x, low), high))
	},
}

// shiftable returns where b is a shift less than its type's bits, and
// b there and 0 elsewhere: other shifts depend on the processor.
func (p *Printer) shiftable(b Value) (in, at Value) {
	zero := p.Number(b, 0)
	in = p.Compare("LT", b, p.Number(b, float64(b.Type.DType.Bits())))
	if !b.Type.DType.IsUnsigned() {
		in = p.Same("stablehlo.and", in, p.Compare("GE", b, zero))
	}
	return in, p.Select(in, b, zero)
}

// divide defines the integer divisions that StableHLO leaves undefined: division by
// 0 returns all bits set, and the least number divided by -1 returns that number.
func divide(p *Printer, n *dag.Node) {
	a, b := p.In(n, 0), p.In(n, 1)
	d := a.Type.DType
	if d.IsFloat() || divides(n.Inputs[1]) {
		p.Bind(n, p.Div(a, b))
		return
	}
	byZero, safe := p.divisor(b)
	quotient := p.Div(a, safe)
	if d.IsUnsigned() {
		p.Bind(n, p.Select(byZero, p.Number(a, Greatest(d)), quotient))
		return
	}
	quotient = p.Select(p.Compare("EQ", b, p.Number(b, -1)), p.Same("stablehlo.negate", a), quotient)
	p.Bind(n, p.Select(byZero, p.Number(a, -1), quotient))
}

// divisor returns where b is 0, and b with 1 there and instead of -1.
func (p *Printer) divisor(b Value) (byZero, safe Value) {
	byZero = p.Compare("EQ", b, p.Number(b, 0))
	bad := byZero
	if !b.Type.DType.IsUnsigned() {
		bad = p.Same("stablehlo.or", bad, p.Compare("EQ", b, p.Number(b, -1)))
	}
	return byZero, p.Select(bad, p.Number(b, 1), b)
}

// divides reports whether the graph shows that no element of v is 0 or -1.
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

// shifts reports whether the graph shows that every element of v is a shift less
// than its type's bits.
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

// Remainder returns the remainder: a if the divisor is 0, and 0 if it is -1.
func (p *Printer) Remainder(a, b Value) Value {
	if a.Type.DType.IsFloat() {
		return p.Same("stablehlo.remainder", a, b)
	}
	byZero, safe := p.divisor(b)
	return p.Select(byZero, a, p.Same("stablehlo.remainder", a, safe))
}
