package cpu

import "github.com/skainet-dev/skainet-go/backend/cpu/simd"

// fast returns x as float32, if the kernels of package simd apply. f16 and bf16 are
// stored as float32 too: see number.
func fast[T number](x vec[T]) (vec[float32], bool) {
	f, ok := any(x).(vec[float32])
	return f, ok && !plainProducts
}

// eachRow runs f over rows of n elements, several at a time.
func eachRow(rows, n int, f func(row int)) {
	chunksOf(rows, grain/max(n, 1), func(lo, hi int) {
		for r := lo; r < hi; r++ {
			f(r)
		}
	})
}

func softmaxF32(x vec[float32], n int) storage {
	y := fresh[float32](len(x))
	eachRow(len(x)/n, n, func(r int) { simd.Softmax(y[r*n:(r+1)*n], x[r*n:(r+1)*n]) })
	return y
}

func layerNormF32(x, gamma, beta vec[float32], n int, epsilon float64) storage {
	y := fresh[float32](len(x))
	eachRow(len(x)/n, n, func(r int) { simd.Norm(y[r*n:(r+1)*n], x[r*n:(r+1)*n], gamma, beta, epsilon) })
	return y
}

// sumF32 sums rows in float64 and rounds once.
func sumF32(x vec[float32], rows, n int) storage {
	y := fresh[float32](rows)
	eachRow(rows, n, func(r int) { y[r] = float32(simd.Sum(x[r*n : (r+1)*n])) })
	return y
}
