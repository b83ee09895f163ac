package randgraph

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Special numbers are NaN, infinities and what is beyond the usual sizes. They go
// through a graph as far as the numeric classes of its operations specify the results.

// isSpecial reports whether a number of type d is one.
func isSpecial(d dtype.DType, x float64) bool { return d.IsFloat() && !(math.Abs(x) <= bounds[d][1]) }

// hasSpecial reports whether a tensor holds one.
func hasSpecial(v tensor.Value) bool {
	d := v.Type.DType
	return d.IsFloat() && slices.ContainsFunc(numbers(v), func(x float64) bool { return isSpecial(d, x) })
}

// greatest are the largest numbers.
var greatest = map[dtype.DType]float64{
	dtype.F16: 65504, dtype.BF16: 0x1.fep127, dtype.F32: math.MaxFloat32, dtype.F64: math.MaxFloat64,
}

// specials makes n elements of a leaf, half of which are special; in half of the
// leaves all of these are NaN or infinite.
func (g *gen) specials(t tensor.Type, n int64) tensor.Value {
	top := greatest[t.DType]
	from := []float64{math.NaN(), math.Inf(1), math.Inf(-1), top, -top, top / 2, 8 * bounds[t.DType][1]}
	if g.chance(2) {
		from = from[:3]
	}
	xs := make([]float64, n)
	for i := range xs {
		if xs[i] = g.r.NormFloat64() * 1.5; g.chance(2) {
			xs[i] = one(g, from)
		}
	}
	return valueOf(t, xs)
}

// takesSpecial reports whether the class of n specifies its results for these operands:
// where it is rounded once or less, or to a unit in the last place; and of sums for NaN
// and infinities alone, since a large term goes out of range or not by the order. What
// windows have outside their operand may be multiplied, or left out.
func takesSpecial(n *dag.Node, in []tensor.Value) bool {
	if !slices.ContainsFunc(in, hasSpecial) {
		return true
	}
	switch t, kind := n.Op.TraitsFor(n.Attrs), roundingOf(n); {
	case kind.IsStated() || kind == op.Near:
		return true
	case kind != op.Sum || t.Terms != op.Addends && t.Terms != op.Products || t.Reduces == op.Windows:
		return false
	}
	return !slices.ContainsFunc(in, func(v tensor.Value) bool {
		d := v.Type.DType
		return d.IsFloat() && slices.ContainsFunc(numbers(v), func(x float64) bool {
			return isSpecial(d, x) && math.Abs(x) <= math.MaxFloat64
		})
	})
}
