package op

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var indexingOps = slices.Concat([]*Op{
	{
		Name: "take", Family: Indexing, Traits: moves.rows(Picked).padding(LeftOut),
		Doc:      "Rows of table [V, ...] at indices of any shape I: [I..., ...]. Indices out of range are clamped.",
		Operands: []Operand{{Name: "table", Class: Any}, {Name: "indices", Class: Int}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			table, indices := c.In[0], c.In[1]
			if table.Shape.Rank() == 0 || table.Shape[0].Size == 0 {
				return nil, c.Failf(CodeShape, "the table has no rows")
			}
			if err := c.reach(table.Shape[0], indices.DType); err != nil {
				return nil, err
			}
			out := append(append(shape.Shape{}, indices.Shape...), table.Shape[1:]...)
			return []tensor.Type{{DType: table.DType, Shape: out}}, nil
		},
	},
	{
		Name: "dynamic_slice", Family: Indexing, Traits: moves.memory(Part).padding(LeftOut),
		Doc:        "A window of fixed sizes; its corner is given by one scalar index per dimension, clamped so that the window fits in x.",
		Operands:   []Operand{{Name: "x", Class: Any}, {Name: "starts", Class: Int, Variadic: true}},
		Attributes: []Attribute{{Name: "sizes", Kind: KindDims, Doc: "sizes of the window"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, sizes := c.In[0], c.Attrs.Dims("sizes")
			if err := c.corner(x, 1); err != nil {
				return nil, err
			}
			if len(sizes) != x.Shape.Rank() {
				return nil, c.Failf(CodeAttribute, "sizes = %v must have one size per dimension", sizes)
			}
			for i, n := range sizes {
				if !notNegative(n) || !n.AtMost(x.Shape[i]) {
					return nil, c.outside(i, !n.IsStatic(), "a window of %s does not fit dimension %d", n, i)
				}
			}
			return []tensor.Type{{DType: x.DType, Shape: sizes}}, nil
		},
	},
	{
		Name: "dynamic_update_slice", Family: Indexing, Traits: moves.precision(First).memory(Updates).padding(LeftOut),
		Doc:      "x with a window replaced by update, at a corner as in dynamic_slice.",
		Operands: []Operand{{Name: "x", Class: Any}, {Name: "update", Class: Any}, {Name: "starts", Class: Int, Variadic: true}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, u := c.In[0], c.In[1]
			if err := c.corner(x, 2); err != nil {
				return nil, err
			}
			if u.DType != x.DType || u.Shape.Rank() != x.Shape.Rank() {
				return nil, c.Failf(CodeShape, "the update differs from the operand in element type or rank")
			}
			for i := range u.Shape {
				if !u.Shape[i].AtMost(x.Shape[i]) {
					return nil, c.outside(i, !u.Shape[i].IsStatic(), "the update is larger than the operand in dimension %d", i)
				}
			}
			return []tensor.Type{x}, nil
		},
	},
}, gatherOps, sortOps)

// corner checks the scalar start indices, which begin at operand first.
func (c *Call) corner(x tensor.Type, first int) error {
	if len(c.In)-first != x.Shape.Rank() {
		return c.Failf(CodeOperands, "%d start indices for a tensor of rank %d", len(c.In)-first, x.Shape.Rank())
	}
	for _, s := range c.In[first:] {
		if s.Shape.Rank() != 0 || s.DType != c.In[first].DType {
			return c.Failf(CodeShape, "start indices must be scalars of the same integer type")
		}
	}
	return nil
}
