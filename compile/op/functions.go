package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Functions of one operand beyond the basic ones of elementwise.go. If
// a function is a formula of others, its doc has the formula.
var functionOps = []*Op{
	unary("sign", exact.law(Idempotent), Numeric, "-1, 0 or 1, the sign of x; zeros keep their sign and NaN stays NaN."),
	unary("ceil", exact.law(Idempotent|Integral).unary(math.Ceil).says("stablehlo.ceil"), Float, "Least integer greater than or equal to x."),
	unary("round", exact.law(Idempotent|Integral).unary(math.RoundToEven).says("stablehlo.round_nearest_even"), Float, "Nearest integer, ties to even (IEEE 754 roundTiesToEven)."),
	unary("trunc", exact.law(Idempotent|Integral).unary(math.Trunc), Float, "x rounded toward zero."),
	unary("cbrt", approximate.follow().unary(math.Cbrt).saysWide("stablehlo.cbrt"), Float, "Cube root."),
	unary("expm1", approximate.wide().unary(math.Expm1).saysWide("stablehlo.exponential_minus_one"), Float, "e^x - 1, accurate near 0."),
	unary("log1p", approximate.wide().unary(math.Log1p).saysWide("stablehlo.log_plus_one"), Float, "log(1 + x), accurate near 0; NaN below -1."),
	unary("log2", approximate.wide().unary(math.Log2), Float, "Logarithm to base 2; NaN below zero."),
	unary("log10", approximate.wide().unary(math.Log10), Float, "Logarithm to base 10; NaN below zero."),
	unary("tan", periodic.unary(math.Tan).saysWide("stablehlo.tan"), Float, "tan x, x in radians."),
	unary("asin", approximate.wide().unary(math.Asin).saysWide("chlo.asin"), Float, "Arc sine, in radians; NaN outside [-1, 1]."),
	unary("acos", approximate.wide().unary(math.Acos).saysWide("chlo.acos"), Float, "Arc cosine, in radians; NaN outside [-1, 1]."),
	unary("atan", approximate.follow().unary(math.Atan).saysWide("chlo.atan"), Float, "Arc tangent, in radians."),
	unary("sinh", approximate.wide().unary(math.Sinh).saysWide("chlo.sinh"), Float, "Hyperbolic sine."),
	unary("cosh", approximate.wide().unary(math.Cosh).saysWide("chlo.cosh"), Float, "Hyperbolic cosine."),
	unary("asinh", approximate.wide().unary(math.Asinh).saysWide("chlo.asinh"), Float, "Inverse hyperbolic sine."),
	unary("acosh", approximate.wide().unary(math.Acosh).saysWide("chlo.acosh"), Float, "Inverse hyperbolic cosine; NaN below 1."),
	unary("atanh", approximate.wide().unary(math.Atanh).saysWide("chlo.atanh"), Float, "Inverse hyperbolic tangent; NaN outside [-1, 1]."),
	unary("erfc", approximate.follow().unary(math.Erfc).saysWide("chlo.erfc"), Float, "1 - erf(x), the complementary error function (DLMF 7.2.2), accurate for large x."),
	unary("reciprocal", near.wide().unary(func(x float64) float64 { return 1 / x }), Float, "1/x."),
	unary("square", correct.terms(Products).unary(func(x float64) float64 { return x * x }), Numeric, "x x."),
	unary("relu", exact.law(Idempotent).unary(func(x float64) float64 { return max(x, 0) }).limits(func(float64) Interval { return from(0) }), Numeric, "max(x, 0)."),
	unary("relu6", exact.law(Idempotent).unary(func(x float64) float64 { return min(max(x, 0), 6) }).limits(func(float64) Interval { return Interval{Low: 0, High: 6} }), Numeric, "min(max(x, 0), 6)."),
	unary("silu", approximate.follow().unary(func(x float64) float64 { return x / (1 + math.Exp(-x)) }), Float, "x/(1 + e^-x), also called swish (Elfwing et al. 2017)."),
	unary("softplus", approximate.wide().unary(softplus), Float, "log(1 + e^x), as max(x, 0) + log1p(e^-|x|), which does not overflow."),
	unary("mish", approximate.wide().unary(func(x float64) float64 { return x * math.Tanh(softplus(x)) }), Float, "x tanh(softplus(x)) (Misra 2019)."),
	unary("selu", approximate.follow().unary(selu), Float, "1.0507009873554805 max(x, 0) + 1.0507009873554805 1.6732632423543772 (e^min(x, 0) - 1) (Klambauer et al. 2017)."),
	unary("gelu_tanh", cancelling.follow().unary(geluTanh), Float, "x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the approximate GELU (Hendrycks and Gimpel 2016)."),
	unary("softsign", approximate.follow().unary(func(x float64) float64 { return x / (1 + math.Abs(x)) }), Float, "x/(1 + |x|) (Turian et al. 2009).").
		like(Example{Shapes: [][]int64{{2, 5}}, Gives: [][]int64{{2, 5}}}).
		form(func(_ *Call, _ *builder, in []expr) []expr {
			x := in[0].wide()
			return []expr{x.over(x.un("abs").with("add", 1)).to(in[0].d())}
		}),
	unary("hardsigmoid", cancelling.follow().unary(hardsigmoid), Float, "min(max(x/6 + 1/2, 0), 1) (Howard et al. 2019)."),
	unary("hardswish", cancelling.follow().unary(func(x float64) float64 { return x * hardsigmoid(x) }), Float, "x hardsigmoid(x) (Howard et al. 2019)."),
	scaled("leaky_relu", near.scaled(leakyReLU), "slope", 0.01, "x where x >= 0, slope x elsewhere.", "factor for negative x"),
	scaled("elu", approximate.follow().scaled(elu), "alpha", 1.0, "x where x > 0, alpha (e^x - 1) elsewhere (Clevert et al. 2015).", "the limit for negative x is -alpha"),
	predicate("is_nan", exact.test(math.IsNaN), "Reports whether x is NaN."),
	predicate("is_inf", exact.test(func(x float64) bool { return math.IsInf(x, 0) }), "Reports whether x is an infinity."),
	predicate("is_finite", exact.test(func(x float64) bool { return x-x == 0 }), "Reports whether x is neither an infinity nor NaN."),
}

func scaled(name string, t Traits, attribute string, value float64, doc, what string) *Op {
	o := unary(name, t, Float, doc)
	o.Attributes = []Attribute{{Name: attribute, Kind: KindFloat, Default: value, Doc: what + ", finite"}}
	o.Rule = func(c *Call) ([]tensor.Type, error) {
		if v := c.Attrs.Float(attribute); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, c.Failf(CodeAttribute, "%s = %v is not finite", attribute, v)
		}
		return same(c)
	}
	return o
}

func predicate(name string, t Traits, doc string) *Op {
	o := unary(name, t, Float, doc)
	o.Rule = func(c *Call) ([]tensor.Type, error) {
		return []tensor.Type{{DType: dtype.Bool, Shape: c.In[0].Shape}}, nil
	}
	return o
}
