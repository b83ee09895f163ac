package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Functions of one operand beyond the basic ones of elementwise.go. Where a
// function is a formula of others, the formula is in the doc.
var functionOps = []*Op{
	unary("sign", Numeric, "-1, 0 or 1 by the sign of x; zeros keep their sign and NaN stays NaN."),
	unary("ceil", Float, "Smallest whole number not below x."),
	unary("round", Float, "Nearest whole number, of two the even one (IEEE 754 roundTiesToEven)."),
	unary("trunc", Float, "x without its fraction."),
	unary("cbrt", Float, "Cube root."),
	unary("expm1", Float, "e^x - 1 without loss near 0."),
	unary("log1p", Float, "log(1 + x) without loss near 0; NaN below -1."),
	unary("log2", Float, "Logarithm to base 2; NaN below zero."),
	unary("log10", Float, "Logarithm to base 10; NaN below zero."),
	unary("tan", Float, "tan x, x in radians."),
	unary("asin", Float, "Arc sine, in radians; NaN outside [-1, 1]."),
	unary("acos", Float, "Arc cosine, in radians; NaN outside [-1, 1]."),
	unary("atan", Float, "Arc tangent, in radians."),
	unary("sinh", Float, "Hyperbolic sine."),
	unary("cosh", Float, "Hyperbolic cosine."),
	unary("asinh", Float, "Inverse hyperbolic sine."),
	unary("acosh", Float, "Inverse hyperbolic cosine; NaN below 1."),
	unary("atanh", Float, "Inverse hyperbolic tangent; NaN outside [-1, 1]."),
	unary("erfc", Float, "1 - erf(x), the complementary error function (DLMF 7.2.2), without loss for large x."),
	unary("reciprocal", Float, "1/x."),
	unary("square", Numeric, "x x."),
	unary("relu", Numeric, "max(x, 0)."),
	unary("relu6", Numeric, "min(max(x, 0), 6)."),
	unary("silu", Float, "x/(1 + e^-x), also called swish (Elfwing et al. 2017)."),
	unary("softplus", Float, "log(1 + e^x), as max(x, 0) + log1p(e^-|x|), which does not overflow."),
	unary("mish", Float, "x tanh(softplus(x)) (Misra 2019)."),
	unary("selu", Float, "1.0507009873554805 max(x, 0) + 1.0507009873554805 1.6732632423543772 (e^min(x, 0) - 1) (Klambauer et al. 2017)."),
	unary("gelu_tanh", Float, "x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the approximate GELU (Hendrycks and Gimpel 2016)."),
	unary("hardsigmoid", Float, "min(max(x/6 + 1/2, 0), 1) (Howard et al. 2019)."),
	unary("hardswish", Float, "x hardsigmoid(x) (Howard et al. 2019)."),
	scaled("leaky_relu", "slope", 0.01, "x where x >= 0, slope x elsewhere.", "factor below zero"),
	scaled("elu", "alpha", 1.0, "x where x > 0, alpha (e^x - 1) elsewhere (Clevert et al. 2015).", "limit below zero, negated"),
	predicate("is_nan", "Says whether x is NaN."),
	predicate("is_inf", "Says whether x is an infinity."),
	predicate("is_finite", "Says whether x is neither an infinity nor NaN."),
}

func scaled(name, attribute string, value float64, doc, what string) *Op {
	o := unary(name, Float, doc)
	o.Attributes = []Attribute{{Name: attribute, Kind: KindFloat, Default: value, Doc: what + ", finite"}}
	o.Rule = func(c *Call) ([]tensor.Type, error) {
		if v := c.Attrs.Float(attribute); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, c.Failf(CodeAttribute, "%s = %v is not finite", attribute, v)
		}
		return same(c)
	}
	return o
}

func predicate(name, doc string) *Op {
	o := unary(name, Float, doc)
	o.Rule = func(c *Call) ([]tensor.Type, error) {
		return []tensor.Type{{DType: dtype.Bool, Shape: c.In[0].Shape}}, nil
	}
	return o
}

// The selu constants (Klambauer et al. 2017, equation 14).
const (
	SELUScale = 1.0507009873554804934193349852946
	SELUAlpha = 1.6732632423543772848170429916717
)
