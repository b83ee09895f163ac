package op

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var encodingAttribute = Attribute{Name: "encoding", Kind: KindString, Doc: "encoding of the blocks: one of PackedEncodings, under its name in package quant"}

// Weights in blocks, as in a GGUF file: i8 [..., K/elements, bytes of a
// block]. See package quant for the layouts. Arithmetic is in f32, and the other
// operand of a product is never quantised.
var packedOps = []*Op{
	{
		Name: "dequantize_blocks", Family: Quantising, Traits: approximate.follow(),
		Doc:        "The elements of blocks w [..., K/elements, bytes of a block]: f32 [..., K].",
		Operands:   []Operand{{Name: "w", Class: Int, Blocks: true}},
		Attributes: []Attribute{encodingAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			t, err := c.unblocked(0)
			return []tensor.Type{t}, err
		},
		Portable: func(c *Call, b *builder, in []expr) []expr {
			return []expr{c.unpack(b, in[0]).whole()}
		},
	},
	{
		Name: "dequant_take", Family: Quantising, Traits: approximate.follow(),
		Doc:        "Rows of w [V, K/elements, bytes of a block] at indices of any shape I, unpacked: f32 [I..., K]. Indices out of range are clamped.",
		Operands:   []Operand{{Name: "w", Class: Int, Blocks: true}, {Name: "indices", Class: Int}},
		Attributes: []Attribute{encodingAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			t, err := c.matrixBlocks(0)
			if err != nil {
				return nil, err
			}
			if t.Shape[0].Size == 0 {
				return nil, c.Failf(CodeShape, "the table has no rows")
			}
			if err := c.reach(t.Shape[0], c.In[1].DType); err != nil {
				return nil, err
			}
			return []tensor.Type{{DType: t.DType, Shape: append(slices.Clone(c.In[1].Shape), t.Shape[1])}}, c.known()
		},
		Portable: func(c *Call, b *builder, in []expr) []expr {
			return []expr{c.unpack(b, apply(b.add, "take", nil, in[0], in[1])).whole()}
		},
	},
	{
		Name: "dequant_matmul", Family: Quantising, Traits: approximate.wide().reduces(Last),
		Doc:        "x f32 [..., K] times the transpose of the matrix [N, K] whose rows are the blocks w [N, K/elements, bytes of a block]: f32 [..., N].",
		Operands:   []Operand{{Name: "x", Class: Float}, {Name: "w", Class: Int, Blocks: true}},
		Attributes: []Attribute{encodingAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			t, err := c.matrixBlocks(1)
			if err != nil {
				return nil, err
			}
			x := c.In[0]
			if x.DType != dtype.F32 {
				return nil, c.Failf(CodeDType, "x must be f32")
			}
			r := x.Shape.Rank()
			if r == 0 || x.Shape[r-1] != t.Shape[1] {
				return nil, c.Failf(CodeShape, "x must have %s elements in its last dimension", t.Shape[1])
			}
			return []tensor.Type{{DType: dtype.F32, Shape: append(slices.Clone(x.Shape[:r-1]), t.Shape[0])}}, c.known()
		},
		Portable: multiplyBlocks,
	},
}

// PackedEncodings returns the encodings whose blocks these operations read.
func PackedEncodings() []quant.Encoding {
	list := make([]quant.Encoding, 0, len(layouts))
	for e := range layouts {
		list = append(list, e)
	}
	slices.Sort(list)
	return list
}

// unblocked checks that operand i is in blocks and returns the type of the unpacked tensor.
func (c *Call) unblocked(i int) (tensor.Type, error) {
	e := quant.Encoding(c.Attrs.String("encoding"))
	if layouts[e] == nil {
		return tensor.Type{}, c.Failf(CodeAttribute, "encoding %q is not one of %v", string(e), PackedEncodings())
	}
	if c.In[i].DType != dtype.I8 {
		return tensor.Type{}, c.Failf(CodeDType, "blocks must be i8")
	}
	if err := c.static(i); err != nil {
		return tensor.Type{}, err
	}
	t, err := tensor.Unblocked(e, c.In[i])
	if err != nil {
		b, _ := e.Block()
		return t, c.Failf(CodeShape, "blocks of %s are i8 [..., K/%d, %d]", e, b.Elements, b.Bytes)
	}
	return t, nil
}

func (c *Call) matrixBlocks(i int) (tensor.Type, error) {
	t, err := c.unblocked(i)
	if err == nil && t.Shape.Rank() != 2 {
		err = c.Failf(CodeShape, "the blocks must be those of a matrix")
	}
	return t, err
}

// multiplyBlocks computes one row as a sum of products, in which no element of the
// matrix is materialised (for a dot_general compilers materialise them all), and several
// rows as a product with the unpacked matrix.
func multiplyBlocks(c *Call, b *builder, in []expr) []expr {
	x := in[0]
	last := x.rank() - 1
	out := append(x.dims()[:last], in[1].dim(0))
	if rows := x.dims()[:last].Product(); rows != one {
		m := apply(b.add, "dequantize_blocks", c.Attrs, in[1]) // the same form for any number of rows
		return []expr{x.dot(m, [2][]int64{}, [2][]int64{{int64(last)}, {1}})}
	}
	w := c.unpack(b, in[1])
	n := in[1].dim(1)
	size := int64(0)
	for _, p := range w {
		size += p.dim(2).Size
	}
	x = x.reshape(n, shape.N(size))
	var sum expr
	for i, at := 0, int64(0); i < len(w); i++ {
		width := w[i].dim(2).Size
		y := w[i].times(x.slice(1, at, width, 1))
		if i == 0 {
			sum = y
		} else {
			sum = sum.plus(y)
		}
		at += width
	}
	return []expr{sum.reduce("reduce_sum", 1, 2).reshape(out...)}
}
