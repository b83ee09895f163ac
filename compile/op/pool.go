package op

import (
	"math"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var kernelAttribute = Attribute{Name: "kernel", Kind: KindInts, Doc: "sizes of the window, one per spatial dimension"}

var ceilAttribute = Attribute{
	Name: "ceil", Kind: KindBool, Default: false,
	Doc: "whether to add a last window that extends beyond the padded operand, if it starts in the operand or in the padding before it",
}

var poolOps = []*Op{
	{
		Name: "max_pool", Family: Pooling, Traits: exact.reduces(Windows),
		Doc:        "Largest element of each window over x [N, C, S...]: [N, C, (S + low + high - dilation (kernel - 1) - 1)/strides + 1...]. Padding has the type's lowest value (-inf for floats).",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{kernelAttribute, stridesAttribute, lowAttribute, highAttribute, dilationAttribute, ceilAttribute},
		Rule:       windowed,
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			return []expr{slide(c, in[0], "maximum", leastOf(in[0].d()))}
		},
	},
	{
		Name: "avg_pool", Family: Pooling, Traits: sums.reduces(Windows).terms(Addends),
		Doc:      "Mean of each window over x [N, C, S...]; sizes as in max_pool. The divisor is the number of the window's taps in the operand and, if count_include_pad is true, in the padding by low and high; taps added by ceil never count. A window with no such tap is 0.",
		Operands: []Operand{{Name: "x", Class: Float}},
		Attributes: []Attribute{
			kernelAttribute, stridesAttribute, lowAttribute, highAttribute, dilationAttribute, ceilAttribute,
			{Name: "count_include_pad", Kind: KindBool, Default: false, Doc: "whether padding counts as elements"},
		},
		Rule: windowed,
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			sum := slide(c, in[0].wide(), "add", 0)
			return []expr{sum.over(counts(c, b, sum.d())).to(in[0].d())}
		},
	},
	adaptive("adaptive_max_pool", exact.reduces(Windows), Numeric, "Largest element", func(x expr, dims ...int64) expr { return x.reduce("reduce_max", dims...) }),
	adaptive("adaptive_avg_pool", sums.precision(Follow).reduces(Windows).terms(Addends), Float, "Mean", expr.mean),
	global("global_max_pool", exact.reduces(Windows), Numeric, "Largest element", func(x expr, dims ...int64) expr { return x.reduce("reduce_max", dims...) }),
	global("global_avg_pool", sums.precision(Follow).reduces(Windows).terms(Addends), Float, "Mean", expr.mean),
}

// leastOf returns the identity of maximum.
func leastOf(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(-1)
	case d.IsUnsigned():
		return 0
	}
	return -math.Ldexp(1, d.Bits()-1)
}

func windowed(c *Call) ([]tensor.Type, error) {
	g, err := c.geometry(c.Attrs.Ints("kernel"))
	if err != nil {
		return nil, err
	}
	out := tensor.Type{DType: c.In[0].DType, Shape: append(shape.Shape{}, c.In[0].Shape[:2]...)}
	for i := range g.kernel {
		n, err := g.windows(c, i, c.Attrs.Bool("ceil"))
		if err != nil {
			return nil, err
		}
		if n.Size > maxTable {
			return nil, c.Failf(CodeShape, "more than %d windows along spatial dimension %d", maxTable, i)
		}
		out.Shape = append(out.Shape, n)
	}
	return []tensor.Type{out}, nil
}

// slide folds the taps of each window, one spatial dimension at a time.
func slide(c *Call, x expr, fold string, outside float64) expr {
	g, _ := c.geometry(c.Attrs.Ints("kernel")) // checked by the rule
	for i := range g.kernel {
		x = g.along(c, x, i, fold, outside)
	}
	return x
}

// along folds the taps along spatial dimension i.
func (g geometry) along(c *Call, x expr, i int, fold string, outside float64) expr {
	n, _ := g.windows(c, i, c.Attrs.Bool("ceil"))
	high := g.high[i]
	if g.in[i].IsStatic() { // what the last window needs, which with ceil may be more
		high = max((n.Size-1)*g.strides[i]+g.extent(i)-g.in[i].Size-g.low[i], 0)
	}
	x = x.pad(2+i, g.low[i:i+1], []int64{high}, outside)
	y := x.part(2+i, shape.N(0), n, g.strides[i])
	for k := int64(1); k < g.kernel[i]; k++ {
		y = y.bin(fold, x.part(2+i, shape.N(k*g.dilation[i]), n, g.strides[i]))
	}
	return y
}

// counted returns the divisors of avg_pool along a dynamic dimension: sums of ones.
func (g geometry) counted(c *Call, b *builder, d dtype.DType, i int) expr {
	sizes := ones(2 + len(g.kernel))
	sizes[2+i] = g.in[i]
	outside := 0.0
	if c.Attrs.Bool("count_include_pad") {
		outside = 1
	}
	return g.along(c, b.splat(d, 1, sizes...), i, "add", outside).with("maximum", 1)
}

// counts returns the divisors of avg_pool: products of one count per dimension.
func counts(c *Call, b *builder, d dtype.DType) expr {
	g, _ := c.geometry(c.Attrs.Ints("kernel"))
	var total expr
	for i := range g.kernel {
		if !g.in[i].IsStatic() {
			if along := g.counted(c, b, d, i); i == 0 {
				total = along
			} else {
				total = total.times(along)
			}
			continue
		}
		n, _ := g.windows(c, i, c.Attrs.Bool("ceil"))
		low, high := int64(0), g.in[i].Size
		if c.Attrs.Bool("count_include_pad") {
			low, high = -g.low[i], high+g.high[i]
		}
		v := make([]float64, n.Size)
		for j := range v {
			at := int64(j)*g.strides[i] - g.low[i]
			first := max(0, (low-at+g.dilation[i]-1)/g.dilation[i]) // tap that is not before low
			after := min(g.kernel[i], (high-at+g.dilation[i]-1)/g.dilation[i])
			v[j] = float64(max(after-first, 1))
		}
		sizes := make([]int64, len(g.kernel))
		for j := range sizes {
			sizes[j] = 1
		}
		sizes[i] = n.Size
		if along := b.numbers(d, v, sizes...); i == 0 {
			total = along
		} else {
			total = total.times(along)
		}
	}
	return total
}

func global(name string, t Traits, class Class, what string, reduce func(x expr, dims ...int64) expr) *Op {
	return &Op{
		Name: name, Family: Pooling, Traits: t, Doc: what + " of each channel of x [N, C, S...]: [N, C, 1...].",
		Operands: []Operand{{Name: "x", Class: class}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			return c.pooled(make([]int64, max(c.In[0].Shape.Rank()-2, 0)))
		},
		Decompose: func(_ *Call, _ *builder, in []expr) []expr {
			return []expr{reduce(in[0].wide(), span(2, in[0].rank())...).to(in[0].d())}
		},
	}
}

// pooled returns x [N, C, S...] with other spatial sizes; 0 means 1.
func (c *Call) pooled(sizes []int64) ([]tensor.Type, error) {
	if err := c.known(); err != nil {
		return nil, err
	}
	x := c.In[0]
	if x.Shape.Rank() < 3 || len(sizes) != x.Shape.Rank()-2 {
		return nil, c.Failf(CodeShape, "want x [N, C, S...] and one size per spatial dimension")
	}
	out := tensor.Type{DType: x.DType, Shape: append(shape.Shape{}, x.Shape[:2]...)}
	for i, n := range sizes {
		if n > 1 {
			if err := c.static(0, 2+i); err != nil {
				return nil, err
			}
		}
		if x.Shape[2+i].Size == 0 {
			return nil, c.Failf(CodeShape, "spatial dimension %d is empty", i)
		}
		out.Shape = append(out.Shape, shape.Dim{Size: max(n, 1)})
	}
	return []tensor.Type{out}, nil
}

func adaptive(name string, t Traits, class Class, what string, reduce func(x expr, dims ...int64) expr) *Op {
	return &Op{
		Name: name, Family: Pooling, Traits: t,
		Doc:        what + " of windows chosen so that x [N, C, S...] becomes [N, C, sizes...]: window i of n covers the elements from floor(i S/n) up to, but excluding, ceil((i + 1) S/n).",
		Operands:   []Operand{{Name: "x", Class: class}},
		Attributes: []Attribute{{Name: "sizes", Kind: KindInts, Doc: "spatial sizes of the result, at least 1"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			for _, n := range c.Attrs.Ints("sizes") {
				if n < 1 || n > maxTaps {
					return nil, c.Failf(CodeAttribute, "sizes = %v must be between 1 and %d", c.Attrs.Ints("sizes"), maxTaps)
				}
			}
			return c.pooled(c.Attrs.Ints("sizes"))
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			x := in[0].wide()
			for i, n := range c.Attrs.Ints("sizes") {
				d, size := 2+i, x.dim(2+i).Size
				if n == 1 {
					x = reduce(x, int64(d))
					continue
				}
				parts := make([]expr, n)
				for j := range n {
					first, last := j*size/n, ((j+1)*size+n-1)/n
					parts[j] = reduce(x.slice(d, first, last-first, 1), int64(d))
				}
				x = b.concat(d, parts...)
			}
			return []expr{x.to(in[0].d())}
		},
	}
}
