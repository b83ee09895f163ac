package cpu

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// elementwiseKernels are the kernels that are more than a scalar function of floats.
var elementwiseKernels = map[id.ID]kernel{
	id.Not: one(unaryKernel),
	id.And: one(binaryKernel), id.Or: one(binaryKernel), id.Xor: one(binaryKernel),
	id.ShiftLeft: one(binaryKernel), id.ShiftRight: one(binaryKernel), id.Modulo: one(binaryKernel),
	id.Sign:  one(unaryKernel),
	id.Clamp: one(clampKernel),
	id.Compare: one(func(n *dag.Node, in []array, out tensor.Type) array {
		return array{out, in[0].data.compare(n.Attrs.String("direction"), in[1].data)}
	}),
	id.Select: one(selectKernel), id.Convert: one(convertKernel),
	id.Bitcast: one(func(n *dag.Node, in []array, out tensor.Type) array {
		b := in[0].data.encode(make([]byte, 0, out.DType.Bytes(int64(in[0].data.len()))), in[0].typ.DType)
		return fromValue(tensor.Value{Type: out, Bytes: b})
	}),
}

// scalarKernel returns a kernel that applies the scalar function of o, or nil if it has none.
func scalarKernel(o *op.Op) kernel {
	switch s := o.Scalar; {
	case s.Unary != nil:
		return one(unaryKernel)
	case s.Binary != nil:
		return one(binaryKernel)
	case s.Scaled != nil:
		attribute := o.Attributes[0].Name
		return one(func(n *dag.Node, in []array, out tensor.Type) array {
			by := n.Attrs.Float(attribute)
			return roundToDType(array{out, in[0].data.apply(func(x float64) float64 { return s.Scaled(x, by) })})
		})
	case s.Test != nil:
		return one(func(n *dag.Node, in []array, out tensor.Type) array {
			return array{out, in[0].data.test(s.Test)}
		})
	}
	return nil
}

func unaryKernel(n *dag.Node, in []array, out tensor.Type) array {
	return roundToDType(array{out, in[0].data.unary(n.Op.ID)})
}

func binaryKernel(n *dag.Node, in []array, out tensor.Type) array {
	return roundToDType(array{out, in[0].data.binary(n.Op.ID, in[1].data)})
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
	return roundToDType(array{out, in[0].data.convert(from, to)})
}

func (x vec[T]) unary(i op.ID) storage {
	f := unaryFunc[T](i)
	y := fresh[T](len(x))
	chunks(len(x), func(lo, hi int) {
		if unaryLoop(i, y[lo:hi], x[lo:hi]) {
			return
		}
		for j, v := range x[lo:hi] {
			y[lo+j] = f(v)
		}
	})
	return y
}

func (x vec[T]) apply(f func(float64) float64) storage { return mapTo(x, wide[T](f)) }

func (x vec[T]) test(f func(float64) bool) storage {
	return mapTo(x, func(v T) boolean { return boolByte(f(float64(v))) })
}

// wide computes in float64 and rounds once.
func wide[T number](f func(float64) float64) func(T) T {
	return func(x T) T { return T(f(float64(x))) }
}

// unaryFunc returns the function of one element: in T if the operation also takes
// integers, else the scalar function of the table.
func unaryFunc[T number](i op.ID) func(T) T {
	switch i {
	case id.Negate:
		return func(x T) T { return -x }
	case id.Abs:
		return func(x T) T {
			if x <= 0 {
				return 0 - x // also makes -0 a 0
			}
			return x
		}
	case id.Sign:
		return sign[T]
	case id.Square:
		return func(x T) T { return x * x }
	case id.Relu:
		return func(x T) T { return max(x, 0) }
	case id.Relu6:
		return func(x T) T { return min(max(x, 0), 6) }
	case id.Not:
		if _, ok := any(T(0)).(boolean); ok {
			return func(x T) T { return 1 - x }
		}
		return func(x T) T { return T(^int64(x)) }
	}
	return wide[T](op.Of(i).Scalar.Unary)
}

// sign keeps zeros and NaN unchanged.
func sign[T number](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return T(0) - 1
	}
	return x
}

func (x vec[T]) binary(i op.ID, b storage) storage {
	f := binaryFunc[T](i)
	y, z := b.(vec[T]), fresh[T](len(x))
	chunks(len(x), func(lo, hi int) {
		b := y[lo:hi]
		if binaryLoop(i, z[lo:hi], x[lo:hi], b) {
			return
		}
		for j, v := range x[lo:hi] {
			z[lo+j] = f(v, b[j])
		}
	})
	return z
}

// binaryFunc is like unaryFunc for two operands.
func binaryFunc[T number](i op.ID) func(a, b T) T {
	switch i {
	case id.Add:
		return func(a, b T) T { return a + b }
	case id.Subtract:
		return func(a, b T) T { return a - b }
	case id.Multiply:
		return func(a, b T) T { return a * b }
	case id.Divide:
		if isFloat[T]() {
			return func(a, b T) T { return a / b }
		}
		return func(a, b T) T {
			if b == 0 {
				return T(0) - 1 // all bits set, like XLA
			}
			return a / b
		}
	case id.Maximum:
		return func(a, b T) T { return max(a, b) } // NaN if either is
	case id.Minimum:
		return func(a, b T) T { return min(a, b) }
	case id.And:
		return func(a, b T) T { return T(int64(a) & int64(b)) }
	case id.Or:
		return func(a, b T) T { return T(int64(a) | int64(b)) }
	case id.Xor:
		return func(a, b T) T { return T(int64(a) ^ int64(b)) }
	case id.ShiftLeft:
		return shiftLeft[T]
	case id.ShiftRight:
		return shiftRight[T]
	case id.Remainder:
		return remainder[T]
	case id.Modulo:
		return modulo[T]
	}
	f := op.Of(i).Scalar.Binary
	return func(a, b T) T { return T(f(float64(a), float64(b))) }
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
			z[i] = boolByte(f(x[i], y[i]))
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
