package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var layoutOps = append([]*Op{
	{
		Name: "reshape", Family: Layout, Traits: moves.memory(Same).padding(LeftOut), Doc: "The same elements in row-major order with a new shape of as many elements.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "sizes", Kind: KindDims, Doc: "the new sizes"}},
		Rule:       reshapeRule,
	},
	{
		Name: "transpose", Family: Layout, Traits: moves.memory(View).padding(Apart), Doc: "Permutes dimensions: result dimension i is operand dimension permutation[i].",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "permutation", Kind: KindInts, Doc: "each operand dimension once"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x := c.In[0]
			perm := c.Attrs.Ints("permutation")
			if _, err := c.axes("permutation", x.Shape.Rank()); err != nil {
				return nil, err
			}
			if len(perm) != x.Shape.Rank() {
				return nil, c.Failf(CodeAttribute, "permutation = %v must contain every dimension once", perm)
			}
			out := make(shape.Shape, len(perm))
			for i, p := range perm {
				out[i] = x.Shape[p]
			}
			return []tensor.Type{{DType: x.DType, Shape: out}}, nil
		},
	},
	{
		Name: "broadcast_in_dim", Family: Layout, Traits: moves.memory(View).padding(Apart), Doc: "Broadcasts a tensor: operand dimension i becomes result dimension dims[i] and has the same size, or size 1 and is repeated.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{
			{Name: "sizes", Kind: KindDims, Doc: "the result's sizes"},
			{Name: "dims", Kind: KindInts, Doc: "increasing result dimensions, one for each operand dimension"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, dims := c.In[0], c.Attrs.Ints("dims")
			sizes, err := c.listed("sizes")
			if err != nil {
				return nil, err
			}
			if _, err := c.axes("dims", len(sizes)); err != nil {
				return nil, err
			}
			if len(dims) != x.Shape.Rank() {
				return nil, c.Failf(CodeAttribute, "dims = %v must name one result dimension for each operand dimension", dims)
			}
			for i, d := range dims {
				if n := x.Shape[i]; n.Size != 1 && !n.Same(sizes[d]) || i > 0 && dims[i-1] >= d {
					return nil, c.differ(n, sizes[d], "dims = %v cannot broadcast the operand to %s", dims, sizes)
				}
			}
			return []tensor.Type{{DType: x.DType, Shape: sizes}}, nil
		},
	},
	{
		Name: "concatenate", Family: Layout, Traits: moves.padding(LeftOut), Doc: "Concatenates tensors along dim; the other sizes are equal.",
		Operands:   []Operand{{Name: "xs", Class: Any, Variadic: true}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension to concatenate along"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if len(c.In) == 0 {
				return nil, c.Failf(CodeOperands, "no operands to concatenate")
			}
			first := c.In[0]
			dim, err := c.axis("dim", first.Shape.Rank())
			if err != nil {
				return nil, err
			}
			out := append(shape.Shape{}, first.Shape...)
			for _, t := range c.In[1:] {
				rest := append(shape.Shape{}, t.Shape...)
				if len(rest) != len(out) || t.DType != first.DType {
					return nil, c.Failf(CodeShape, "operands differ in rank or element type")
				}
				if !out[dim].IsKnown() || !rest[dim].IsKnown() {
					return nil, c.differ(out[dim], rest[dim], "dimension %d of each operand must have a size or a name", dim)
				}
				if out[dim] = out[dim].Plus(rest[dim]); !out[dim].IsKnown() || out[dim].Size < shape.Dynamic {
					return nil, c.Failf(CodeShape, "dimension %d of the result overflows", dim)
				}
				for i, d := range rest {
					if i != dim && !d.Same(first.Shape[i]) {
						return nil, c.differ(d, first.Shape[i], "operands differ in a dimension other than %d", dim)
					}
				}
			}
			return []tensor.Type{{DType: first.DType, Shape: out}}, nil
		},
	},
	{
		Name: "slice", Family: Layout, Traits: moves.memory(Part).padding(LeftOut), Doc: "The elements start[i] <= index < limit[i] by strides[i] in each dimension.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{
			{Name: "start", Kind: KindDims, Doc: "first index, one per dimension"},
			{Name: "limit", Kind: KindDims, Doc: "index after the last"},
			{Name: "strides", Kind: KindInts, Doc: "steps, at least 1"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x := c.In[0]
			start, limit, strides := c.Attrs.Dims("start"), c.Attrs.Dims("limit"), c.Attrs.Ints("strides")
			if r := x.Shape.Rank(); len(start) != r || len(limit) != r || len(strides) != r {
				return nil, c.Failf(CodeAttribute, "start, limit and strides need one number per dimension")
			}
			out := make(shape.Shape, x.Shape.Rank())
			for i := range out {
				from, to, by := start[i], limit[i], strides[i]
				if !notNegative(from) || !from.AtMost(to) || !to.AtMost(x.Shape[i]) || by < 1 {
					return nil, c.outside(i, !to.IsStatic(), "[%s:%s:%d] is outside dimension %d", from, to, by, i)
				}
				out[i] = to.Minus(from)
				if by > 1 && out[i].Size != 0 {
					out[i] = out[i].Minus(shape.N(1)).FloorDiv(by).Plus(shape.N(1))
				}
				if !out[i].IsKnown() {
					return nil, c.outside(i, false, "the size of [%s:%s:%d] in dimension %d cannot be expressed", from, to, by, i)
				}
			}
			return []tensor.Type{{DType: x.DType, Shape: out}}, nil
		},
	},
	{
		Name: "pad", Family: Layout, Traits: moves.padding(LeftOut), Doc: "Pads x with a scalar value: low[i] elements before and high[i] after, in each dimension.",
		Operands: []Operand{{Name: "x", Class: Any}, {Name: "value", Class: Any}},
		Attributes: []Attribute{
			{Name: "low", Kind: KindInts, Doc: "elements before, not negative"},
			{Name: "high", Kind: KindInts, Doc: "elements after, not negative"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, low, high := c.In[0], c.Attrs.Ints("low"), c.Attrs.Ints("high")
			if c.In[1].Shape.Rank() != 0 || c.In[1].DType != x.DType {
				return nil, c.Failf(CodeShape, "the padding value must be a scalar of the operand's element type")
			}
			if len(low) != x.Shape.Rank() || len(high) != x.Shape.Rank() {
				return nil, c.Failf(CodeAttribute, "low and high need one number per dimension")
			}
			out := append(shape.Shape{}, x.Shape...)
			for i := range out {
				if low[i] < 0 || high[i] < 0 {
					return nil, c.Failf(CodeAttribute, "negative padding in dimension %d", i)
				}
				if low[i] == 0 && high[i] == 0 {
					continue
				}
				n := out[i]
				if out[i] = n.Plus(shape.N(low[i])).Plus(shape.N(high[i])); !out[i].IsKnown() || out[i].Size < shape.Dynamic {
					return nil, c.differ(n, n, "padding of dimension %d overflows, or the dimension has no name", i)
				}
			}
			return []tensor.Type{{DType: x.DType, Shape: out}}, nil
		},
	},
}, arrangeOps...)

func reshapeRule(c *Call) ([]tensor.Type, error) {
	sizes, err := c.listed("sizes")
	if err != nil {
		return nil, err
	}
	x := c.In[0].Shape
	out := []tensor.Type{{DType: c.In[0].DType, Shape: sizes}}
	if x.IsStatic() && sizes.IsStatic() {
		n, err := x.Elements()
		if err != nil {
			return nil, c.Failf(CodeShape, "%v", err)
		}
		if m, err := sizes.Elements(); err != nil || m != n {
			return nil, c.Failf(CodeShape, "shape %s does not have %d elements", sizes, n)
		}
		return out, nil
	}
	if err := c.known(); err != nil {
		return nil, err
	}
	if n, m := x.Product(), sizes.Product(); !n.Same(m) {
		return nil, c.Failf(CodeShape, "shape %s has %s elements, but the operand has %s", sizes, m, n).
			Hint(MakeElementsEqual)
	}
	return out, nil
}

// outside returns an error for a part outside dimension i,
// with a hint if a size is dynamic.
func (c *Call) outside(i int, dynamic bool, what string, args ...any) error {
	err := c.Failf(CodeShape, what, args...)
	switch d := c.In[0].Shape[i]; {
	case !d.IsStatic():
		err.Hint("%s is at least 1, and the part must be inside for every such size", d)
	case dynamic:
		err.Hint("a dynamic size may be more than %s: use take or scatter, whose indices are clamped", d)
	}
	return err
}
