package op

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// Modes of pad_extend, as NumPy names them.
const (
	Reflect   = "reflect"
	Symmetric = "symmetric"
	Edge      = "edge"
	Wrap      = "wrap"
)

// Rearrangements made of the basic ones, and reverse.
var arrangeOps = []*Op{
	{
		Name: "reverse", Family: Layout, Doc: "The elements in opposite order along dims.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "dims", Kind: KindInts, Doc: "dimensions to turn round"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if _, err := c.axes("dims", c.In[0].Shape.Rank()); err != nil {
				return nil, err
			}
			return []tensor.Type{c.In[0]}, nil
		},
	},
	{
		Name: "tile", Family: Layout, Doc: "x repeated as a whole, repeats[i] times along dimension i.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "repeats", Kind: KindInts, Doc: "one number a dimension, not negative"}},
		Rule:       tileRule,
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x, repeats := in[0], c.Attrs.Ints("repeats")
			var sizes, dims, whole []int64
			for i, n := range x.sizes() {
				dims = append(dims, int64(2*i+1))
				sizes = append(sizes, repeats[i], n)
				whole = append(whole, repeats[i]*n)
			}
			return []expr{x.spreadOver(dims, sizes...).reshape(whole...)}
		},
	},
	{
		Name: "roll", Family: Layout, Doc: "x moved by shift along dim; what leaves at one end enters at the other.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{
			{Name: "shift", Kind: KindInt, Doc: "places to higher indices; negative to lower"},
			{Name: "dim", Kind: KindInt, Doc: "dimension along which to move"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if _, err := c.axis("dim", c.In[0].Shape.Rank()); err != nil {
				return nil, err
			}
			return []tensor.Type{c.In[0]}, c.allStatic()
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x, dim := in[0], int(c.Attrs.Int("dim"))
			n := x.dim(dim)
			if n == 0 {
				return []expr{x}
			}
			k := (c.Attrs.Int("shift")%n + n) % n
			if k == 0 {
				return []expr{x}
			}
			return []expr{b.concat(dim, x.slice(dim, n-k, k, 1), x.slice(dim, 0, n-k, 1))}
		},
	},
	{
		Name: "pad_extend", Family: Layout,
		Doc:      "Surrounds x by copies of its own elements, by mode: edge repeats the outermost one; reflect mirrors without it, up to size-1 elements; symmetric mirrors with it and wrap continues from the other end, up to size elements. For a constant use pad.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{
			{Name: "low", Kind: KindInts, Doc: "elements before, not negative"},
			{Name: "high", Kind: KindInts, Doc: "elements after, not negative"},
			{Name: "mode", Kind: KindString, Doc: "reflect, symmetric, edge or wrap"},
		},
		Rule: padExtendRule,
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x, low, high := in[0], c.Attrs.Ints("low"), c.Attrs.Ints("high")
			for i := range low {
				x = x.extended(b, i, low[i], high[i], c.Attrs.String("mode"))
			}
			return []expr{x}
		},
	},
	triangle("tril", LE, "The lower triangles of the matrices in x [..., R, C]: elements whose column is at most row + k, 0 elsewhere."),
	triangle("triu", GE, "The upper triangles of the matrices in x [..., R, C]: elements whose column is at least row + k, 0 elsewhere."),
	cumulative("cumsum", "add", 0, "Sums along dim of the elements up to each one."),
	cumulative("cumprod", "multiply", 1, "Products along dim of the elements up to each one."),
}

func tileRule(c *Call) ([]tensor.Type, error) {
	x, repeats := c.In[0], c.Attrs.Ints("repeats")
	if len(repeats) != x.Shape.Rank() {
		return nil, c.Failf(CodeAttribute, "repeats = %v must name every dimension", repeats)
	}
	if err := c.allStatic(); err != nil {
		return nil, err
	}
	out := append(shape.Shape{}, x.Shape...)
	for i, r := range repeats {
		if r < 0 || out[i].Size > 0 && r > math.MaxInt64/out[i].Size {
			return nil, c.Failf(CodeAttribute, "repeats = %v: dimension %d overflows or is negative", repeats, i)
		}
		out[i] = shape.Dim{Size: out[i].Size * r}
	}
	return []tensor.Type{{DType: x.DType, Shape: out}}, nil
}

func padExtendRule(c *Call) ([]tensor.Type, error) {
	x, low, high := c.In[0], c.Attrs.Ints("low"), c.Attrs.Ints("high")
	if len(low) != x.Shape.Rank() || len(high) != x.Shape.Rank() {
		return nil, c.Failf(CodeAttribute, "low and high take one number a dimension")
	}
	if err := c.allStatic(); err != nil {
		return nil, err
	}
	out := append(shape.Shape{}, x.Shape...)
	for i := range out {
		n := out[i].Size
		limit := n
		switch c.Attrs.String("mode") {
		case Reflect:
			limit = max(n-1, 0)
		case Symmetric, Wrap:
		case Edge:
			if n > 0 {
				limit = (math.MaxInt64 - n) / 2
			}
		default:
			return nil, c.Failf(CodeAttribute, "mode is %q", c.Attrs.String("mode"))
		}
		if low[i] < 0 || high[i] < 0 || low[i] > limit || high[i] > limit {
			return nil, c.Failf(CodeAttribute, "padding by %d and %d of dimension %d, which has %d elements, in mode %s", low[i], high[i], i, n, c.Attrs.String("mode"))
		}
		out[i] = shape.Dim{Size: n + low[i] + high[i]}
	}
	return []tensor.Type{{DType: x.DType, Shape: out}}, nil
}

// extended pads one dimension.
func (x expr) extended(b *builder, dim int, low, high int64, mode string) expr {
	n := x.dim(dim)
	part := func(first, count int64) expr { return x.slice(dim, first, count, 1) }
	turned := func(first, count int64) expr {
		return apply(x.add, "reverse", Attrs{"dims": []int64{int64(dim)}}, part(first, count))
	}
	repeated := func(first, count int64) expr {
		sizes := slices.Clone(x.sizes())
		sizes[dim] = count
		return part(first, 1).spread(sizes...)
	}
	var parts []expr
	if low > 0 {
		switch mode {
		case Reflect:
			parts = append(parts, turned(1, low))
		case Symmetric:
			parts = append(parts, turned(0, low))
		case Edge:
			parts = append(parts, repeated(0, low))
		case Wrap:
			parts = append(parts, part(n-low, low))
		}
	}
	parts = append(parts, x)
	if high > 0 {
		switch mode {
		case Reflect:
			parts = append(parts, turned(n-1-high, high))
		case Symmetric:
			parts = append(parts, turned(n-high, high))
		case Edge:
			parts = append(parts, repeated(n-1, high))
		case Wrap:
			parts = append(parts, part(0, high))
		}
	}
	return b.concat(dim, parts...)
}
