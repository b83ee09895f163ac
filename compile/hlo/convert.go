package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// integers converts floats to integers: without their fractions, those beyond the
// type to its nearest number, NaN to 0. StableHLO leaves the last two open, and what
// stablehlo.convert made of them depended on the processor, on the number of elements
// and on whether the compiler folded them. So what is converted fits. Bounds that the
// values have by themselves are not printed again.
func (p *Printer) integers(x Value, d dtype.DType, r interval) Value {
	x = p.Convert(x, Wide(x.Type).DType) // holds all narrow floats
	digits := d.Bits()
	if d.IsSigned() {
		digits--
	}
	// top is the greatest float that fits: the type's greatest number, or the float
	// below end, the first number that does not.
	low, end := Least(d), math.Ldexp(1, digits)
	top := Round(x.Type.DType, end-1)
	exact := top < end
	if !exact {
		top = below(x.Type.DType, end)
	}
	if r.nan {
		x = p.Select(p.Compare("NE", x, x), p.Number(x, 0), x)
	}
	y := x
	if r.low < low || r.high > top {
		t := Scalar(x.Type)
		y = p.To(x.Type, "stablehlo.clamp", "", p.Splat(t, low), x, p.Splat(t, top))
	}
	z := p.Convert(y, d)
	if r.high > top && !exact {
		z = p.Select(p.Compare("GE", x, p.Number(x, end)), p.Number(z, Greatest(d)), z)
	}
	return z
}

// below returns the greatest float of type f32 or f64 below v.
func below(d dtype.DType, v float64) float64 {
	if d == dtype.F64 {
		return math.Nextafter(v, 0)
	}
	return float64(math.Nextafter32(float32(v), 0))
}

// interval is where the elements of a value are, as far as the graph tells.
type interval struct {
	low, high float64
	nan       bool // some may be NaN
}

// intervalOf looks at what made v, at most depth steps away.
func intervalOf(v *dag.Value, depth int) interval {
	d := v.Type.DType
	within := interval{Least(d), Greatest(d), d.IsFloat()}
	if d == dtype.Bool {
		within = interval{0, 1, false}
	}
	n := v.Node
	if !d.IsFloat() || n == nil || depth == 0 {
		return within
	}
	of := func(i int) interval { return intervalOf(n.Inputs[i], depth-1) }
	rounded := func(low, high float64, nan bool) interval {
		return interval{Round(d, low), Round(d, high), nan}
	}
	switch n.Op.Role {
	case op.Converts:
		if n.Op.ID == id.Convert {
			from := of(0)
			return rounded(from.low, from.high, from.nan)
		}
		return within
	case op.Uniform:
		c := n.Attrs.Float("value")
		return interval{c, c, c != c}
	case op.Counts:
		if size := n.Outputs[0].Type.Shape[n.Attrs.Int("dim")]; size.IsStatic() {
			return rounded(0, float64(size.Size), false)
		}
		return rounded(0, math.MaxInt32, false)
	case op.Moves:
		all := interval{math.Inf(1), math.Inf(-1), false}
		for i, in := range n.Inputs {
			if in.Type.DType == d {
				a := of(i)
				a.nan = a.nan && !(n.Op.ID == id.Select && i == 1 && isNumber(n.Inputs[0], in))
				all = interval{min(all.low, a.low), max(all.high, a.high), all.nan || a.nan}
			}
		}
		return all
	}
	if n.Op.Algebra&op.Integral != 0 {
		return of(0)
	}
	switch n.Op.ID {
	case id.Abs:
		a := of(0)
		return interval{max(a.low, 0), max(math.Abs(a.low), math.Abs(a.high)), a.nan}
	case id.Minimum, id.Maximum:
		a, b := of(0), of(1)
		if n.Op.ID == id.Minimum {
			return interval{min(a.low, b.low), min(a.high, b.high), a.nan || b.nan}
		}
		return interval{max(a.low, b.low), max(a.high, b.high), a.nan || b.nan}
	case id.Clamp:
		low, a, high := of(0), of(1), of(2)
		return interval{min(max(a.low, low.low), high.low), min(max(a.high, low.high), high.high), low.nan || a.nan || high.nan}
	case id.Add, id.Subtract:
		a, b := of(0), of(1)
		if n.Op.ID == id.Subtract {
			b.low, b.high = -b.high, -b.low
		}
		if math.IsInf(b.low, 0) || math.IsInf(b.high, 0) {
			return within
		}
		return rounded(a.low+b.low, a.high+b.high, a.nan || b.nan)
	case id.Multiply:
		a, b := of(0), of(1)
		if !(b.low == b.high && b.low > 0 && !math.IsInf(b.low, 0)) {
			return within
		}
		return rounded(a.low*b.low, a.high*b.low, a.nan)
	}
	return within
}

// isNumber reports whether c is true where v is not NaN, and only there.
func isNumber(c, v *dag.Value) bool {
	n := c.Node
	return n != nil && n.Op.ID == id.Compare && n.Attrs.String("direction") == op.EQ && n.Inputs[0] == v && n.Inputs[1] == v
}
