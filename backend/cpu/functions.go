package cpu

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
)

// functionKernels are those of one operand that are formulas in float64, rounded
// once to the element type.
var functionKernels = map[string]kernel{
	"sign": one(unaryKernel), "square": one(unaryKernel), "relu": one(unaryKernel), "relu6": one(unaryKernel),
	"silu": one(unaryKernel), "gelu_tanh": one(unaryKernel),
	"ceil": inDouble(math.Ceil), "round": inDouble(math.RoundToEven), "trunc": inDouble(math.Trunc),
	"cbrt": inDouble(math.Cbrt), "expm1": inDouble(math.Expm1), "log1p": inDouble(math.Log1p),
	"log2": inDouble(math.Log2), "log10": inDouble(math.Log10), "tan": inDouble(math.Tan),
	"asin": inDouble(math.Asin), "acos": inDouble(math.Acos), "atan": inDouble(math.Atan),
	"sinh": inDouble(math.Sinh), "cosh": inDouble(math.Cosh),
	"asinh": inDouble(math.Asinh), "acosh": inDouble(math.Acosh), "atanh": inDouble(math.Atanh),
	"erfc":       inDouble(math.Erfc),
	"reciprocal": inDouble(func(x float64) float64 { return 1 / x }),
	"softplus":   inDouble(softplus),
	"mish":       inDouble(func(x float64) float64 { return x * math.Tanh(softplus(x)) }),
	"selu": inDouble(func(x float64) float64 {
		if x > 0 {
			return op.SELUScale * x
		}
		return op.SELUScale * op.SELUAlpha * math.Expm1(x)
	}),
	"hardsigmoid": inDouble(hardsigmoid),
	"hardswish":   inDouble(func(x float64) float64 { return x * hardsigmoid(x) }),
	"leaky_relu": scaled("slope", func(x, slope float64) float64 {
		if x < 0 {
			return slope * x
		}
		return x
	}),
	"elu": scaled("alpha", func(x, alpha float64) float64 {
		if x > 0 {
			return x
		}
		return alpha * math.Expm1(x)
	}),
	"is_nan":    saying(math.IsNaN),
	"is_inf":    saying(func(x float64) bool { return math.IsInf(x, 0) }),
	"is_finite": saying(func(x float64) bool { return x-x == 0 }),
}

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func hardsigmoid(x float64) float64 { return min(max(x/6+0.5, 0), 1) }

func inDouble(f func(float64) float64) kernel {
	return one(func(n *dag.Node, in []array, out tensor.Type) array {
		return settle(array{out, in[0].data.apply(f)})
	})
}

func scaled(attribute string, f func(x, a float64) float64) kernel {
	return one(func(n *dag.Node, in []array, out tensor.Type) array {
		a := n.Attrs.Float(attribute)
		return settle(array{out, in[0].data.apply(func(x float64) float64 { return f(x, a) })})
	})
}

func saying(f func(float64) bool) kernel {
	return one(func(n *dag.Node, in []array, out tensor.Type) array {
		return array{out, in[0].data.test(f)}
	})
}

func (x vec[T]) apply(f func(float64) float64) storage { return mapTo(x, wide[T](f)) }

func (x vec[T]) test(f func(float64) bool) storage {
	return mapTo(x, func(v T) boolean { return truth(f(float64(v))) })
}

// sign keeps zeros and NaN as they are.
func sign[T number](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return T(0) - 1
	}
	return x
}
