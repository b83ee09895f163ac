package cpu

import (
	"github.com/skainet-dev/skainet-go/backend/cpu/simd"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
)

// functionRows are the functions of package simd.
var functionRows = map[id.ID]func(y, x []float32){
	id.Exp: simd.Exp, id.Logistic: simd.Logistic, id.Tanh: simd.Tanh, id.Erf: simd.Erf,
	id.Gelu: simd.GELU, id.GeluTanh: simd.GELUTanh, id.Silu: simd.SiLU,
}

// unaryLoop computes y = f(x) if there is a loop for f, which is several
// times faster than function calls.
func unaryLoop[T number](i op.ID, y, x []T) bool {
	if x, ok := any(x).([]float32); ok && !plainProducts {
		if row := functionRows[i]; row != nil {
			row(any(y).([]float32), x)
			return true
		}
	}
	y = y[:len(x)]
	switch i {
	case id.Negate:
		for j, v := range x {
			y[j] = -v
		}
	case id.Square:
		for j, v := range x {
			y[j] = v * v
		}
	default:
		return false
	}
	return true
}

// binaryLoop is like unaryLoop for z = f(x, y).
func binaryLoop[T number](i op.ID, z, x, y []T) bool {
	y, z = y[:len(x)], z[:len(x)]
	switch i {
	case id.Add:
		for j, v := range x {
			z[j] = v + y[j]
		}
	case id.Subtract:
		for j, v := range x {
			z[j] = v - y[j]
		}
	case id.Multiply:
		for j, v := range x {
			z[j] = v * y[j]
		}
	case id.Divide:
		if !isFloat[T]() {
			return false // zero is special
		}
		for j, v := range x {
			z[j] = v / y[j]
		}
	case id.Maximum:
		for j, v := range x {
			z[j] = max(v, y[j])
		}
	case id.Minimum:
		for j, v := range x {
			z[j] = min(v, y[j])
		}
	default:
		return false
	}
	return true
}
