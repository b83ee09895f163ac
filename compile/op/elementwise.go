package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func unary(name string, class Class, doc string) *Op {
	return &Op{Name: name, Family: Elementwise, Doc: doc, Operands: []Operand{{Name: "x", Class: class}}, Rule: same}
}

func binary(name string, class Class, doc string) *Op {
	return &Op{
		Name: name, Family: Elementwise, Doc: doc + " Both operands have the result's type; the capture DSL inserts broadcasts.",
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
	unary("negate", Numeric, "-x."),
	unary("abs", Numeric, "|x|."),
	unary("exp", Float, "e^x."),
	unary("log", Float, "Natural logarithm; NaN below zero."),
	unary("sqrt", Float, "Square root; NaN below zero."),
	unary("rsqrt", Float, "1/sqrt(x)."),
	unary("tanh", Float, "Hyperbolic tangent."),
	unary("logistic", Float, "1/(1 + e^-x)."),
	unary("erf", Float, "Error function (DLMF 7.2.1)."),
	unary("sine", Float, "sin x, x in radians."),
	unary("cosine", Float, "cos x, x in radians."),
	unary("floor", Float, "Largest whole number not above x."),
	unary("not", Bool|Int, "Logical not of bools, bitwise not of integers."),
	unary("gelu", Float, "x/2 (1 + erf(x/sqrt 2)), the exact GELU (Hendrycks and Gimpel 2016)."),
	binary("add", Numeric, "a + b."),
	binary("subtract", Numeric, "a - b."),
	binary("multiply", Numeric, "a b."),
	binary("divide", Numeric, "a / b; integers truncate toward zero."),
	binary("maximum", Numeric, "The larger of a and b; NaN if either is NaN."),
	binary("minimum", Numeric, "The smaller of a and b; NaN if either is NaN."),
	binary("power", Float, "a^b."),
	binary("and", Bool|Int, "Logical and of bools, bitwise and of integers."),
	binary("or", Bool|Int, "Logical or of bools, bitwise or of integers."),
	binary("xor", Bool|Int, "Logical exclusive or of bools, bitwise one of integers."),
	binary("shift_left", Int, "a 2^b within the type's bits; 0 where b is negative or not less than their number."),
	binary("shift_right", Int, "a/2^b rounded down: the sign is repeated in signed types. Where b is negative or not less than the type's bits, what is left is the sign: 0 or -1."),
	binary("remainder", Numeric, "a - b trunc(a/b), with the sign of a, as C's fmod; integers by 0 give a."),
	binary("modulo", Numeric, "a - b floor(a/b), with the sign of b, as Python's %; integers by 0 give a."),
	binary("atan2", Float, "The angle of the point (b, a) in radians, from -pi to pi."),
	{
		Name: "clamp", Family: Elementwise, Doc: "min(max(x, low), high); NaN if any of the three is NaN. Where low > high the result is high. low and high are scalars or have the shape of x.",
		Operands: []Operand{{Name: "low", Class: Numeric}, {Name: "x", Class: Numeric}, {Name: "high", Class: Numeric}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x := c.In[1]
			for _, bound := range []tensor.Type{c.In[0], c.In[2]} {
				if bound.DType != x.DType || bound.Shape.Rank() != 0 && !bound.Shape.Same(x.Shape) {
					return nil, c.Failf(CodeShape, "low and high must be scalars or of the shape of x, and of its element type")
				}
			}
			return []tensor.Type{x}, nil
		},
	},
	{
		Name: "compare", Family: Elementwise, Doc: "Compares element by element into bools; comparisons with NaN are false, except NE.",
		Operands:   []Operand{{Name: "a", Class: Any}, {Name: "b", Class: Any}},
		Attributes: []Attribute{{Name: "direction", Kind: KindString, Doc: "EQ, NE, LT, LE, GT or GE"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			switch c.Attrs.String("direction") {
			case EQ, NE, LT, LE, GT, GE:
			default:
				return nil, c.Failf(CodeAttribute, "direction is %q", c.Attrs.String("direction"))
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
		Name: "select", Family: Elementwise, Doc: "Takes a where the condition holds and b elsewhere. The condition has the shape of a and b, or is a scalar.",
		Operands: []Operand{{Name: "condition", Class: Bool}, {Name: "a", Class: Any}, {Name: "b", Class: Any}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if c.In[1].DType != c.In[2].DType || !c.In[1].Shape.Same(c.In[2].Shape) {
				return nil, c.unequal(2, "a and b must have one type")
			}
			if c.In[0].Shape.Rank() != 0 && !c.In[0].Shape.Same(c.In[1].Shape) {
				return nil, c.unequal(1, "the condition must be a scalar or have the shape of a")
			}
			return []tensor.Type{c.In[1]}, nil
		},
	},
	{
		Name: "convert", Family: Elementwise,
		Doc:        "Converts the element type: float to float rounds to nearest even, float to integer truncates, bool to number gives 0 or 1, number to bool says whether it is not zero.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "dtype", Kind: KindDType, Doc: "element type of the result"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			d := c.Attrs.DType("dtype")
			if !Any.Has(d) {
				return nil, c.Failf(CodeDType, "no operation computes in the element type %s", d)
			}
			return []tensor.Type{{DType: d, Shape: c.In[0].Shape}}, nil
		},
	},
	{
		Name: "bitcast", Family: Elementwise,
		Doc:        "The same bits as an element type of the same width.",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{{Name: "dtype", Kind: KindDType, Doc: "element type of the result"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			d := c.Attrs.DType("dtype")
			if !Numeric.Has(d) || d.Bits() != c.In[0].DType.Bits() {
				return nil, c.Failf(CodeDType, "%s is no number of the same width", d)
			}
			return []tensor.Type{{DType: d, Shape: c.In[0].Shape}}, nil
		},
	},
}, functionOps...)
