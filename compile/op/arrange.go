package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Modes of pad_extend, as NumPy names them.
const (
	Reflect   = "reflect"
	Symmetric = "symmetric"
	Edge      = "edge"
	Wrap      = "wrap"
)

// Rearrangements composed of the basic ones, and reverse.
var arrangeOps = []*Op{
	{
		Name: "reverse", Family: Layout, Traits: moves.padding(LeftOut), Doc: "The elements in reverse order along dims.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "dims", Kind: KindInts, Doc: "dimensions to reverse"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if _, err := c.axes("dims", c.In[0].Shape.Rank()); err != nil {
				return nil, err
			}
			return []tensor.Type{c.In[0]}, nil
		},
	},
	{
		Name: "tile", Family: Layout, Traits: moves, Doc: "x repeated as a whole, repeats[i] times along dimension i.",
		Operands:   []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{{Name: "repeats", Kind: KindInts, Doc: "one number per dimension, not negative"}},
		Rule:       tileRule,
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x, repeats := in[0], c.Attrs.Ints("repeats")
			var places []int64
			var sizes, whole shape.Shape
			for i, n := range x.dims() {
				places = append(places, int64(2*i+1))
				sizes = append(sizes, shape.N(repeats[i]), n)
				whole = append(whole, shape.N(repeats[i]).Times(n))
			}
			return []expr{x.spreadOver(places, sizes...).reshape(whole...)}
		},
	},
	{
		Name: "roll", Family: Layout, Traits: moves, Doc: "x shifted along dim; elements that leave at one end re-enter at the other.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{
			{Name: "shift", Kind: KindInt, Doc: "positions toward higher indices; negative toward lower"},
			{Name: "dim", Kind: KindInt, Doc: "dimension to shift along"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			dim, err := c.axis("dim", c.In[0].Shape.Rank())
			if err != nil {
				return nil, err
			}
			if err := c.known(); err != nil {
				return nil, err
			}
			// With a dynamic size the shift must be valid for its minimum.
			n, shift := c.In[0].Shape[dim], c.Attrs.Int("shift")
			if !n.IsStatic() && (shift == math.MinInt64 || !n.AtLeast(max(shift, -shift))) {
				return nil, c.Failf(CodeShape, "dimension %d of operand %q is %s, which may be less than the shift %d", dim, "x", n, shift).
					Hint("give that dimension of the input a fixed size")
			}
			return []tensor.Type{c.In[0]}, nil
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x, dim, shift := in[0], int(c.Attrs.Int("dim")), c.Attrs.Int("shift")
			n := x.dim(dim)
			if n.IsStatic() && n.Size > 0 {
				shift %= n.Size
			}
			if n.Size == 0 || shift == 0 {
				return []expr{x}
			}
			k := shape.N(shift)
			if shift < 0 {
				k = n.Minus(shape.N(-shift))
			}
			return []expr{b.concat(dim, x.part(dim, n.Minus(k), k, 1), x.part(dim, shape.N(0), n.Minus(k), 1))}
		},
	},
	{
		Name: "pad_extend", Family: Layout, Traits: moves,
		Doc:      "Pads x with copies of its own elements, by mode: edge repeats the outermost element; reflect mirrors without it, up to size-1 elements; symmetric mirrors with it, and wrap continues from the other end, both up to size elements. To pad with a constant use pad.",
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
	triangle("tril", moves, LE, "The lower triangles of the matrices in x [..., R, C]: elements whose column is at most row + k, 0 elsewhere."),
	triangle("triu", moves, GE, "The upper triangles of the matrices in x [..., R, C]: elements whose column is at least row + k, 0 elsewhere."),
	cumulative("cumsum", sums.reduces(Dim).terms(Addends), "add", 0, "Cumulative sums along dim."),
	cumulative("cumprod", sums.reduces(Dim), "multiply", 1, "Cumulative products along dim."),
}

func tileRule(c *Call) ([]tensor.Type, error) {
	x, repeats := c.In[0], c.Attrs.Ints("repeats")
	if len(repeats) != x.Shape.Rank() {
		return nil, c.Failf(CodeAttribute, "repeats = %v must have one number per dimension", repeats)
	}
	if err := c.known(); err != nil {
		return nil, err
	}
	out := append(shape.Shape{}, x.Shape...)
	for i, r := range repeats {
		out[i] = out[i].Times(shape.N(r))
		if r < 0 || out[i].Size < shape.Dynamic || !out[i].IsKnown() {
			return nil, c.Failf(CodeAttribute, "repeats = %v: dimension %d overflows or is negative", repeats, i)
		}
	}
	return []tensor.Type{{DType: x.DType, Shape: out}}, nil
}

func padExtendRule(c *Call) ([]tensor.Type, error) {
	x, low, high := c.In[0], c.Attrs.Ints("low"), c.Attrs.Ints("high")
	if len(low) != x.Shape.Rank() || len(high) != x.Shape.Rank() {
		return nil, c.Failf(CodeAttribute, "low and high need one number per dimension")
	}
	if err := c.known(); err != nil {
		return nil, err
	}
	mode := c.Attrs.String("mode")
	out := append(shape.Shape{}, x.Shape...)
	for i, n := range out {
		most := max(low[i], high[i]) // elements that are copied
		switch mode {
		case Reflect:
			if most > 0 {
				most++
			}
		case Symmetric, Wrap:
		case Edge:
			most = min(most, 1)
		default:
			return nil, c.Failf(CodeAttribute, "unknown mode %q", mode)
		}
		out[i] = n.Plus(shape.N(low[i])).Plus(shape.N(high[i]))
		if low[i] < 0 || high[i] < 0 || !shape.N(most).AtMost(n) || out[i].Size < shape.Dynamic || !out[i].IsKnown() {
			return nil, c.Failf(CodeAttribute, "cannot pad dimension %d, which has %s elements, by %d and %d in mode %s", i, n, low[i], high[i], mode)
		}
	}
	return []tensor.Type{{DType: x.DType, Shape: out}}, nil
}

// extended pads one dimension.
func (x expr) extended(b *builder, dim int, low, high int64, mode string) expr {
	zero := shape.N(0)
	fromEnd := func(k int64) shape.Dim { return x.dim(dim).Minus(shape.N(k)) }
	part := func(first shape.Dim, count int64) expr { return x.part(dim, first, shape.N(count), 1) }
	turned := func(first shape.Dim, count int64) expr {
		return apply(x.add, "reverse", Attrs{"dims": []int64{int64(dim)}}, part(first, count))
	}
	repeated := func(first shape.Dim, count int64) expr {
		sizes := x.dims()
		sizes[dim] = shape.N(count)
		return part(first, 1).spread(sizes...)
	}
	var parts []expr
	if low > 0 {
		switch mode {
		case Reflect:
			parts = append(parts, turned(one, low))
		case Symmetric:
			parts = append(parts, turned(zero, low))
		case Edge:
			parts = append(parts, repeated(zero, low))
		case Wrap:
			parts = append(parts, part(fromEnd(low), low))
		}
	}
	parts = append(parts, x)
	if high > 0 {
		switch mode {
		case Reflect:
			parts = append(parts, turned(fromEnd(1+high), high))
		case Symmetric:
			parts = append(parts, turned(fromEnd(high), high))
		case Edge:
			parts = append(parts, repeated(fromEnd(1), high))
		case Wrap:
			parts = append(parts, part(zero, high))
		}
	}
	return b.concat(dim, parts...)
}
