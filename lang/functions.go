package lang

// Sign returns -1, 0 or 1.
func (t Tensor) Sign() Tensor { return t.unary("sign") }

// Ceil returns the least integer greater than or equal to t.
func (t Tensor) Ceil() Tensor { return t.unary("ceil") }

// Round rounds to the nearest integer, ties to even.
func (t Tensor) Round() Tensor { return t.unary("round") }

// Trunc rounds toward zero.
func (t Tensor) Trunc() Tensor { return t.unary("trunc") }

// Cbrt returns the cube root.
func (t Tensor) Cbrt() Tensor { return t.unary("cbrt") }

// Expm1 returns e^t - 1, accurate near 0.
func (t Tensor) Expm1() Tensor { return t.unary("expm1") }

// Log1p returns log(1 + t), accurate near 0.
func (t Tensor) Log1p() Tensor { return t.unary("log1p") }

// Log2 returns the logarithm to base 2.
func (t Tensor) Log2() Tensor { return t.unary("log2") }

// Log10 returns the logarithm to base 10.
func (t Tensor) Log10() Tensor { return t.unary("log10") }

// Tan returns tan t, t in radians.
func (t Tensor) Tan() Tensor { return t.unary("tan") }

// Asin returns the arc sine in radians.
func (t Tensor) Asin() Tensor { return t.unary("asin") }

// Acos returns the arc cosine in radians.
func (t Tensor) Acos() Tensor { return t.unary("acos") }

// Atan returns the arc tangent in radians.
func (t Tensor) Atan() Tensor { return t.unary("atan") }

// Sinh returns the hyperbolic sine.
func (t Tensor) Sinh() Tensor { return t.unary("sinh") }

// Cosh returns the hyperbolic cosine.
func (t Tensor) Cosh() Tensor { return t.unary("cosh") }

// Asinh returns the inverse hyperbolic sine.
func (t Tensor) Asinh() Tensor { return t.unary("asinh") }

// Acosh returns the inverse hyperbolic cosine.
func (t Tensor) Acosh() Tensor { return t.unary("acosh") }

// Atanh returns the inverse hyperbolic tangent.
func (t Tensor) Atanh() Tensor { return t.unary("atanh") }

// Erfc returns the complementary error function.
func (t Tensor) Erfc() Tensor { return t.unary("erfc") }

// Reciprocal returns 1/t.
func (t Tensor) Reciprocal() Tensor { return t.unary("reciprocal") }

// Square returns t times t.
func (t Tensor) Square() Tensor { return t.unary("square") }

// ReLU returns max(t, 0).
func (t Tensor) ReLU() Tensor { return t.unary("relu") }

// ReLU6 returns min(max(t, 0), 6).
func (t Tensor) ReLU6() Tensor { return t.unary("relu6") }

// LeakyReLU returns t, times slope where t is below 0.
func (t Tensor) LeakyReLU(slope float64) Tensor {
	return t.f.add("leaky_relu", attrs{"slope": slope}, t)
}

// ELU returns t where it is above 0 and alpha (e^t - 1) elsewhere.
func (t Tensor) ELU(alpha float64) Tensor { return t.f.add("elu", attrs{"alpha": alpha}, t) }

// SELU returns the scaled exponential linear unit.
func (t Tensor) SELU() Tensor { return t.unary("selu") }

// SiLU returns t/(1 + e^-t).
func (t Tensor) SiLU() Tensor { return t.unary("silu") }

// Softplus returns log(1 + e^t).
func (t Tensor) Softplus() Tensor { return t.unary("softplus") }

// Mish returns t tanh(softplus(t)).
func (t Tensor) Mish() Tensor { return t.unary("mish") }

// GELUTanh returns the Gaussian error linear unit in its tanh form.
func (t Tensor) GELUTanh() Tensor { return t.unary("gelu_tanh") }

// Hardsigmoid returns min(max(t/6 + 1/2, 0), 1).
func (t Tensor) Hardsigmoid() Tensor { return t.unary("hardsigmoid") }

// Hardswish returns t times its Hardsigmoid.
func (t Tensor) Hardswish() Tensor { return t.unary("hardswish") }

// IsNaN reports, for each element, whether it is NaN.
func (t Tensor) IsNaN() Tensor { return t.unary("is_nan") }

// IsInf reports, for each element, whether it is an infinity.
func (t Tensor) IsInf() Tensor { return t.unary("is_inf") }

// IsFinite reports, for each element, whether it is neither an infinity nor NaN.
func (t Tensor) IsFinite() Tensor { return t.unary("is_finite") }

// Xor returns the exclusive or: logical of bools, bitwise of integers.
func (t Tensor) Xor(o Tensor) Tensor { return t.binary("xor", o, nil) }

// ShiftLeft returns t 2^o of integers.
func (t Tensor) ShiftLeft(o Tensor) Tensor { return t.binary("shift_left", o, nil) }

// ShiftRight returns t/2^o of integers, rounded down.
func (t Tensor) ShiftRight(o Tensor) Tensor { return t.binary("shift_right", o, nil) }

// Remainder returns t - o trunc(t/o), with the sign of t.
func (t Tensor) Remainder(o Tensor) Tensor { return t.binary("remainder", o, nil) }

// Modulo returns t - o floor(t/o), with the sign of o.
func (t Tensor) Modulo(o Tensor) Tensor { return t.binary("modulo", o, nil) }

// Atan2 returns the angle of the point (o, t) in radians.
func (t Tensor) Atan2(o Tensor) Tensor { return t.binary("atan2", o, nil) }

// Clamp returns min(max(t, low), high).
func (t Tensor) Clamp(low, high Tensor) Tensor { return t.f.add("clamp", nil, low, t, high) }

// ClampScalar is Clamp between two numbers that the element type of t can represent;
// a float type rounds them.
func (t Tensor) ClampScalar(low, high float64) Tensor {
	return t.Clamp(t.f.Splat(t.DType(), low), t.f.Splat(t.DType(), high))
}
