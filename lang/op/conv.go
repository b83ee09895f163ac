package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var convolutionOps = []*Op{
	{
		Name: "conv1d", Family: Convolution,
		Doc:      "Cross-correlation of x [N, C, W] with kernel [O, C, K] into [N, O, (W + 2 padding - K)/stride + 1]; zeros outside.",
		Operands: []Operand{{Name: "x", Class: Float}, {Name: "kernel", Class: Float}},
		Attributes: []Attribute{
			{Name: "stride", Kind: KindInt, Default: int64(1), Doc: "step along W, at least 1"},
			{Name: "padding", Kind: KindInt, Default: int64(0), Doc: "zeros on each side of W"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, k := c.In[0], c.In[1]
			stride, padding := c.Attrs.Int("stride"), c.Attrs.Int("padding")
			if x.DType != k.DType {
				return nil, c.Failf(CodeDType, "operands must have one element type")
			}
			if x.Shape.Rank() != 3 || k.Shape.Rank() != 3 || x.Shape[1] != k.Shape[1] {
				return nil, c.Failf(CodeShape, "want x [N, C, W] and kernel [O, C, K]")
			}
			if !x.Shape.IsStatic() || !k.Shape.IsStatic() {
				return nil, c.Failf(CodeShape, "all sizes must be known")
			}
			if stride < 1 || padding < 0 || padding > math.MaxInt32 {
				return nil, c.Failf(CodeAttribute, "stride %d, padding %d", stride, padding)
			}
			w := x.Shape[2].Size + 2*padding - k.Shape[2].Size
			if w < 0 || k.Shape[2].Size == 0 {
				return nil, c.Failf(CodeShape, "the kernel does not fit the padded operand")
			}
			return []tensor.Type{tensor.TypeOf(x.DType, x.Shape[0].Size, k.Shape[0].Size, w/stride+1)}, nil
		},
	},
}
