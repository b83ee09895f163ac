package op

import "math"

// Elementwise functions of more than one line, for the rows of elementwise.go and
// functions.go.

// The selu constants (Klambauer et al. 2017, equation 14).
const (
	SELUScale = 1.0507009873554804934193349852946
	SELUAlpha = 1.6732632423543772848170429916717
)

// gelu uses 1 + erf(y) = erfc(-y), which does not cancel for negative x.
func gelu(x float64) float64 { return x / 2 * math.Erfc(-x/math.Sqrt2) }

// geluTanh uses (1 + tanh y)/2 = 1/(1 + e^-2y), which does not cancel for negative x.
func geluTanh(x float64) float64 {
	return x / (1 + math.Exp(-2*math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func hardsigmoid(x float64) float64 { return min(max(x/6+0.5, 0), 1) }

func selu(x float64) float64 {
	if x > 0 {
		return SELUScale * x
	}
	return SELUScale * SELUAlpha * math.Expm1(x)
}

func leakyReLU(x, slope float64) float64 {
	if x < 0 {
		return slope * x
	}
	return x
}

func elu(x, alpha float64) float64 {
	if x > 0 {
		return x
	}
	return alpha * math.Expm1(x)
}
