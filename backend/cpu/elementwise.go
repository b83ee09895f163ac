package cpu

import (
	"maps"
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var elementwiseKernels = merged(functionKernels, map[string]kernel{
	"negate": one(unaryKernel), "abs": one(unaryKernel), "exp": one(unaryKernel), "log": one(unaryKernel),
	"sqrt": one(unaryKernel), "rsqrt": one(unaryKernel), "tanh": one(unaryKernel), "logistic": one(unaryKernel),
	"erf": one(unaryKernel), "sine": one(unaryKernel), "cosine": one(unaryKernel), "floor": one(unaryKernel),
	"gelu": one(unaryKernel), "not": one(notKernel),
	"add": one(binaryKernel), "subtract": one(binaryKernel), "multiply": one(binaryKernel), "divide": one(binaryKernel),
	"maximum": one(binaryKernel), "minimum": one(binaryKernel), "power": one(binaryKernel),
	"and": one(binaryKernel), "or": one(binaryKernel), "xor": one(binaryKernel),
	"shift_left": one(binaryKernel), "shift_right": one(binaryKernel),
	"remainder": one(binaryKernel), "modulo": one(binaryKernel), "atan2": one(binaryKernel),
	"clamp": one(clampKernel),
	"compare": one(func(n *dag.Node, in []array, out tensor.Type) array {
		return array{out, in[0].data.compare(n.Attrs.String("direction"), in[1].data)}
	}),
	"select": one(selectKernel), "convert": one(convertKernel),
	"bitcast": one(func(n *dag.Node, in []array, out tensor.Type) array {
		b := in[0].data.encode(make([]byte, 0, out.DType.Bytes(int64(in[0].data.len()))), in[0].typ.DType)
		return fromValue(tensor.Value{Type: out, Bytes: b})
	}),
})

func merged(families ...map[string]kernel) map[string]kernel {
	all := map[string]kernel{}
	for _, m := range families {
		maps.Copy(all, m)
	}
	return all
}

func unaryKernel(n *dag.Node, in []array, out tensor.Type) array {
	return settle(array{out, in[0].data.unary(n.Op.Name)})
}

func notKernel(n *dag.Node, in []array, out tensor.Type) array {
	if out.DType == dtype.Bool {
		return array{out, in[0].data.unary("logical not")}
	}
	return array{out, in[0].data.unary("not")}
}

func binaryKernel(n *dag.Node, in []array, out tensor.Type) array {
	return settle(array{out, in[0].data.binary(n.Op.Name, in[1].data)})
}

func selectKernel(n *dag.Node, in []array, out tensor.Type) array {
	cond := in[0].data.(vec[boolean])
	if in[0].typ.Shape.Rank() > 0 {
		return array{out, in[1].data.choose(cond, in[2].data)}
	}
	if cond[0] != 0 {
		return in[1]
	}
	return in[2]
}

func convertKernel(n *dag.Node, in []array, out tensor.Type) array {
	from, to := in[0].typ.DType, out.DType
	if from == to || to == dtype.F32 && (from == dtype.F16 || from == dtype.BF16) {
		return array{out, in[0].data} // the storage is the same, see number
	}
	return settle(array{out, in[0].data.convert(from, to)})
}

func (x vec[T]) unary(name string) storage {
	f := unaryFunc[T](name)
	y := fresh[T](len(x))
	chunks(len(x), func(lo, hi int) {
		if unaryLoop(name, y[lo:hi], x[lo:hi]) {
			return
		}
		for i, v := range x[lo:hi] {
			y[lo+i] = f(v)
		}
	})
	return y
}

// wide computes in float64 and rounds once.
func wide[T number](f func(float64) float64) func(T) T {
	return func(x T) T { return T(f(float64(x))) }
}

func unaryFunc[T number](name string) func(T) T {
	switch name {
	case "negate":
		return func(x T) T { return -x }
	case "abs":
		return func(x T) T {
			if x <= 0 {
				return 0 - x // also makes -0 a 0
			}
			return x
		}
	case "sign":
		return sign[T]
	case "square":
		return func(x T) T { return x * x }
	case "relu":
		return func(x T) T { return max(x, 0) }
	case "relu6":
		return func(x T) T { return min(max(x, 0), 6) }
	case "not":
		return func(x T) T { return T(^int64(x)) }
	case "logical not":
		return func(x T) T { return 1 - x }
	case "exp":
		return wide[T](math.Exp)
	case "log":
		return wide[T](math.Log)
	case "sqrt":
		return wide[T](math.Sqrt)
	case "rsqrt":
		return wide[T](func(x float64) float64 { return 1 / math.Sqrt(x) })
	case "tanh":
		return wide[T](math.Tanh)
	case "logistic":
		return wide[T](func(x float64) float64 { return 1 / (1 + math.Exp(-x)) })
	case "erf":
		return wide[T](math.Erf)
	case "sine":
		return wide[T](math.Sin)
	case "cosine":
		return wide[T](math.Cos)
	case "floor":
		return wide[T](math.Floor)
	case "gelu":
		// 1 + erf(y) = erfc(-y), which does not cancel for negative x.
		return wide[T](func(x float64) float64 { return x / 2 * math.Erfc(-x/math.Sqrt2) })
	case "gelu_tanh":
		// (1 + tanh y)/2 = 1/(1 + e^-2y), which does not cancel for negative x.
		return wide[T](func(x float64) float64 {
			return x / (1 + math.Exp(-2*math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		})
	case "silu":
		return wide[T](func(x float64) float64 { return x / (1 + math.Exp(-x)) })
	}
	panic("no unary function is named " + name)
}

func (x vec[T]) binary(name string, b storage) storage {
	f := binaryFunc[T](name)
	y, z := b.(vec[T]), fresh[T](len(x))
	chunks(len(x), func(lo, hi int) {
		b := y[lo:hi]
		if binaryLoop(name, z[lo:hi], x[lo:hi], b) {
			return
		}
		for i, v := range x[lo:hi] {
			z[lo+i] = f(v, b[i])
		}
	})
	return z
}

func binaryFunc[T number](name string) func(a, b T) T {
	switch name {
	case "add":
		return func(a, b T) T { return a + b }
	case "subtract":
		return func(a, b T) T { return a - b }
	case "multiply":
		return func(a, b T) T { return a * b }
	case "divide":
		if isFloat[T]() {
			return func(a, b T) T { return a / b }
		}
		return func(a, b T) T {
			if b == 0 {
				return T(0) - 1 // all bits set, as XLA gives
			}
			return a / b
		}
	case "maximum":
		return func(a, b T) T { return max(a, b) } // NaN if either is
	case "minimum":
		return func(a, b T) T { return min(a, b) }
	case "power":
		return func(a, b T) T { return T(math.Pow(float64(a), float64(b))) }
	case "and":
		return func(a, b T) T { return T(int64(a) & int64(b)) }
	case "or":
		return func(a, b T) T { return T(int64(a) | int64(b)) }
	case "xor":
		return func(a, b T) T { return T(int64(a) ^ int64(b)) }
	case "shift_left":
		return shiftLeft[T]
	case "shift_right":
		return shiftRight[T]
	case "remainder":
		return remainder[T]
	case "modulo":
		return modulo[T]
	case "atan2":
		return func(a, b T) T { return T(math.Atan2(float64(a), float64(b))) }
	}
	panic("no binary function is named " + name)
}

func isFloat[T number]() bool { return T(1)/2 != 0 }

func (x vec[T]) compare(direction string, b storage) storage {
	var f func(a, b T) bool
	switch direction {
	case op.EQ:
		f = func(a, b T) bool { return a == b }
	case op.NE:
		f = func(a, b T) bool { return a != b }
	case op.LT:
		f = func(a, b T) bool { return a < b }
	case op.LE:
		f = func(a, b T) bool { return a <= b }
	case op.GT:
		f = func(a, b T) bool { return a > b }
	case op.GE:
		f = func(a, b T) bool { return a >= b }
	}
	y, z := b.(vec[T]), fresh[boolean](len(x))
	chunks(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			z[i] = truth(f(x[i], y[i]))
		}
	})
	return z
}

func (x vec[T]) choose(cond vec[boolean], b storage) storage {
	y, z := b.(vec[T]), fresh[T](len(x))
	chunks(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if cond[i] != 0 {
				z[i] = x[i]
			} else {
				z[i] = y[i]
			}
		}
	})
	return z
}
