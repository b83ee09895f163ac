package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Orders of depth_to_space and space_to_depth: the components of a channel index,
// most significant first.
const (
	DCR = "DCR" // position in the block, then channel of the small side
	CRD = "CRD" // channel of the small side, then position in the block: pixel shuffle
)

var rearrangeOps = []*Op{
	{
		Name: "depth_to_space", Family: Layout, Traits: moves,
		Doc:        "Moves channels of x [N, C, H, W] into blocks of pixels: [N, C/b^2, H b, W b]. Order DCR orders channels by position in the block, then by channel of the result; CRD, which is pixel shuffle (Shi et al. 2016), the other way round.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{blockAttribute, orderAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			b, x, err := c.blocks()
			if err != nil {
				return nil, err
			}
			if !x[1].DivisibleBy(b*b) || x[2].Size > maxWindow || x[3].Size > maxWindow {
				return nil, c.Failf(CodeShape, "blocks of %d x %d do not divide %s channels", b, b, x[1])
			}
			side := shape.N(b)
			return []tensor.Type{{DType: c.In[0].DType, Shape: shape.Shape{x[0], x[1].FloorDiv(b * b), x[2].Times(side), x[3].Times(side)}}}, nil
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			side, x, _ := c.blocks() // checked by the rule
			b, depth := shape.N(side), x[1].FloorDiv(side*side)
			y := in[0]
			if c.Attrs.String("order") == CRD {
				y = y.reshape(x[0], depth, b, b, x[2], x[3]).transpose(0, 1, 4, 2, 5, 3)
			} else {
				y = y.reshape(x[0], b, b, depth, x[2], x[3]).transpose(0, 3, 4, 1, 5, 2)
			}
			return []expr{y.reshape(x[0], depth, x[2].Times(b), x[3].Times(b))}
		},
	},
	{
		Name: "space_to_depth", Family: Layout, Traits: moves,
		Doc:        "Moves blocks of pixels of x [N, C, H, W] into channels: [N, C b^2, H/b, W/b]. The inverse of depth_to_space with the same order.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{blockAttribute, orderAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			b, x, err := c.blocks()
			if err != nil {
				return nil, err
			}
			if !x[2].DivisibleBy(b) || !x[3].DivisibleBy(b) || x[1].Size > maxWindow {
				return nil, c.Failf(CodeShape, "blocks of %d x %d do not divide %s x %s pixels", b, b, x[2], x[3])
			}
			return []tensor.Type{{DType: c.In[0].DType, Shape: shape.Shape{x[0], x[1].Times(shape.N(b * b)), x[2].FloorDiv(b), x[3].FloorDiv(b)}}}, nil
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			side, x, _ := c.blocks() // checked by the rule
			b := shape.N(side)
			y := in[0].reshape(x[0], x[1], x[2].FloorDiv(side), b, x[3].FloorDiv(side), b)
			if c.Attrs.String("order") == CRD {
				y = y.transpose(0, 1, 3, 5, 2, 4)
			} else {
				y = y.transpose(0, 3, 5, 1, 2, 4)
			}
			return []expr{y.reshape(x[0], x[1].Times(b).Times(b), x[2].FloorDiv(side), x[3].FloorDiv(side))}
		},
	},
}

var (
	blockAttribute = Attribute{Name: "block", Kind: KindInt, Doc: "side of a block in pixels, b"}
	orderAttribute = Attribute{Name: "order", Kind: KindString, Default: DCR, Doc: "DCR or CRD"}
)

func (c *Call) blocks() (block int64, x shape.Shape, err error) {
	block, x = c.Attrs.Int("block"), c.In[0].Shape
	if err := c.known(); err != nil {
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
