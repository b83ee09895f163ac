package lang

// Sign gives -1, 0 or 1.
func (t Tensor) Sign() Tensor { return t.unary("sign") }

// Ceil gives the smallest whole number not below t.
func (t Tensor) Ceil() Tensor { return t.unary("ceil") }

// Round gives the nearest whole number, of two the even one.
func (t Tensor) Round() Tensor { return t.unary("round") }

// Trunc gives t without its fraction.
func (t Tensor) Trunc() Tensor { return t.unary("trunc") }

// Cbrt gives the cube root.
func (t Tensor) Cbrt() Tensor { return t.unary("cbrt") }

// Expm1 gives e^t - 1 without loss near 0.
func (t Tensor) Expm1() Tensor { return t.unary("expm1") }

// Log1p gives log(1 + t) without loss near 0.
func (t Tensor) Log1p() Tensor { return t.unary("log1p") }

// Log2 gives the logarithm to base 2.
func (t Tensor) Log2() Tensor { return t.unary("log2") }

// Log10 gives the logarithm to base 10.
func (t Tensor) Log10() Tensor { return t.unary("log10") }

// Tan gives tan t, t in radians.
func (t Tensor) Tan() Tensor { return t.unary("tan") }

// Asin gives the arc sine in radians.
func (t Tensor) Asin() Tensor { return t.unary("asin") }

// Acos gives the arc cosine in radians.
func (t Tensor) Acos() Tensor { return t.unary("acos") }

// Atan gives the arc tangent in radians.
func (t Tensor) Atan() Tensor { return t.unary("atan") }

// Sinh gives the hyperbolic sine.
func (t Tensor) Sinh() Tensor { return t.unary("sinh") }

// Cosh gives the hyperbolic cosine.
func (t Tensor) Cosh() Tensor { return t.unary("cosh") }

// Asinh gives the inverse hyperbolic sine.
func (t Tensor) Asinh() Tensor { return t.unary("asinh") }

// Acosh gives the inverse hyperbolic cosine.
func (t Tensor) Acosh() Tensor { return t.unary("acosh") }

// Atanh gives the inverse hyperbolic tangent.
func (t Tensor) Atanh() Tensor { return t.unary("atanh") }

// Erfc gives the complementary error function.
func (t Tensor) Erfc() Tensor { return t.unary("erfc") }

// Reciprocal gives 1/t.
func (t Tensor) Reciprocal() Tensor { return t.unary("reciprocal") }

// Square gives t times t.
func (t Tensor) Square() Tensor { return t.unary("square") }

// ReLU gives max(t, 0).
func (t Tensor) ReLU() Tensor { return t.unary("relu") }

// ReLU6 gives min(max(t, 0), 6).
func (t Tensor) ReLU6() Tensor { return t.unary("relu6") }

// LeakyReLU gives t, times slope where t is below 0.
func (t Tensor) LeakyReLU(slope float64) Tensor {
	return t.f.add("leaky_relu", attrs{"slope": slope}, t)
}

// ELU gives t where it is above 0 and alpha (e^t - 1) elsewhere.
func (t Tensor) ELU(alpha float64) Tensor { return t.f.add("elu", attrs{"alpha": alpha}, t) }

// SELU gives the scaled exponential linear unit.
func (t Tensor) SELU() Tensor { return t.unary("selu") }

// SiLU gives t/(1 + e^-t).
func (t Tensor) SiLU() Tensor { return t.unary("silu") }

// Softplus gives log(1 + e^t).
func (t Tensor) Softplus() Tensor { return t.unary("softplus") }

// Mish gives t tanh(softplus(t)).
func (t Tensor) Mish() Tensor { return t.unary("mish") }

// GELUTanh gives the Gaussian error linear unit in its tanh form.
func (t Tensor) GELUTanh() Tensor { return t.unary("gelu_tanh") }

// Hardsigmoid gives min(max(t/6 + 1/2, 0), 1).
func (t Tensor) Hardsigmoid() Tensor { return t.unary("hardsigmoid") }

// Hardswish gives t times its Hardsigmoid.
func (t Tensor) Hardswish() Tensor { return t.unary("hardswish") }

// IsNaN says where t is NaN.
func (t Tensor) IsNaN() Tensor { return t.unary("is_nan") }

// IsInf says where t is an infinity.
func (t Tensor) IsInf() Tensor { return t.unary("is_inf") }

// IsFinite says where t is neither an infinity nor NaN.
func (t Tensor) IsFinite() Tensor { return t.unary("is_finite") }

// Xor gives the exclusive or: logical of bools, bitwise of integers.
func (t Tensor) Xor(o Tensor) Tensor { return t.binary("xor", o, nil) }

// ShiftLeft gives t 2^o of integers.
func (t Tensor) ShiftLeft(o Tensor) Tensor { return t.binary("shift_left", o, nil) }

// ShiftRight gives t/2^o of integers, rounded down.
func (t Tensor) ShiftRight(o Tensor) Tensor { return t.binary("shift_right", o, nil) }

// Remainder gives t - o trunc(t/o), with the sign of t.
func (t Tensor) Remainder(o Tensor) Tensor { return t.binary("remainder", o, nil) }

// Modulo gives t - o floor(t/o), with the sign of o.
func (t Tensor) Modulo(o Tensor) Tensor { return t.binary("modulo", o, nil) }

// Atan2 gives the angle of the point (o, t) in radians.
func (t Tensor) Atan2(o Tensor) Tensor { return t.binary("atan2", o, nil) }

// Clamp gives min(max(t, low), high).
func (t Tensor) Clamp(low, high Tensor) Tensor { return t.f.add("clamp", nil, low, t, high) }

// ClampScalar is Clamp between two numbers, which an element of t can be; a float
// rounds them.
func (t Tensor) ClampScalar(low, high float64) Tensor {
	return t.Clamp(t.f.Splat(t.DType(), low), t.f.Splat(t.DType(), high))
}
