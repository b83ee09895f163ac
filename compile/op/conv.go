package op

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var convolutionOps = []*Op{
	{
		Name: "conv1d", Family: Convolution, Traits: sums.precision(Narrow).reduces(Windows).terms(Products),
		Doc:      "Cross-correlation of x [N, C, W] with kernel [O, C, K] into [N, O, (W + 2 padding - K)/stride + 1]; zeros outside.",
		Operands: []Operand{{Name: "x", Class: Float}, {Name: "kernel", Class: Float}},
		Attributes: []Attribute{
			{Name: "stride", Kind: KindInt, Default: int64(1), Doc: "step along W, at least 1"},
			{Name: "padding", Kind: KindInt, Default: int64(0), Doc: "zeros on each side of W"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x, k := c.In[0], c.In[1]
			stride, padding := c.Attrs.Int("stride"), c.Attrs.Int("padding")
			if x.DType != k.DType {
				return nil, c.Failf(CodeDType, "operands must have the same element type")
			}
			if x.Shape.Rank() != 3 || k.Shape.Rank() != 3 {
				return nil, c.Failf(CodeShape, "want x [N, C, W] and kernel [O, C, K]")
			}
			if err := c.kernels(); err != nil {
				return nil, err
			}
			if x.Shape[1] != k.Shape[1] {
				return nil, c.Failf(CodeShape, "want x [N, C, W] and kernel [O, C, K]")
			}
			if stride < 1 || padding < 0 || padding > math.MaxInt32 {
				return nil, c.Failf(CodeAttribute, "stride %d, padding %d", stride, padding)
			}
			w := x.Shape[2].Plus(shape.N(2 * padding)).Minus(k.Shape[2])
			if !notNegative(w) || k.Shape[2].Size == 0 {
				return nil, c.Failf(CodeShape, "the kernel does not fit the padded operand")
			}
			return []tensor.Type{{DType: x.DType, Shape: shape.Shape{x.Shape[0], k.Shape[0], w.FloorDiv(stride).Plus(one)}}}, nil
		},
	},
	{
		Name: "convolution", Family: Convolution, Traits: sums.precision(Narrow).reduces(Windows).terms(Products),
		Doc: "Cross-correlation of x [N, C, S...] with kernel [O, C/groups, K...] over any number of spatial dimensions: [N, O, (S + low + high - dilation (K - 1) - 1)/stride + 1...], rounded down; zeros outside. " +
			"Group g of O/groups output channels sees group g of C/groups input channels. Sums are in f32 or wider.",
		Operands: []Operand{{Name: "x", Class: Float}, {Name: "kernel", Class: Float}},
		Attributes: []Attribute{
			stridesAttribute, lowAttribute, highAttribute, dilationAttribute,
			{Name: "groups", Kind: KindInt, Default: int64(1), Doc: "number of groups, which divides C and O"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			g, err := c.convolution()
			if err != nil {
				return nil, err
			}
			x, k := c.In[0].Shape, c.In[1].Shape
			if x[1].Size != k[1].Size*g.groups || k[0].Size%g.groups != 0 {
				return nil, c.Failf(CodeShape, "want x [N, C, S...] and kernel [O, C/groups, K...], where groups = %d divides C and O", g.groups)
			}
			out := tensor.Type{DType: c.In[0].DType, Shape: shape.Shape{x[0], k[0]}}
			for i := range g.kernel {
				n, err := g.windows(c, i, false)
				if err != nil {
					return nil, err
				}
				out.Shape = append(out.Shape, n)
			}
			return []tensor.Type{out}, nil
		},
	},
	{
		Name: "conv_transpose", Family: Convolution, Traits: sums.precision(Narrow).reduces(Windows).terms(Products),
		Doc:      "Transposed convolution, the gradient of convolution: each element of x [N, C, S...] times kernel [C, O/groups, K...] is added into [N, O, (S - 1) stride - low - high + dilation (K - 1) + output_padding + 1...].",
		Operands: []Operand{{Name: "x", Class: Float}, {Name: "kernel", Class: Float}},
		Attributes: []Attribute{
			stridesAttribute,
			{Name: "low", Kind: KindInts, Default: []int64{}, Doc: "elements removed before each spatial dimension of the result; empty means 0"},
			{Name: "high", Kind: KindInts, Default: []int64{}, Doc: "elements removed after it; empty means 0"},
			{Name: "output_padding", Kind: KindInts, Default: []int64{}, Doc: "elements added after it, fewer than the stride or the dilation; empty means 0"},
			dilationAttribute,
			{Name: "groups", Kind: KindInt, Default: int64(1), Doc: "number of groups, which divides C and O"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			g, err := c.convolution()
			if err != nil {
				return nil, err
			}
			x, k := c.In[0].Shape, c.In[1].Shape
			if x[1].Size != k[0].Size || x[1].Size%g.groups != 0 {
				return nil, c.Failf(CodeShape, "want x [N, C, S...] and kernel [C, O/groups, K...], where groups = %d divides C", g.groups)
			}
			extra, err := c.perDimension("output_padding", len(g.kernel), 0, 0)
			if err != nil {
				return nil, err
			}
			out := tensor.Type{DType: c.In[0].DType, Shape: shape.Shape{x[0], k[1].Times(shape.N(g.groups))}}
			for i := range g.kernel {
				if extra[i] >= max(g.strides[i], g.dilation[i]) {
					return nil, c.Failf(CodeAttribute, "output_padding %d must be less than the stride or the dilation", extra[i])
				}
				n := g.transposed(i, extra[i])
				if g.in[i].Size == 0 || !notNegative(n) {
					return nil, c.outside(2+i, false, "spatial dimension %d of the result is empty", i)
				}
				out.Shape = append(out.Shape, n)
			}
			return []tensor.Type{out}, nil
		},
		Decompose: transposedConvolution,
	},
}

// maxTaps bounds the number of taps, for each of which pools and the text of convolutions
// have operations.
const maxTaps = 4096

// Sizes and attributes of windows are below this limit, so that no sum overflows.
const maxWindow = math.MaxInt32

var (
	stridesAttribute  = Attribute{Name: "strides", Kind: KindInts, Default: []int64{}, Doc: "steps along the spatial dimensions, at least 1; empty means 1"}
	lowAttribute      = Attribute{Name: "low", Kind: KindInts, Default: []int64{}, Doc: "padding before each spatial dimension; empty means 0"}
	highAttribute     = Attribute{Name: "high", Kind: KindInts, Default: []int64{}, Doc: "padding after it; empty means 0"}
	dilationAttribute = Attribute{Name: "dilation", Kind: KindInts, Default: []int64{}, Doc: "distance between taps, at least 1; empty means 1"}
)

// geometry describes windows that slide over the spatial dimensions.
type geometry struct {
	in                                   shape.Shape
	kernel, strides, low, high, dilation []int64
	groups                               int64
}

// perDimension reads a list with one number of at least least per spatial dimension.
func (c *Call) perDimension(name string, n int, least, none int64) ([]int64, error) {
	v := slices.Clone(c.Attrs.Ints(name))
	if len(v) == 0 {
		v = make([]int64, n)
		for i := range v {
			v[i] = none
		}
	}
	if len(v) != n {
		return nil, c.Failf(CodeAttribute, "%s = %v needs one number for each of %d spatial dimensions", name, v, n)
	}
	for _, x := range v {
		if x < least || x > maxWindow {
			return nil, c.Failf(CodeAttribute, "%s = %v", name, v)
		}
	}
	return v, nil
}

// geometry checks x [N, C, S...] against the attributes of windows.
func (c *Call) geometry(kernel []int64) (g geometry, err error) {
	if err := c.known(); err != nil {
		return g, err
	}
	n := c.In[0].Shape.Rank() - 2
	if n < 1 || len(kernel) != n {
		return g, c.Failf(CodeShape, "want x [N, C, S...] and a window with as many dimensions as S")
	}
	g.in, g.kernel = c.In[0].Shape[2:], kernel
	taps := int64(1)
	for i, k := range kernel {
		if k < 1 || k > maxTaps || taps*k > maxTaps || g.in[i].Size > maxWindow {
			return g, c.Failf(CodeShape, "a window of %v has no taps, or more than %d, or an operand is too large", kernel, maxTaps)
		}
		taps *= k
	}
	for _, a := range []struct {
		name        string
		to          *[]int64
		least, none int64
	}{{"strides", &g.strides, 1, 1}, {"low", &g.low, 0, 0}, {"high", &g.high, 0, 0}, {"dilation", &g.dilation, 1, 1}} {
		if *a.to, err = c.perDimension(a.name, n, a.least, a.none); err != nil {
			return g, err
		}
	}
	return g, nil
}

// kernels checks that x [N, C, ...] and a kernel are static, except for the
// batch and the spatial sizes of x.
func (c *Call) kernels() error {
	if err := c.known(); err != nil {
		return err
	}
	if err := c.static(1); err != nil {
		return err
	}
	return c.static(0, 1)
}

func (c *Call) convolution() (geometry, error) {
	if err := c.oneDType(2); err != nil {
		return geometry{}, err
	}
	if c.In[1].Shape.Rank() != c.In[0].Shape.Rank() || c.In[1].Shape.Rank() < 3 {
		return geometry{}, c.Failf(CodeShape, "x and kernel must have the same rank, 3 or more")
	}
	if err := c.kernels(); err != nil {
		return geometry{}, err
	}
	g, err := c.geometry(c.In[1].Shape.Sizes()[2:])
	if g.groups = c.Attrs.Int("groups"); err == nil && g.groups < 1 {
		err = c.Failf(CodeAttribute, "groups = %d", g.groups)
	}
	return g, err
}

// extent returns how many elements the taps of dimension i span.
func (g geometry) extent(i int) int64 { return g.dilation[i]*(g.kernel[i]-1) + 1 }

// windows returns the number of windows along dimension i. With ceil it includes a last
// one that extends beyond the padded operand, if it starts in the operand or in the
// padding before it.
func (g geometry) windows(c *Call, i int, ceil bool) (shape.Dim, error) {
	room := g.in[i].Plus(shape.N(g.low[i])).Plus(shape.N(g.high[i])).Minus(shape.N(g.extent(i)))
	if !notNegative(room) {
		return one, c.outside(2+i, false, "the window does not fit spatial dimension %d", i)
	}
	n := room.FloorDiv(g.strides[i]).Plus(one)
	if !ceil || g.strides[i] == 1 {
		return n, nil
	}
	if !room.IsStatic() {
		return one, c.mustKnow(0, 2+i).Hint("give that dimension of the input a fixed size, or do not use ceil")
	}
	if room.Size%g.strides[i] != 0 && n.Size*g.strides[i] < g.in[i].Size+g.low[i] {
		n = n.Plus(one)
	}
	return n, nil
}
