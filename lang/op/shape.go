package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var layoutOps = append([]*Op{
	{
		Name: "reshape", Family: Layout, Doc: "The same elements in row-major order under another shape with as many elements.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "sizes", Kind: KindInts, Doc: "the new sizes"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			out := tensor.TypeOf(c.In[0].DType, c.Attrs.Ints("sizes")...)
			n, err := c.In[0].Shape.Elements()
			if err != nil {
				return nil, c.Failf(CodeShape, "%v", err)
			}
			if m, err := out.Shape.Elements(); err != nil || m != n {
				return nil, c.Failf(CodeShape, "shape %s does not hold its %d elements", out.Shape, n)
			}
			return []tensor.Type{out}, nil
		},
	},
	{
		Name: "transpose", Family: Layout, Doc: "Permutes dimensions: result dimension i is operand dimension permutation[i].",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "permutation", Kind: KindInts, Doc: "each operand dimension once"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x := c.In[0]
			perm := c.Attrs.Ints("permutation")
			if _, err := c.axes("permutation", x.Shape.Rank()); err != nil {
				return nil, err
			}
			if len(perm) != x.Shape.Rank() {
				return nil, c.Failf(CodeAttribute, "permutation = %v does not name every dimension", perm)
			}
			out := make(shape.Shape, len(perm))
			for i, p := range perm {
				out[i] = x.Shape[p]
			}
			return []tensor.Type{{DType: x.DType, Shape: out}}, nil
		},
	},
	{
		Name: "broadcast_in_dim", Family: Layout, Doc: "Repeats a tensor: operand dimension i becomes result dimension dims[i] and is of its size, or of size 1 and repeated.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{
			{Name: "sizes", Kind: KindInts, Doc: "the result's sizes"},
			{Name: "dims", Kind: KindInts, Doc: "increasing result dimensions, one for each operand dimension"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, sizes, dims := c.In[0], c.Attrs.Ints("sizes"), c.Attrs.Ints("dims")
			if _, err := c.axes("dims", len(sizes)); err != nil {
				return nil, err
			}
			if len(dims) != x.Shape.Rank() {
				return nil, c.Failf(CodeAttribute, "dims = %v must name one result dimension for each operand dimension", dims)
			}
			if !tensor.TypeOf(x.DType, sizes...).Shape.IsStatic() {
				return nil, c.Failf(CodeShape, "sizes = %v must be known", sizes)
			}
			for i, d := range dims {
				if n := x.Shape[i].Size; n != 1 && n != sizes[d] || i > 0 && dims[i-1] >= d {
					return nil, c.Failf(CodeShape, "dims = %v cannot spread the operand over %s", dims, shape.Of(sizes...))
				}
			}
			return []tensor.Type{tensor.TypeOf(x.DType, sizes...)}, nil
		},
	},
	{
		Name: "concatenate", Family: Layout, Doc: "Joins tensors along dim; the other sizes are equal.",
		Operands:   []Operand{{Name: "xs", Class: Any, Variadic: true}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension along which to join"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if len(c.In) == 0 {
				return nil, c.Failf(CodeOperands, "nothing to join")
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
				if out[dim].Size < 0 || rest[dim].Size < 0 {
					return nil, c.Failf(CodeShape, "dimension %d of each operand must be known", dim)
				}
				if out[dim].Size += rest[dim].Size; out[dim].Size < 0 {
					return nil, c.Failf(CodeShape, "dimension %d of the result overflows", dim)
				}
				rest[dim] = first.Shape[dim]
				if !rest.Equal(first.Shape) {
					return nil, c.Failf(CodeShape, "operands differ in another dimension than %d", dim)
				}
			}
			return []tensor.Type{{DType: first.DType, Shape: out}}, nil
		},
	},
	{
		Name: "slice", Family: Layout, Doc: "The elements start[i] <= index < limit[i] by strides[i] in each dimension.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{
			{Name: "start", Kind: KindInts, Doc: "first index, one a dimension"},
			{Name: "limit", Kind: KindInts, Doc: "index after the last"},
			{Name: "strides", Kind: KindInts, Doc: "steps, at least 1"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x := c.In[0]
			start, limit, strides := c.Attrs.Ints("start"), c.Attrs.Ints("limit"), c.Attrs.Ints("strides")
			if r := x.Shape.Rank(); len(start) != r || len(limit) != r || len(strides) != r {
				return nil, c.Failf(CodeAttribute, "start, limit and strides take one number a dimension")
			}
			out := make(shape.Shape, x.Shape.Rank())
			for i := range out {
				if start[i] < 0 || start[i] > limit[i] || limit[i] > x.Shape[i].Size || strides[i] < 1 {
					return nil, c.Failf(CodeShape, "[%d:%d:%d] is outside dimension %d", start[i], limit[i], strides[i], i)
				}
				out[i].Size = (limit[i] - start[i] + strides[i] - 1) / strides[i]
			}
			return []tensor.Type{{DType: x.DType, Shape: out}}, nil
		},
	},
	{
		Name: "pad", Family: Layout, Doc: "Surrounds x by a scalar value: low[i] elements before and high[i] after, in each dimension.",
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
				return nil, c.Failf(CodeAttribute, "low and high take one number a dimension")
			}
			out := append(shape.Shape{}, x.Shape...)
			for i := range out {
				if low[i] < 0 || high[i] < 0 {
					return nil, c.Failf(CodeAttribute, "negative padding in dimension %d", i)
				}
				if low[i] == 0 && high[i] == 0 {
					continue
				}
				if n := out[i].Size; n < 0 || low[i] > math.MaxInt64-n || high[i] > math.MaxInt64-n-low[i] {
					return nil, c.Failf(CodeShape, "padding of dimension %d, which must be known, overflows", i)
				}
				out[i].Size += low[i] + high[i]
			}
			return []tensor.Type{{DType: x.DType, Shape: out}}, nil
		},
	},
}, arrangeOps...)
