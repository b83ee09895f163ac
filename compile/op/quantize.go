package op

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var axisAttribute = Attribute{Name: "axis", Kind: KindInt, Default: int64(0), Doc: "dimension of scale and zero_point, if they are not scalars"}

var quantizeOps = []*Op{
	{
		Name: "quantize_linear", Family: Quantising, Traits: near.wide(),
		Doc: "x/scale rounded to nearest even, plus zero_point, saturated to the zero point's type (i8, u8, i16 or u16), which is the result's type. scale and zero_point are scalars, or [K] for dimension axis of size K. NaN is treated as 0.",
		Operands: []Operand{
			{Name: "x", Class: Float}, {Name: "scale", Class: Float}, {Name: "zero_point", Class: Int},
		},
		Attributes: []Attribute{axisAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if err := c.oneDType(2); err != nil {
				return nil, err
			}
			if err := c.scaled(dtype.I8, dtype.U8, dtype.I16, dtype.U16); err != nil {
				return nil, err
			}
			return []tensor.Type{{DType: c.In[2].DType, Shape: c.In[0].Shape}}, nil
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			d := in[2].d()
			q := in[0].wide().over(c.overAxis(in[1].wide()))
			q = q.compare(EQ, q).choose(q, b.splat(q.d(), 0)).un("round")
			q = q.plus(c.overAxis(in[2].to(q.d())))
			low, high := leastOf(d), math.Ldexp(1, d.Bits())-1
			if !d.IsUnsigned() {
				high = -low - 1
			}
			return []expr{q.with("maximum", low).with("minimum", high).to(d)}
		},
	},
	{
		Name: "dequantize_linear", Family: Quantising, Traits: near.wide(),
		Doc: "(x - zero_point) scale in the scale's type, for x of i8, u8, i16, u16 or i32 and zero_point of the same type. scale and zero_point are scalars, or [K] for dimension axis of size K. The difference is in i32.",
		Operands: []Operand{
			{Name: "x", Class: Int}, {Name: "scale", Class: Float}, {Name: "zero_point", Class: Int},
		},
		Attributes: []Attribute{axisAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if c.In[0].DType != c.In[2].DType {
				return nil, c.Failf(CodeDType, "x and zero_point must have the same element type")
			}
			if err := c.scaled(dtype.I8, dtype.U8, dtype.I16, dtype.U16, dtype.I32); err != nil {
				return nil, err
			}
			return []tensor.Type{{DType: c.In[1].DType, Shape: c.In[0].Shape}}, nil
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			whole := in[0].to(dtype.I32).minus(c.overAxis(in[2].to(dtype.I32)))
			scale := in[1].wide()
			return []expr{whole.to(scale.d()).times(c.overAxis(scale)).to(in[1].d())}
		},
	},
}

// scaled checks that scale and zero_point fit x, and the integer's type.
func (c *Call) scaled(types ...dtype.DType) error {
	if err := c.known(); err != nil {
		return err
	}
	if !slices.Contains(types, c.In[2].DType) {
		return c.Failf(CodeDType, "zero_point must have one of the types %v", types)
	}
	if !c.In[1].Shape.Same(c.In[2].Shape) {
		return c.Failf(CodeShape, "scale and zero_point must have the same shape")
	}
	if c.In[1].Shape.Rank() == 0 {
		return nil
	}
	axis, err := c.axis("axis", c.In[0].Shape.Rank())
	if err != nil {
		return err
	}
	return c.wants(1, c.In[0].Shape[axis])
}

// overAxis returns v, a scalar or a vector for dimension axis of the first operand,
// reshaped to broadcast to that operand.
func (c *Call) overAxis(v expr) expr {
	if v.rank() == 0 {
		return v
	}
	sizes := ones(c.In[0].Shape.Rank())
	sizes[c.Attrs.Int("axis")] = v.dim(0)
	return v.reshape(sizes...)
}
