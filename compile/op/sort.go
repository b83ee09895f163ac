package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var descending = Attribute{Name: "descending", Kind: KindBool, Default: false, Doc: "whether to sort in descending order"}

var sortOps = []*Op{
	{
		Name: "argsort", Family: Indexing, Traits: exact.reduces(Dim),
		Doc:        "Indices (i32) that sort x along dim. The sort is stable, with 0 and -0 equal. NaN is the greatest.",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension to sort along"}, descending},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if err := c.sortable(); err != nil {
				return nil, err
			}
			return []tensor.Type{{DType: dtype.I32, Shape: c.In[0].Shape}}, nil
		},
	},
	{
		Name: "sort", Family: Indexing, Traits: exact.reduces(Dim),
		Doc:        "x sorted along dim, in the order of argsort.",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension to sort along"}, descending},
		Rule: func(c *Call) ([]tensor.Type, error) {
			return []tensor.Type{c.In[0]}, c.sortable()
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			return []expr{c.ordered(in[0], apply(in[0].add, "argsort", c.Attrs, in[0]))}
		},
	},
	{
		Name: "top_k", Family: Indexing, Traits: exact.reduces(Dim),
		Doc:      "The k greatest elements along dim, in descending order, and their indices (i32): the first k of a descending argsort. If largest is false, the k least in ascending order.",
		Operands: []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{
			{Name: "dim", Kind: KindInt, Doc: "dimension to search"},
			{Name: "k", Kind: KindInt, Doc: "number of elements, at most the dimension's size"},
			{Name: "largest", Kind: KindBool, Default: true, Doc: "whether to take the greatest instead of the least"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if err := c.sortable(); err != nil {
				return nil, err
			}
			out := append(shape.Shape{}, c.In[0].Shape...)
			dim, k := c.Attrs.Int("dim"), c.Attrs.Int("k")
			if k < 0 || !shape.N(k).AtMost(out[dim]) {
				err := c.Failf(CodeAttribute, "k = %d of %s elements", k, out[dim])
				if !out[dim].IsStatic() {
					err.Hint("give that dimension of the input a fixed size: it may have fewer elements in some call")
				}
				return nil, err
			}
			out[dim] = shape.Dim{Size: k}
			return []tensor.Type{{DType: c.In[0].DType, Shape: out}, {DType: dtype.I32, Shape: out}}, nil
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			dim := c.Attrs.Int("dim")
			order := apply(in[0].add, "argsort", Attrs{"dim": dim, "descending": c.Attrs.Bool("largest")}, in[0])
			order = order.slice(int(dim), 0, c.Attrs.Int("k"), 1)
			return []expr{c.ordered(in[0], order), order}
		},
	},
	{
		Name: "one_hot", Family: Indexing, Traits: exact,
		Doc:      "1 at the index and 0 elsewhere: indices I become [I..., depth]. The row of an index out of range is all zeros.",
		Operands: []Operand{{Name: "indices", Class: Int}},
		Attributes: []Attribute{
			{Name: "depth", Kind: KindInt, Doc: "size of the last dimension, not negative"},
			{Name: "dtype", Kind: KindDType, Default: dtype.F32, Doc: "element type of the result"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			depth, d := c.Attrs.Int("depth"), c.Attrs.DType("dtype")
			if depth < 0 || depth > math.MaxInt32 {
				return nil, c.Failf(CodeAttribute, "depth = %d", depth)
			}
			if !Any.Has(d) {
				return nil, c.uncomputed(d)
			}
			out := append(append(shape.Shape{}, c.In[0].Shape...), shape.Dim{Size: depth})
			return []tensor.Type{{DType: d, Shape: out}}, c.known()
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x := in[0]
			if x.d().Bits() < 32 {
				x = x.to(dtype.I32) // a narrow type may not be able to represent depth
			}
			sizes := append(x.dims(), shape.N(c.Attrs.Int("depth")))
			column := b.iota(x.d(), x.rank(), sizes...)
			x = x.reshape(append(x.dims(), one)...).spread(sizes...)
			return []expr{x.compare(EQ, column).to(c.Attrs.DType("dtype"))}
		},
	},
}

func (c *Call) sortable() error {
	if _, err := c.axis("dim", c.In[0].Shape.Rank()); err != nil {
		return err
	}
	if err := c.known(); err != nil {
		return err
	}
	return c.fewPlaces(c.In[0].Shape)
}

// ordered returns x in the order of argsort's indices.
func (c *Call) ordered(x, order expr) expr {
	if order.elements().Size == 0 {
		dim := int(c.Attrs.Int("dim"))
		return x.part(dim, shape.N(0), order.dim(dim), 1)
	}
	return apply(x.add, "take_along", Attrs{"dim": c.Attrs.Int("dim")}, x, order)
}
