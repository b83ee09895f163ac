package randgraph

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// rounding says how the results of an operation may differ between backends.
type rounding int

const (
	exactly     rounding = iota // not at all
	arithmetic                  // by a unit in the last place
	summing                     // by the order of a sum, as if the operands were rounded
	approximate                 // by the approximation of a function, as if the operands were rounded too
	periodic                    // also by a unit in the last place of 1
	cancelling                  // also by units in the last place of an operand, which a sum inside loses
)

// ulps gives the distance in units in the last place. Functions of narrow floats
// are computed in f32 and rounded.
func (r rounding) ulps(d dtype.DType) int {
	if r == approximate && d.Bits() >= 32 {
		return 4
	}
	return 1
}

// exactOps give results that no backend rounds.
var exactOps = []string{
	"constant", "splat", "iota", "dim_size", "negate", "abs", "floor", "ceil", "round", "trunc", "sign", "not", "and", "or", "xor",
	"shift_left", "shift_right", "maximum", "minimum", "clamp", "compare", "select", "relu", "relu6", "is_nan", "is_inf",
	"is_finite", "reshape", "transpose", "broadcast_in_dim", "concatenate", "slice", "pad", "reverse", "take",
	"dynamic_slice", "dynamic_update_slice", "argsort", "argmax", "reduce_max", "reduce_min", "barrier",
}

var arithmeticOps = []string{"add", "subtract", "multiply", "divide", "sqrt", "square", "reciprocal", "convert", "remainder", "leaky_relu"}

// cancellingOps have a sum inside, whose terms are as large as an operand: the last
// one.
var cancellingOps = []string{"gelu", "gelu_tanh", "hardsigmoid", "hardswish", "layer_norm"}

// periodicOps are approximated to a unit in the last place of 1, also near 0: IREE
// 3.13.0 gives 17 bits of the sine of 0.003.
var periodicOps = []string{"sine", "cosine", "tan"}

var summingOps = []string{"reduce_sum", "reduce_prod", "dot_general", "conv1d", "convolution", "scatter"}

func roundingOf(n *dag.Node) rounding {
	if slices.ContainsFunc(n.Outputs, func(v *dag.Value) bool { return v.Type.DType.IsFloat() }) {
		switch name := n.Op.Name; {
		case slices.Contains(exactOps, name), name == "scatter" && !slices.Contains([]string{op.ScatterAdd, op.ScatterMul}, n.Attrs.String("mode")):
		case slices.Contains(arithmeticOps, name):
			return arithmetic
		case slices.Contains(summingOps, name):
			return summing
		case slices.Contains(periodicOps, name):
			return periodic
		case slices.Contains(cancellingOps, name):
			return cancelling
		default:
			return approximate
		}
	}
	return exactly
}

// precision is the number of bits of the significand.
func precision(d dtype.DType) int {
	return map[dtype.DType]int{dtype.F16: 11, dtype.BF16: 8, dtype.F32: 24, dtype.F64: 53}[d]
}

// certain says whether the node's results are exact, in whatever order it adds:
// where all terms are multiples of one power of two, and the sum of their sizes
// has no more bits than the type.
func certain(n *dag.Node, x *kernel, in, out []tensor.Value) (bool, error) {
	d := out[0].Type.DType
	g := 0 // all terms are multiples of 2^g
	switch n.Op.Name {
	case "add", "subtract", "reduce_sum":
		g = math.MaxInt
		for _, v := range in {
			g = min(g, grain(v))
		}
	case "scatter":
		if n.Attrs.String("mode") != op.ScatterAdd {
			return false, nil
		}
		g = min(grain(in[0]), grain(in[2]))
	case "multiply", "dot_general", "conv1d", "convolution":
		g = grain(in[0]) + grain(in[1])
	case "square":
		g = 2 * grain(in[0])
	case "convert":
		return slices.Equal(numbers(in[0]), numbers(out[0])), nil
	case "divide":
		return d != dtype.F64 && productIs(numbers(out[0]), numbers(in[1]), numbers(in[0])), nil
	default:
		return false, nil
	}
	total, err := x.call(sizes(n, in))
	if err != nil {
		return false, err
	}
	return largest(total[0]) <= math.Ldexp(1, g+precision(d)), nil
}

// sizes gives operands with which a sum adds up the sizes of its terms.
func sizes(n *dag.Node, in []tensor.Value) []tensor.Value {
	out := make([]tensor.Value, len(in))
	for i, v := range in {
		out[i] = v
		if v.Type.DType.IsFloat() {
			out[i] = magnitudes(v)
			if n.Op.Name == "subtract" && i == 1 {
				out[i] = negated(out[i])
			}
		}
	}
	return out
}

// drift is how many roundings of the sum of all sizes a sum one after the other
// strays by: it walks at random, a half each time.
func drift(n *dag.Node) float64 {
	terms := int64(1)
	switch x := n.Inputs[0].Type.Shape.Sizes(); n.Op.Name {
	case "dot_general":
		for _, d := range n.Attrs.Ints("lhs_contracting") {
			terms *= x[d]
		}
	case "conv1d", "convolution":
		k := n.Inputs[1].Type.Shape.Sizes()
		terms = product(k[1:])
	default:
		terms = product(n.Inputs[len(n.Inputs)-1].Type.Shape.Sizes()) / max(product(n.Outputs[0].Type.Shape.Sizes()), 1)
	}
	return math.Sqrt(float64(max(terms, 1))) / 2
}

// productIs says whether a b = c without rounding, for elements of 24 bits.
func productIs(a, b, c []float64) bool {
	for i := range a {
		if a[i]*b[i] != c[i] {
			return false
		}
	}
	return true
}

// grain is the exponent of the greatest power of two that divides all elements.
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
