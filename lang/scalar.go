package lang

import "math"

// SubScalar returns t - v, where v is rounded to the element type of t.
func (t Tensor) SubScalar(v float64) Tensor { return t.Sub(t.f.Splat(t.DType(), v)) }

// DivScalar returns t / v, where v is rounded to the element type of t.
func (t Tensor) DivScalar(v float64) Tensor { return t.Div(t.f.Splat(t.DType(), v)) }

// RSubScalar returns v - t, where v is rounded to the element type of t.
func (t Tensor) RSubScalar(v float64) Tensor { return t.f.Splat(t.DType(), v).Sub(t) }

// RDivScalar returns v / t, where v is rounded to the element type of t.
func (t Tensor) RDivScalar(v float64) Tensor { return t.f.Splat(t.DType(), v).Div(t) }

// PowScalar returns t^v. An integer v of 0 to 64 is computed by products alone; another
// v is rounded to the element type. Integers take an integer v.
func (t Tensor) PowScalar(v float64) Tensor {
	if t.DType().IsInt() && v != math.Trunc(v) {
		panic(t.f.misuse("%s to the power of %v: the exponent of an integer must be an integer", t.Type(), v))
	}
	if v != float64(int(v)) || v < 0 || v > 64 {
		return t.Pow(t.f.Splat(t.DType(), v))
	}
	n := int(v)
	if n == 0 {
		return t.f.SplatOf(t.DType(), 1, t.Dims()...)
	}
	var y Tensor
	for square, first := t, true; ; square = square.Mul(square) {
		if n&1 == 1 {
			if first {
				y, first = square, false
			} else {
				y = y.Mul(square)
			}
		}
		if n >>= 1; n == 0 {
			return y
		}
	}
}
