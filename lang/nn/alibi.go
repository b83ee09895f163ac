package nn

import "math"

// Slopes returns by how much the scores of each head fall from one position to the one
// before (ALiBi, Press et al. 2021): powers of one number, and for heads beyond a power of 2
// those between them. maxBias is the power of 2 that the last of such heads divides by.
func Slopes(maxBias float64, heads int64) []float32 {
	power := math.Exp2(math.Floor(math.Log2(float64(heads))))
	list := make([]float32, heads)
	for i := range list {
		if n := float64(i); n < power {
			list[i] = float32(math.Exp2(-maxBias * (n + 1) / power))
		} else {
			list[i] = float32(math.Exp2(-maxBias / 2 * (2*(n-power) + 1) / power))
		}
	}
	return list
}
