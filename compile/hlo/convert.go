package hlo

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// integers converts floats to integers: it truncates, saturates out of
// range, and maps NaN to 0. StableHLO leaves the last two undefined, and the result
// of stablehlo.convert depended on the processor, on the number of elements
// and on whether the compiler folded them. So values are clamped before the
// conversion, unless their bounds are already known.
func (p *Printer) integers(x Value, d dtype.DType, r op.Interval) Value {
	x = p.Convert(x, Wide(x.Type).DType) // holds all narrow floats
	digits := d.Bits()
	if d.IsSigned() {
		digits--
	}
	// top is the greatest float in range: the type's greatest number, or the float
	// below end, the first number out of range.
	low, end := Least(d), math.Ldexp(1, digits)
	top := tensor.Round(x.Type.DType, end-1)
	exact := top < end
	if !exact {
		top = below(x.Type.DType, end)
	}
	if r.NaN {
		x = p.Select(p.Compare("NE", x, x), p.Number(x, 0), x)
	}
	y := x
	if r.Low < low || r.High > top {
		t := Scalar(x.Type)
		y = p.To(x.Type, "stablehlo.clamp", "", p.Splat(t, low), x, p.Splat(t, top))
	}
	z := p.Convert(y, d)
	if r.High > top && !exact {
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

// Interval returns the interval of v's elements, derived from at most depth operations.
// Integers of more than 32 bits have that of their type: sums of their bounds are not exact
// in f64.
func Interval(v *dag.Value, depth int) op.Interval {
	d := v.Type.DType
	within := op.Interval{Low: Least(d), High: Greatest(d), NaN: d.IsFloat()}
	if d == dtype.Bool {
		within = op.Interval{Low: 0, High: 1}
	}
	if v.Node == nil || depth == 0 || !d.IsFloat() && (!d.IsInt() || d.Bits() > 32) {
		return within
	}
	r, known := made(v.Node, d, depth)
	switch {
	case !known:
		return within
	case d.IsFloat():
		return op.Interval{Low: tensor.Round(d, r.Low), High: tensor.Round(d, r.High), NaN: r.NaN}
	case r.NaN || r.Low < within.Low || r.High > within.High:
		return within // it may wrap
	}
	return op.Interval{Low: math.Trunc(r.Low), High: math.Trunc(r.High)}
}

// made returns the interval of a node's result of type d before rounding, if one is known.
func made(n *dag.Node, d dtype.DType, depth int) (op.Interval, bool) {
	of := func(i int) op.Interval { return Interval(n.Inputs[i], depth-1) }
	switch n.Op.Role {
	case op.Converts:
		return of(0), n.Op.ID == id.Convert
	case op.Uniform:
		c := n.Attrs.Float("value")
		return op.Interval{Low: c, High: c, NaN: c != c}, true
	case op.Counts:
		high := float64(math.MaxInt32)
		if size := n.Outputs[0].Type.Shape[n.Attrs.Int("dim")]; size.IsStatic() {
			high = float64(size.Size)
		}
		return op.Interval{Low: 0, High: high}, true
	case op.Moves:
		all := op.Interval{Low: math.Inf(1), High: math.Inf(-1)}
		for i, in := range n.Inputs {
			if in.Type.DType == d {
				a := of(i)
				a.NaN = a.NaN && !(n.Op.ID == id.Select && i == 1 && isNumber(n.Inputs[0], in))
				all = op.Interval{Low: min(all.Low, a.Low), High: max(all.High, a.High), NaN: all.NaN || a.NaN}
			}
		}
		return all, true
	}
	if n.Op.Algebra&op.Integral != 0 {
		return of(0), true
	}
	if n.Op.Bounds == nil {
		return op.Interval{}, false
	}
	in := make([]op.Interval, len(n.Inputs))
	for i := range in {
		in[i] = of(i)
	}
	return n.Op.Bounds(in)
}

// isNumber reports whether c is true exactly where v is not NaN.
func isNumber(c, v *dag.Value) bool {
	n := c.Node
	return n != nil && n.Op.ID == id.Compare && n.Attrs.String("direction") == op.EQ && n.Inputs[0] == v && n.Inputs[1] == v
}
