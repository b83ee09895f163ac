package randgraph

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// ulps returns the distance in units in the last place. Functions of narrow floats
// are computed in f32 and rounded.
func ulps(r op.Rounding, d dtype.DType) int {
	if r == op.Approximate && d.Bits() >= 32 {
		return 4
	}
	return 1
}

// roundingOf returns how the results of a node may differ between backends.
func roundingOf(n *dag.Node) op.Rounding {
	if slices.ContainsFunc(n.Outputs, func(v *dag.Value) bool { return v.Type.DType.IsFloat() }) {
		return n.Op.TraitsFor(n.Attrs).Rounding
	}
	return op.Exact
}

// certain reports whether the node's results are exact in any order of summation: all
// terms are multiples of one power of two, and the sum of their magnitudes fits the
// type's bits.
func certain(n *dag.Node, x *kernel, in, out []tensor.Value) (bool, error) {
	d := out[0].Type.DType
	g := 0 // all terms are multiples of 2^g
	if n.Op.Role == op.Converts {
		return slices.Equal(numbers(in[0]), numbers(out[0])), nil
	}
	switch n.Op.TraitsFor(n.Attrs).Terms {
	case op.Addends:
		g = math.MaxInt
		for _, v := range in {
			if v.Type.DType == d {
				g = min(g, grain(v))
			}
		}
	case op.Products:
		g = grain(in[0]) + grain(in[len(in)-1])
	case op.Quotients:
		return d != dtype.F64 && productIs(numbers(out[0]), numbers(in[1]), numbers(in[0])), nil
	default:
		return false, nil
	}
	total, err := x.call(sizes(n, in))
	if err != nil {
		return false, err
	}
	return largest(total[0]) <= math.Ldexp(1, g+d.Significand()), nil
}

// sizes returns operands with which a sum adds up the sizes of its terms.
func sizes(n *dag.Node, in []tensor.Value) []tensor.Value {
	out := make([]tensor.Value, len(in))
	for i, v := range in {
		out[i] = v
		if v.Type.DType.IsFloat() {
			out[i] = magnitudes(v)
			if n.Op.ID == id.Subtract && i == 1 {
				out[i] = negated(out[i])
			}
		}
	}
	return out
}

// drift is the error of a sequential sum, in roundings of the sum of all magnitudes: a
// random walk with steps of a half.
func drift(n *dag.Node) float64 {
	terms := int64(1)
	switch x := n.Inputs[0].Type.Shape.Sizes(); n.Op.Reduces {
	case op.Contracting:
		for _, d := range n.Op.ReducedDims(n.Attrs, len(x)) {
			terms *= x[d]
		}
	case op.Windows:
		k := n.Inputs[1].Type.Shape.Sizes()
		terms = product(k[1:])
	default:
		terms = product(n.Inputs[len(n.Inputs)-1].Type.Shape.Sizes()) / max(product(n.Outputs[0].Type.Shape.Sizes()), 1)
	}
	return math.Sqrt(float64(max(terms, 1))) / 2
}

// productIs reports whether a b = c without rounding, for elements of 24 bits.
func productIs(a, b, c []float64) bool {
	for i := range a {
		if a[i]*b[i] != c[i] {
			return false
		}
	}
	return true
}

// grain is the exponent of the largest power of two that divides all elements.
func grain(v tensor.Value) int {
	g := 64 // of zeros
	for _, x := range numbers(v) {
		if x == 0 || math.IsInf(x, 0) {
			continue
		}
		_, e := math.Frexp(x)
		for e -= 53; math.Mod(x, math.Ldexp(1, e+1)) == 0; {
			e++
		}
		g = min(g, e)
	}
	return g
}

func largest(v tensor.Value) float64 {
	m := 0.0
	for _, x := range numbers(v) {
		m = math.Max(m, math.Abs(x))
	}
	return m
}
