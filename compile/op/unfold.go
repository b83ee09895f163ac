package op

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Windows as separate dimensions, and the reverse.
var unfoldOps = []*Op{
	{
		Name: "unfold", Family: Layout, Traits: moves,
		Doc:      "Windows along dim: x [A..., D, B...] becomes [A..., (D - size)/step + 1, B..., size]; window i starts at element i step.",
		Operands: []Operand{{Name: "x", Class: Any}},
		Attributes: []Attribute{
			{Name: "dim", Kind: KindInt, Doc: "dimension to split into windows"},
			{Name: "size", Kind: KindInt, Doc: "elements of a window, 1 to 4096"},
			{Name: "step", Kind: KindInt, Default: int64(1), Doc: "distance between windows, at least 1"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			dim, err := c.axis("dim", c.In[0].Shape.Rank())
			if err != nil {
				return nil, err
			}
			if err := c.known(); err != nil {
				return nil, err
			}
			size, step := c.Attrs.Int("size"), c.Attrs.Int("step")
			if size < 1 || size > maxTaps || step < 1 || step > maxWindow {
				return nil, c.Failf(CodeAttribute, "size = %d, step = %d", size, step)
			}
			out := append(shape.Shape{}, c.In[0].Shape...)
			room := out[dim].Minus(shape.N(size))
			if !notNegative(room) {
				return nil, c.outside(dim, false, "a window of %d does not fit dimension %d", size, dim)
			}
			out[dim] = room.FloorDiv(step).Plus(one)
			return []tensor.Type{{DType: c.In[0].DType, Shape: append(out, shape.N(size))}}, nil
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			dim, size, step := int(c.Attrs.Int("dim")), c.Attrs.Int("size"), c.Attrs.Int("step")
			n := in[0].dim(dim).Minus(shape.N(size)).FloorDiv(step).Plus(one)
			return []expr{in[0].taps(b, dim, in[0].rank(), n, size, step, 1)}
		},
	},
	{
		Name: "im2col", Family: Layout, Traits: moves,
		Doc:        "The windows of a convolution as columns: x [N, C, S...] becomes [N, C prod K, prod L], where the taps of each channel, and the windows, are flattened in row-major order. Windows as in convolution; zeros outside.",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{kernelAttribute, stridesAttribute, lowAttribute, highAttribute, dilationAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			g, err := c.geometry(c.Attrs.Ints("kernel"))
			if err != nil {
				return nil, err
			}
			x := c.In[0].Shape
			out := shape.Shape{x[0], x[1], one}
			for i, k := range g.kernel {
				n, err := g.windows(c, i, false)
				if err != nil {
					return nil, err
				}
				out[1], out[2] = out[1].Times(shape.N(k)), out[2].Times(n)
			}
			return []tensor.Type{{DType: c.In[0].DType, Shape: out}}, nil
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			g, _ := c.geometry(c.Attrs.Ints("kernel")) // checked by the rule
			x := in[0].pad(2, g.low, g.high, 0)
			channels, places := x.dim(1), one
			for i, k := range g.kernel { // [N, C, taps so far..., windows so far..., S...]
				n, _ := g.windows(c, i, false)
				x = x.taps(b, 2+2*i, 2+i, n, k, g.strides[i], g.dilation[i])
				channels, places = channels.Times(shape.N(k)), places.Times(n)
			}
			return []expr{x.reshape(x.dim(0), channels, places)}
		},
	},
	{
		Name: "col2im", Family: Layout, Traits: computes(Sum).follow().reduces(Windows).terms(Addends),
		Doc:        "The transpose of im2col: columns x [N, C prod K, prod L] added into [N, C, sizes...] at the positions that im2col reads; elements in the padding are dropped. Sums are in f32 or wider.",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{{Name: "sizes", Kind: KindInts, Doc: "spatial sizes of the result"}, kernelAttribute, stridesAttribute, lowAttribute, highAttribute, dilationAttribute},
		Rule: func(c *Call) ([]tensor.Type, error) {
			_, out, err := c.columns()
			return []tensor.Type{{DType: c.In[0].DType, Shape: out}}, err
		},
		Decompose: func(c *Call, b *builder, in []expr) []expr {
			g, out, _ := c.columns() // checked by the rule
			x := in[0].wide()
			dims := slices.Clone(out[:2])
			for _, k := range g.kernel {
				dims = append(dims, shape.N(k))
			}
			for i := range g.kernel {
				n, _ := g.windows(c, i, false)
				dims = append(dims, n)
			}
			x = x.reshape(dims...)
			for i := len(g.kernel) - 1; i >= 0; i-- {
				x = g.gathered(x, i)
			}
			return []expr{x.to(in[0].d())}
		},
	},
	{
		Name: "pad_interior", Family: Layout, Traits: moves,
		Doc:      "Pads x with a scalar value like pad, and inserts interior[i] such elements between adjacent elements along dimension i: [(D - 1)(interior + 1) + 1 + low + high...]; an empty dimension has no interior.",
		Operands: []Operand{{Name: "x", Class: Any}, {Name: "value", Class: Any}},
		Attributes: []Attribute{
			{Name: "low", Kind: KindInts, Doc: "elements before, not negative"},
			{Name: "high", Kind: KindInts, Doc: "elements after, not negative"},
			{Name: "interior", Kind: KindInts, Doc: "elements between adjacent elements, not negative"},
		},
		Rule: padInteriorRule,
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x := in[0]
			for i, n := range c.Attrs.Ints("interior") {
				x = x.dilate(i, n, in[1])
			}
			return []expr{apply(x.add, "pad", Attrs{"low": c.Attrs.Ints("low"), "high": c.Attrs.Ints("high")}, x, in[1])}
		},
	},
}

func padInteriorRule(c *Call) ([]tensor.Type, error) {
	x, low, high, interior := c.In[0], c.Attrs.Ints("low"), c.Attrs.Ints("high"), c.Attrs.Ints("interior")
	if c.In[1].Shape.Rank() != 0 || c.In[1].DType != x.DType {
		return nil, c.Failf(CodeShape, "the padding value must be a scalar of the operand's element type")
	}
	if len(low) != x.Shape.Rank() || len(high) != x.Shape.Rank() || len(interior) != x.Shape.Rank() {
		return nil, c.Failf(CodeAttribute, "low, high and interior need one number per dimension")
	}
	if err := c.known(); err != nil {
		return nil, err
	}
	out := append(shape.Shape{}, x.Shape...)
	for i, n := range interior {
		if low[i] < 0 || high[i] < 0 || n < 0 || low[i] > maxWindow || high[i] > maxWindow || n > maxWindow {
			return nil, c.Failf(CodeAttribute, "low, high and interior of dimension %d are %d, %d and %d", i, low[i], high[i], n)
		}
		if n > 0 && out[i].Size != 0 {
			if out[i].Size > maxWindow || !out[i].AtLeast(1) {
				return nil, c.outside(i, false, "dimension %d is %s: interior padding needs at least one element, and not too many", i, out[i])
			}
			out[i] = out[i].Minus(one).Times(shape.N(n + 1)).Plus(one)
		}
		if out[i] = out[i].Plus(shape.N(low[i])).Plus(shape.N(high[i])); !out[i].IsKnown() || out[i].Size < shape.Dynamic {
			return nil, c.Failf(CodeShape, "dimension %d of the result overflows", i)
		}
	}
	return []tensor.Type{{DType: x.DType, Shape: out}}, nil
}

// columns checks x [N, C K..., L...] of col2im, and returns the windows over
// the result and its sizes.
func (c *Call) columns() (g geometry, out shape.Shape, err error) {
	x := c.In[0].Shape
	if len(x) != 3 {
		return g, nil, c.Failf(CodeShape, "want x [N, C prod K, prod L]")
	}
	if err := c.known(); err != nil {
		return g, nil, err
	}
	kernel := c.Attrs.Ints("kernel")
	taps, windows := int64(1), one
	out = shape.Shape{x[0], x[1]}
	for _, s := range c.Attrs.Ints("sizes") {
		if s < 0 || s > maxWindow {
			return g, nil, c.Failf(CodeAttribute, "sizes = %v", c.Attrs.Ints("sizes"))
		}
		out = append(out, shape.N(s))
	}
	// The windows are over the result.
	over := &Call{Op: c.Op, Attrs: c.Attrs, In: []tensor.Type{{DType: c.In[0].DType, Shape: out}}}
	if g, err = over.geometry(kernel); err != nil {
		return g, nil, err
	}
	for i, k := range kernel {
		n, err := g.windows(over, i, false)
		if err != nil {
			return g, nil, err
		}
		taps, windows = taps*k, windows.Times(n)
	}
	if !x[1].DivisibleBy(taps) || x[2] != windows {
		return g, nil, c.Failf(CodeShape, "want x [N, C prod K, prod L] with %d taps and %s windows", taps, windows)
	}
	out[1] = x[1].FloorDiv(taps)
	return g, out, nil
}

// taps splits dimension dim into n windows of size taps; the taps become dimension to,
// which is not after dim or the last one.
func (x expr) taps(b *builder, dim, to int, n shape.Dim, size, step, dilation int64) expr {
	parts := make([]expr, size)
	for k := range parts {
		part := x.part(dim, shape.N(int64(k)*dilation), n, step)
		parts[k] = part.reshape(slices.Insert(part.dims(), to, one)...)
	}
	return b.concat(to, parts...)
}

// gathered reverses taps for spatial dimension i of x [N, C, taps up to i...,
// windows up to i..., sizes...].
func (g geometry) gathered(x expr, i int) expr {
	tap, at := 2+i, 2+2*i // the dimension of the taps, and of the windows without them
	n, padded := x.dim(at+1).Size, g.in[i].Size+g.low[i]+g.high[i]
	zero := (&builder{x.add}).splat(x.d(), 0)
	var sum expr
	for k := range g.kernel[i] {
		part := x.slice(tap, k, 1, 1)
		part = part.reshape(slices.Delete(part.dims(), tap, tap+1)...).dilate(at, g.strides[i]-1, zero)
		low := k * g.dilation[i]
		part = part.pad(at, []int64{low - g.low[i]}, []int64{padded - low - (n-1)*g.strides[i] - 1 - g.high[i]}, 0)
		if k == 0 {
			sum = part
		} else {
			sum = sum.plus(part)
		}
	}
	return sum
}

// dilate inserts n elements of value between adjacent elements along dim.
func (x expr) dilate(dim int, n int64, value expr) expr {
	if n == 0 || x.dim(dim).Size == 0 {
		return x
	}
	high := make([]int64, x.rank()+1)
	high[dim+1] = n
	whole := x.dims()
	whole[dim] = whole[dim].Times(shape.N(n + 1))
	kept := x.dim(dim).Minus(one).Times(shape.N(n + 1)).Plus(one)
	x = x.reshape(slices.Insert(x.dims(), dim+1, one)...)
	x = apply(x.add, "pad", Attrs{"low": make([]int64, x.rank()), "high": high}, x, value)
	return x.reshape(whole...).part(dim, shape.N(0), kept, 1)
}
