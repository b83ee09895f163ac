package cpu

import "github.com/skainet-dev/skainet-go/backend/cpu/simd"

// fast gives x as float32, if the kernels of package simd are to serve it. Half
// and brain floats are held so, too: see number.
func fast[T number](x vec[T]) (vec[float32], bool) {
	f, ok := any(x).(vec[float32])
	return f, ok && !plainProducts
}

// eachRow runs f over rows of n elements, some at a time.
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

// functionRows are the functions of package simd.
var functionRows = map[string]func(y, x []float32){
	"exp": simd.Exp, "logistic": simd.Logistic, "tanh": simd.Tanh, "erf": simd.Erf,
	"gelu": simd.GELU, "gelu_tanh": simd.GELUTanh, "silu": simd.SiLU,
}

// unaryLoop computes y = f(x) if there is a loop for f, which is quicker than
// calls of a function by some factor.
func unaryLoop[T number](name string, y, x []T) bool {
	if x, ok := any(x).([]float32); ok && !plainProducts {
		if row := functionRows[name]; row != nil {
			row(any(y).([]float32), x)
			return true
		}
	}
	y = y[:len(x)]
	switch name {
	case "negate":
		for i, v := range x {
			y[i] = -v
		}
	case "square":
		for i, v := range x {
			y[i] = v * v
		}
	default:
		return false
	}
	return true
}

// binaryLoop is unaryLoop for z = f(x, y).
func binaryLoop[T number](name string, z, x, y []T) bool {
	y, z = y[:len(x)], z[:len(x)]
	switch name {
	case "add":
		for i, v := range x {
			z[i] = v + y[i]
		}
	case "subtract":
		for i, v := range x {
			z[i] = v - y[i]
		}
	case "multiply":
		for i, v := range x {
			z[i] = v * y[i]
		}
	case "divide":
		if !isFloat[T]() {
			return false // zero is special
		}
		for i, v := range x {
			z[i] = v / y[i]
		}
	case "maximum":
		for i, v := range x {
			z[i] = max(v, y[i])
		}
	case "minimum":
		for i, v := range x {
			z[i] = min(v, y[i])
		}
	default:
		return false
	}
	return true
}

// extremeOf reduces x to its least or greatest element with first, or NaN if
// there is one; not for other reductions.
func extremeOf[T number](name string, x []T, first T) (T, bool) {
	switch name {
	case "reduce_max":
		for _, v := range x {
			first = max(first, v)
		}
	case "reduce_min":
		for _, v := range x {
			first = min(first, v)
		}
	default:
		return first, false
	}
	return first, true
}
