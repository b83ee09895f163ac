package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func unary(name string, t Traits, class Class, doc string) *Op {
	return &Op{Name: name, Family: Elementwise, Traits: t, Doc: doc, Operands: []Operand{{Name: "x", Class: class}}, Rule: same}
}

func binary(name string, t Traits, class Class, doc string) *Op {
	return &Op{
		Name: name, Family: Elementwise, Traits: t, Doc: doc + " Both operands have the result's type; the capture DSL inserts broadcasts.",
		Operands: []Operand{{Name: "a", Class: class}, {Name: "b", Class: class}}, Rule: same,
	}
}

// Directions of compare.
const (
	EQ = "EQ"
	NE = "NE"
	LT = "LT"
	LE = "LE"
	GT = "GT"
	GE = "GE"
)

var elementwiseOps = append([]*Op{
	unary("negate", exact.law(Involution).unary(func(x float64) float64 { return -x }).says("stablehlo.negate"), Numeric, "-x."),
	unary("abs", exact.law(Idempotent).unary(math.Abs).bounds(absBounds), Numeric, "|x|."),
	unary("exp", approximate.wide().unary(math.Exp).says("stablehlo.exponential"), Float, "e^x."),
	unary("log", approximate.wide().unary(math.Log).says("stablehlo.log"), Float, "Natural logarithm; NaN below zero."),
	unary("sqrt", correct.unary(math.Sqrt).says("stablehlo.sqrt"), Float, "Square root; NaN below zero."),
	unary("rsqrt", approximate.wide().unary(func(x float64) float64 { return 1 / math.Sqrt(x) }).says("stablehlo.rsqrt"), Float, "1/sqrt(x)."),
	unary("tanh", approximate.follow().unary(math.Tanh).says("stablehlo.tanh"), Float, "Hyperbolic tangent."),
	unary("logistic", approximate.follow().unary(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }).says("stablehlo.logistic"), Float, "1/(1 + e^-x)."),
	unary("erf", approximate.follow().unary(math.Erf).says("chlo.erf"), Float, "Error function (DLMF 7.2.1)."),
	unary("sine", periodic.unary(math.Sin).says("stablehlo.sine"), Float, "sin x, x in radians."),
	unary("cosine", periodic.unary(math.Cos).says("stablehlo.cosine"), Float, "cos x, x in radians."),
	unary("floor", exact.law(Idempotent|Integral).unary(math.Floor).says("stablehlo.floor"), Float, "Greatest integer less than or equal to x."),
	unary("not", exact.law(Involution).says("stablehlo.not"), Bool|Int, "Logical not of bools, bitwise not of integers."),
	unary("gelu", cancelling.follow().unary(gelu), Float, "x/2 (1 + erf(x/sqrt 2)), the exact GELU (Hendrycks and Gimpel 2016)."),
	binary("add", correct.terms(Addends).law(Commutative).binary(func(a, b float64) float64 { return a + b }).bounds(addBounds).says("stablehlo.add"), Numeric, "a + b."),
	binary("subtract", correct.terms(Addends).binary(func(a, b float64) float64 { return a - b }).bounds(subtractBounds).says("stablehlo.subtract"), Numeric, "a - b."),
	binary("multiply", correct.terms(Products).law(Commutative).binary(func(a, b float64) float64 { return a * b }).bounds(multiplyBounds).says("stablehlo.multiply"), Numeric, "a b."),
	binary("divide", correct.terms(Quotients).binary(func(a, b float64) float64 { return a / b }), Numeric, "a / b; integers truncate toward zero."),
	binary("maximum", exact.law(Commutative|Selects).binary(func(a, b float64) float64 { return max(a, b) }).bounds(maximumBounds).limits(from).says("stablehlo.maximum"), Numeric, "The larger of a and b; NaN if either is NaN."),
	binary("minimum", exact.law(Commutative|Selects).binary(func(a, b float64) float64 { return min(a, b) }).bounds(minimumBounds).limits(upTo).says("stablehlo.minimum"), Numeric, "The smaller of a and b; NaN if either is NaN."),
	binary("power", approximate.wide().binary(math.Pow).says("stablehlo.power"), Float, "a^b."),
	binary("and", exact.law(Commutative|Selects).says("stablehlo.and"), Bool|Int, "Logical and of bools, bitwise and of integers."),
	binary("or", exact.law(Commutative|Selects).says("stablehlo.or"), Bool|Int, "Logical or of bools, bitwise or of integers."),
	binary("xor", exact.law(Commutative).says("stablehlo.xor"), Bool|Int, "Logical exclusive or of bools, bitwise exclusive or of integers."),
	binary("shift_left", exact, Int, "a 2^b within the type's bits; 0 if b is negative or at least the number of bits."),
	binary("shift_right", exact, Int, "a/2^b rounded down: an arithmetic shift for signed types. If b is negative or at least the number of bits, the result is 0, or -1 for negative a."),
	binary("remainder", near.binary(math.Mod), Numeric, "a - b trunc(a/b), with the sign of a, like C's fmod; for integers and b = 0 the result is a."),
	binary("modulo", approximate.follow(), Numeric, "a - b floor(a/b), with the sign of b, like Python's %; for integers and b = 0 the result is a."),
	binary("atan2", approximate.follow().binary(math.Atan2), Float, "The angle of the point (b, a) in radians, from -pi to pi."),
	{
		Name: "clamp", Family: Elementwise, Traits: exact.bounds(clampBounds), Doc: "min(max(x, low), high); NaN if any of the three is NaN. If low > high the result is high. low and high are scalars or have the shape of x.",
		Operands: []Operand{{Name: "low", Class: Numeric}, {Name: "x", Class: Numeric}, {Name: "high", Class: Numeric}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x := c.In[1]
			for _, bound := range []tensor.Type{c.In[0], c.In[2]} {
				if bound.DType != x.DType || bound.Shape.Rank() != 0 && !bound.Shape.Same(x.Shape) {
					return nil, c.Failf(CodeShape, "low and high must be scalars or have the shape of x, with its element type")
				}
			}
			return []tensor.Type{x}, nil
		},
	},
	{
		Name: "compare", Family: Elementwise, Traits: exact, Doc: "Elementwise comparison; comparisons with NaN are false, except NE.",
		Operands:   []Operand{{Name: "a", Class: Any}, {Name: "b", Class: Any}},
		Attributes: []Attribute{{Name: "direction", Kind: KindString, Doc: "EQ, NE, LT, LE, GT or GE"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			switch c.Attrs.String("direction") {
			case EQ, NE, LT, LE, GT, GE:
			default:
				return nil, c.Failf(CodeAttribute, "unknown direction %q", c.Attrs.String("direction"))
			}
			out, err := same(c)
			if err != nil {
				return nil, err
			}
			out[0].DType = dtype.Bool
			return out, nil
		},
	},
	{
		Name: "select", Family: Elementwise, Traits: moves.padding(Apart), Doc: "a where the condition is true and b elsewhere. The condition has the shape of a and b, or is a scalar.",
		Operands: []Operand{{Name: "condition", Class: Bool}, {Name: "a", Class: Any}, {Name: "b", Class: Any}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if c.In[1].DType != c.In[2].DType || !c.In[1].Shape.Same(c.In[2].Shape) {
				return nil, c.unequal(2, "a and b must have the same type")
			}
			if c.In[0].Shape.Rank() != 0 && !c.In[0].Shape.Same(c.In[1].Shape) {
				return nil, c.unequal(1, "the condition must be a scalar or have the shape of a")
			}
			return []tensor.Type{c.In[1]}, nil
		},
	},
	{
		Name: "convert", Family: Elementwise, Traits: correct.role(Converts),
		Doc:        "Converts the element type: float to float rounds to nearest even, float to integer truncates, saturates out of range and is 0 for NaN, integer to integer keeps the low bits, bool to number is 0 or 1, number to bool reports whether it is not zero.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "dtype", Kind: KindDType, Doc: "element type of the result"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			d := c.Attrs.DType("dtype")
			if !Any.Has(d) {
				return nil, c.uncomputed(d)
			}
			return []tensor.Type{{DType: d, Shape: c.In[0].Shape}}, nil
		},
	},
	{
		Name: "bitcast", Family: Elementwise, Traits: exact.role(Converts).precision(Own).memory(View),
		Doc:        "The same bits as an element type of the same width.",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{{Name: "dtype", Kind: KindDType, Doc: "element type of the result"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			d := c.Attrs.DType("dtype")
			if !Numeric.Has(d) || d.Bits() != c.In[0].DType.Bits() {
				return nil, c.Failf(CodeDType, "%s is not a numeric type of the same width", d)
			}
			return []tensor.Type{{DType: d, Shape: c.In[0].Shape}}, nil
		},
	},
}, functionOps...)
