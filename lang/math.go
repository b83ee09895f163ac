package lang

// Abs returns |t|.
func (t Tensor) Abs() Tensor { return t.unary("abs") }

// Rsqrt returns 1/sqrt(t).
func (t Tensor) Rsqrt() Tensor { return t.unary("rsqrt") }

// Logistic returns 1/(1 + e^-t).
func (t Tensor) Logistic() Tensor { return t.unary("logistic") }

// Erf returns the error function.
func (t Tensor) Erf() Tensor { return t.unary("erf") }

// Sine returns sin t, t in radians.
func (t Tensor) Sine() Tensor { return t.unary("sine") }

// Cosine returns cos t, t in radians.
func (t Tensor) Cosine() Tensor { return t.unary("cosine") }

// Floor returns the greatest integer less than or equal to t.
func (t Tensor) Floor() Tensor { return t.unary("floor") }

// Pow returns t^o; integers wrap around (modulo 2^bits).
func (t Tensor) Pow(o Tensor) Tensor {
	if t.DType().IsInt() {
		return t.binary("integer_power", o, nil)
	}
	return t.binary("power", o, nil)
}

// ReduceMin returns the smallest element over dims.
func (t Tensor) ReduceMin(keepdims bool, dims ...int) Tensor {
	return t.reduce("reduce_min", keepdims, dims)
}
