package tensor

import "github.com/skainet-dev/skainet-go/tensor/dtype"

// Round returns v as an element of a float type holds it, and v itself for other types
// and f64.
func Round(d dtype.DType, v float64) float64 {
	switch d {
	case dtype.F32:
		return float64(float32(v))
	case dtype.F16:
		return float64(F16ToF32(F32ToF16(float32(v))))
	case dtype.BF16:
		return float64(BF16ToF32(F32ToBF16(float32(v))))
	}
	return v
}
