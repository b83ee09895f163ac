package cpu

import (
	"math"
	"unsafe"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

// clampKernel returns min(max(x, low), high); a bound of rank 0 is for all.
func clampKernel(n *dag.Node, in []array, out tensor.Type) array {
	spread := func(x array) storage {
		if x.data.len() == in[1].data.len() {
			return x.data
		}
		y := zeros(out)
		y.data.fillFrom(x.data)
		return y.data
	}
	y := in[1].data.binary(id.Maximum, spread(in[0]))
	return array{out, y.binary(id.Minimum, spread(in[2]))}
}

// remainder has the sign of a; modulo has the sign of b.
func remainder[T number](a, b T) T {
	if isFloat[T]() {
		return T(math.Mod(float64(a), float64(b)))
	}
	if b == 0 {
		return a
	}
	return a - a/b*b
}

func modulo[T number](a, b T) T {
	if isFloat[T]() {
		x, y := float64(a), float64(b)
		r := math.Mod(x, y)
		switch {
		case r == 0:
			return T(math.Copysign(0, y))
		case (r < 0) != (y < 0) && y == y:
			r += y
		}
		return T(r)
	}
	r := remainder(a, b)
	if b != 0 && r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

func bitsOf[T number]() int { return 8 * int(unsafe.Sizeof(T(0))) }

func isUnsigned[T number]() bool { return T(0)-1 > 0 }

func shiftLeft[T number](a, b T) T {
	if b < 0 || float64(b) >= float64(bitsOf[T]()) {
		return 0
	}
	return T(int64(a) << uint(b))
}

func shiftRight[T number](a, b T) T {
	if b < 0 || float64(b) >= float64(bitsOf[T]()) {
		b = T(bitsOf[T]() - 1)
		if isUnsigned[T]() {
			return 0
		}
	}
	if isUnsigned[T]() {
		return T(uint64(a) >> uint(b))
	}
	return T(int64(a) >> uint(b))
}
