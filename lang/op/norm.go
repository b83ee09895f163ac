package op

import (
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var normOps = []*Op{
	{
		Name: "softmax", Family: Normalising,
		Doc:        "exp(x - max) / sum exp(x - max) along dim. A row whose elements are all -inf gives NaN, as in the formula.",
		Operands:   []Operand{{Name: "x", Class: Float}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension that sums to one"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if _, err := c.axis("dim", c.In[0].Shape.Rank()); err != nil {
				return nil, err
			}
			return []tensor.Type{c.In[0]}, nil
		},
	},
	{
		Name: "layer_norm", Family: Normalising,
		Doc:        "(x - mean) / sqrt(variance + epsilon) * gamma + beta over the last dimension D, with the biased variance (Ba et al. 2016); gamma and beta are [D].",
		Operands:   []Operand{{Name: "x", Class: Float}, {Name: "gamma", Class: Float}, {Name: "beta", Class: Float}},
		Attributes: []Attribute{{Name: "epsilon", Kind: KindFloat, Default: 1e-5, Doc: "added to the variance"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x := c.In[0]
			r := x.Shape.Rank()
			if r == 0 || x.Shape[r-1].Size == 0 {
				return nil, c.Failf(CodeShape, "nothing to normalise over")
			}
			want := tensor.Type{DType: x.DType, Shape: x.Shape[r-1:]}
			if !c.In[1].Equal(want) || !c.In[2].Equal(want) {
				return nil, c.Failf(CodeShape, "gamma and beta must be %s", want)
			}
			if e := c.Attrs.Float("epsilon"); !(e >= 0) {
				return nil, c.Failf(CodeAttribute, "epsilon = %g", e)
			}
			return []tensor.Type{x}, nil
		},
	},
}
