package lang

// Abs gives |t|.
func (t Tensor) Abs() Tensor { return t.unary("abs") }

// Rsqrt gives 1/sqrt(t).
func (t Tensor) Rsqrt() Tensor { return t.unary("rsqrt") }

// Logistic gives 1/(1 + e^-t).
func (t Tensor) Logistic() Tensor { return t.unary("logistic") }

// Erf gives the error function.
func (t Tensor) Erf() Tensor { return t.unary("erf") }

// Sine gives sin t, t in radians.
func (t Tensor) Sine() Tensor { return t.unary("sine") }

// Cosine gives cos t, t in radians.
func (t Tensor) Cosine() Tensor { return t.unary("cosine") }

// Floor gives the largest whole number not above t.
func (t Tensor) Floor() Tensor { return t.unary("floor") }

// Pow gives t^o; of integers modulo 2 to the bits of their type.
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
