package op

import "github.com/skainet-dev/skainet-go/lang/tensor"

// Orders of depth_to_space and space_to_depth: what a channel's number is made of,
// most significant first.
const (
	DCR = "DCR" // place in the block, then channel of the small side
	CRD = "CRD" // channel of the small side, then place in the block: pixel shuffle
)

var rearrangeOps = []*Op{
	{
		Name: "depth_to_space", Family: Layout,
		Doc:        "Moves channels of x [N, C, H, W] into blocks of pixels: [N, C/b^2, H b, W b]. Order DCR numbers channels by place in the block, then by channel of the result; CRD, which is pixel shuffle (Shi et al. 2016), the other way round.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{blockAttribute, orderAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			b, x, err := c.blocks()
			if err != nil {
				return nil, err
			}
			if x[1]%(b*b) != 0 || x[2] > maxWindow || x[3] > maxWindow {
				return nil, c.Failf(CodeShape, "blocks of %d x %d do not divide %d channels", b, b, x[1])
			}
			return []tensor.Type{tensor.TypeOf(c.In[0].DType, x[0], x[1]/(b*b), x[2]*b, x[3]*b)}, nil
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			b, x, _ := c.blocks() // was checked
			depth := x[1] / (b * b)
			y := in[0]
			if c.Attrs.String("order") == CRD {
				y = y.reshape(x[0], depth, b, b, x[2], x[3]).transpose(0, 1, 4, 2, 5, 3)
			} else {
				y = y.reshape(x[0], b, b, depth, x[2], x[3]).transpose(0, 3, 4, 1, 5, 2)
			}
			return []expr{y.reshape(x[0], depth, x[2]*b, x[3]*b)}
		},
	},
	{
		Name: "space_to_depth", Family: Layout,
		Doc:        "Moves blocks of pixels of x [N, C, H, W] into channels: [N, C b^2, H/b, W/b]. Undoes depth_to_space of the same order.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{blockAttribute, orderAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			b, x, err := c.blocks()
			if err != nil {
				return nil, err
			}
			if x[2]%b != 0 || x[3]%b != 0 || x[1] > maxWindow {
				return nil, c.Failf(CodeShape, "blocks of %d x %d do not divide %d x %d pixels", b, b, x[2], x[3])
			}
			return []tensor.Type{tensor.TypeOf(c.In[0].DType, x[0], x[1]*b*b, x[2]/b, x[3]/b)}, nil
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			b, x, _ := c.blocks() // was checked
			y := in[0].reshape(x[0], x[1], x[2]/b, b, x[3]/b, b)
			if c.Attrs.String("order") == CRD {
				y = y.transpose(0, 1, 3, 5, 2, 4)
			} else {
				y = y.transpose(0, 3, 5, 1, 2, 4)
			}
			return []expr{y.reshape(x[0], x[1]*b*b, x[2]/b, x[3]/b)}
		},
	},
}

var (
	blockAttribute = Attribute{Name: "block", Kind: KindInt, Doc: "side of a block in pixels, b"}
	orderAttribute = Attribute{Name: "order", Kind: KindString, Default: DCR, Doc: "DCR or CRD"}
)

func (c *Call) blocks() (block int64, x []int64, err error) {
	block, x = c.Attrs.Int("block"), c.In[0].Shape.Sizes()
	if err := c.allStatic(); err != nil {
		return 0, nil, err
	}
	if len(x) != 4 {
		return 0, nil, c.Failf(CodeShape, "want x [N, C, H, W]")
	}
	if o := c.Attrs.String("order"); block < 1 || block > 1<<15 || o != DCR && o != CRD {
		return 0, nil, c.Failf(CodeAttribute, "block = %d, order = %q", block, o)
	}
	return block, x, nil
}
