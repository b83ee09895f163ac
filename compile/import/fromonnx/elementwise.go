package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// unary is for operators of one operand and no attribute.
func unary(name string) rule {
	return func(n *node) []*dag.Value { return one(n.add(name, nil, n.in(0))) }
}

// folded is for operators that take any number of operands.
func folded(name string) rule {
	return func(n *node) []*dag.Value {
		v := n.in(0)
		for _, x := range n.all()[1:] {
			v = n.binary(name, v, x)
		}
		return one(v)
	}
}

var elementwiseRules = map[string]rule{
	"Abs": unary("abs"), "Acos": unary("acos"), "Acosh": unary("acosh"), "Asin": unary("asin"), "Asinh": unary("asinh"),
	"Atan": unary("atan"), "Atanh": unary("atanh"), "Ceil": unary("ceil"), "Cos": unary("cosine"), "Cosh": unary("cosh"),
	"Erf": unary("erf"), "Exp": unary("exp"), "Floor": unary("floor"), "HardSwish": unary("hardswish"), "IsNaN": unary("is_nan"),
	"Log": unary("log"), "Mish": unary("mish"), "Neg": unary("negate"), "Not": unary("not"), "BitwiseNot": unary("not"),
	"Reciprocal": unary("reciprocal"), "Relu": unary("relu"), "Round": unary("round"), "Sigmoid": unary("logistic"),
	"Sign": unary("sign"), "Sin": unary("sine"), "Sinh": unary("sinh"), "Softplus": unary("softplus"), "Sqrt": unary("sqrt"),
	"Tan": unary("tan"), "Tanh": unary("tanh"),

	"Add": folded("add"), "Sub": folded("subtract"), "Mul": folded("multiply"), "Div": folded("divide"),
	"And": folded("and"), "Or": folded("or"), "Xor": folded("xor"), "BitwiseAnd": folded("and"), "BitwiseOr": folded("or"),
	"BitwiseXor": folded("xor"), "Max": folded("maximum"), "Min": folded("minimum"), "Sum": folded("add"),

	"Mean": func(n *node) []*dag.Value {
		return one(n.over(folded("add")(n)[0], float64(len(n.Inputs))))
	},
	"Pow": func(n *node) []*dag.Value {
		x, y := n.in(0), n.in(1)
		d := x.Type.DType
		if d.IsInt() && y.Type.DType.IsFloat() {
			return one(n.convert(n.binary("power", n.convert(x, dtype.F64), n.convert(y, dtype.F64)), d))
		}
		if d.IsInt() {
			return one(n.binary("integer_power", x, n.convert(y, d)))
		}
		// Squares and cubes are products, as ONNX Runtime computes them.
		if e, ok := n.certain(y); ok && y.Type.Shape.Product() == shape.N(1) && rank(y) <= rank(x) {
			switch elementOf(e) {
			case 2:
				return one(n.binary("multiply", x, x))
			case 3:
				return one(n.binary("multiply", n.binary("multiply", x, x), x))
			}
		}
		return one(n.binary("power", x, n.convert(y, d)))
	},
	"Mod": func(n *node) []*dag.Value {
		if n.int("fmod", 0) == 1 {
			return one(n.binary("remainder", n.in(0), n.in(1)))
		}
		if n.in(0).Type.DType.IsFloat() { // from version 28 on
			return one(n.floored(n.in(0), n.in(1)))
		}
		return one(n.binary("modulo", n.in(0), n.in(1)))
	},
	"BitShift": func(n *node) []*dag.Value {
		if n.str("direction", "") == "LEFT" {
			return one(n.binary("shift_left", n.in(0), n.in(1)))
		}
		return one(n.binary("shift_right", n.in(0), n.in(1)))
	},
	"PRelu": func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.choose(n.compare("LT", x, n.splat(x, 0)), n.binary("multiply", x, n.in(1)), x))
	},
	"Gelu": func(n *node) []*dag.Value {
		if n.str("approximate", "none") == "tanh" {
			return one(n.add("gelu_tanh", nil, n.in(0)))
		}
		return one(n.add("gelu", nil, n.in(0)))
	},
	"Elu": func(n *node) []*dag.Value {
		return one(n.add("elu", op.Attrs{"alpha": n.float("alpha", 1)}, n.in(0)))
	},
	"LeakyRelu": func(n *node) []*dag.Value {
		return one(n.add("leaky_relu", op.Attrs{"slope": n.float("alpha", 0.01)}, n.in(0)))
	},
	"Selu": func(n *node) []*dag.Value {
		x := n.in(0)
		negative := n.scale(n.add("expm1", nil, x), n.float("alpha", 1.67326319217681884765625))
		return one(n.scale(n.choose(n.compare("GT", x, n.splat(x, 0)), x, negative), n.float("gamma", 1.05070102214813232421875)))
	},
	"Celu": func(n *node) []*dag.Value {
		x, alpha := n.in(0), n.float("alpha", 1)
		negative := n.scale(n.add("expm1", nil, n.over(x, alpha)), alpha)
		return one(n.choose(n.compare("GT", x, n.splat(x, 0)), x, negative))
	},
	"ThresholdedRelu": func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.choose(n.compare("GT", x, n.splat(x, n.float("alpha", 1))), x, n.splat(x, 0)))
	},
	"HardSigmoid": func(n *node) []*dag.Value {
		x := n.in(0)
		y := n.plus(n.scale(x, n.float("alpha", 0.2)), n.float("beta", 0.5))
		return one(n.binary("maximum", n.binary("minimum", y, n.splat(x, 1)), n.splat(x, 0)))
	},
	"Softsign": func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.binary("divide", x, n.plus(n.add("abs", nil, x), 1)))
	},
	"Swish": func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.binary("multiply", x, n.add("logistic", nil, n.scale(x, n.float("alpha", 1)))))
	},
	"SwiGLU": func(n *node) []*dag.Value {
		x := n.in(0)
		swish := n.binary("multiply", x, n.add("logistic", nil, n.scale(x, n.float("alpha", 1))))
		return one(n.binary("multiply", swish, n.in(1)))
	},
	"Shrink": func(n *node) []*dag.Value {
		x, l, bias := n.in(0), n.float("lambd", 0.5), n.float("bias", 0)
		inner := n.choose(n.compare("GT", x, n.splat(x, l)), n.plus(x, -bias), n.splat(x, 0))
		return one(n.choose(n.compare("LT", x, n.splat(x, -l)), n.plus(x, bias), inner))
	},
	"Clip": func(n *node) []*dag.Value {
		x := n.in(0)
		for i, name := range []string{"min", "max"} {
			bound := (*dag.Value)(nil)
			if _, ok := n.Attributes[name]; ok {
				bound = n.splatOf(x.Type.DType, n.float(name, 0))
			} else if n.has(i + 1) {
				bound = n.in(i + 1)
			}
			if bound != nil {
				x = n.binary([]string{"maximum", "minimum"}[i], x, bound)
			}
		}
		return one(x)
	},
	"Cast": func(n *node) []*dag.Value {
		return one(n.encoded(n.decoded(n.in(0)), n.dtypeOf(n.int("to", 0)), n.int("saturate", 1) == 1))
	},
	"BitCast": func(n *node) []*dag.Value {
		x, d := n.in(0), n.dtypeOf(n.int("to", 0))
		if from := n.kind(x); from != x.Type.DType || from == dtype.Bool || d == dtype.Bool || d.Bits() < 8 {
			n.refuse("the bits of %s as %s", from, d)
		}
		return one(n.add("bitcast", op.Attrs{"dtype": d}, x))
	},
	"CastLike": func(n *node) []*dag.Value {
		return one(n.encoded(n.decoded(n.in(0)), n.kind(n.in(1)), n.int("saturate", 1) == 1))
	},
	"Dropout": func(n *node) []*dag.Value {
		if n.has(2) && n.number(2) != 0 && !(n.has(1) && n.number(1) == 0) {
			n.refuse("random numbers")
		}
		x := n.in(0)
		return []*dag.Value{x, n.convert(n.splatTo(dtype.I32, 1, dims(x)...), dtype.Bool)}
	},
}

// cast converts as ONNX does: a number is true where it is not zero.
func (n *node) cast(x *dag.Value, d dtype.DType) *dag.Value {
	if d == dtype.Bool && x.Type.DType != dtype.Bool {
		return n.compare("NE", x, n.splat(x, 0))
	}
	return n.convert(x, d)
}

var comparisonRules = map[string]rule{
	"Equal": comparison(op.EQ), "Less": comparison(op.LT), "LessOrEqual": comparison(op.LE),
	"Greater": comparison(op.GT), "GreaterOrEqual": comparison(op.GE),
	"Where": func(n *node) []*dag.Value { return one(n.choose(n.in(0), n.in(1), n.in(2))) },
	"IsInf": func(n *node) []*dag.Value {
		x := n.in(0)
		y := n.add("is_inf", nil, x)
		if n.int("detect_negative", 1) == 0 {
			y = n.add("and", nil, y, n.compare("EQ", x, n.splat(x, math.Inf(1))))
		}
		if n.int("detect_positive", 1) == 0 {
			y = n.add("and", nil, y, n.compare("EQ", x, n.splat(x, math.Inf(-1))))
		}
		return one(y)
	},
}

func comparison(direction string) rule {
	return func(n *node) []*dag.Value { return one(n.compare(direction, n.in(0), n.in(1))) }
}

// floored is the remainder of a rounded-down division of floats, with the sign of b, also where
// b is infinite or the remainder zero.
func (n *node) floored(a, b *dag.Value) *dag.Value {
	r := n.binary("remainder", a, b)
	zero := n.splat(r, 0)
	down := n.compare(op.LT, n.binary("multiply", n.add("sign", nil, r), n.add("sign", nil, b)), zero)
	signed := n.choose(n.compare(op.LT, b, n.splat(b, 0)), n.splatOf(r.Type.DType, math.Copysign(0, -1)), n.splatOf(r.Type.DType, 0))
	return n.choose(n.compare(op.EQ, r, zero), signed, n.choose(down, n.binary("add", r, b), r))
}
