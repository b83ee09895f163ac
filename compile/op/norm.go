package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var normOps = []*Op{
	{
		Name: "softmax", Family: Normalising, Traits: approximate.wide().reduces(Dim),
		Doc:        "exp(x - max) / sum exp(x - max) along dim. A row whose elements are all -inf becomes NaN, as in the formula.",
		Operands:   []Operand{{Name: "x", Class: Float}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension that sums to one"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if _, err := c.axis("dim", c.In[0].Shape.Rank()); err != nil {
				return nil, err
			}
			return []tensor.Type{c.In[0]}, nil
		},
	},
	{
		Name: "layer_norm", Family: Normalising, Traits: cancelling.wide().reduces(Last),
		Doc:        "(x - mean) / sqrt(variance + epsilon) * gamma + beta over the last dimension D, with the biased variance (Ba et al. 2016); gamma and beta are [D].",
		Operands:   []Operand{{Name: "x", Class: Float}, {Name: "gamma", Class: Float}, {Name: "beta", Class: Float}},
		Attributes: []Attribute{{Name: "epsilon", Kind: KindFloat, Default: 1e-5, Doc: "added to the variance"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			x := c.In[0]
			r := x.Shape.Rank()
			if r == 0 || x.Shape[r-1].Size == 0 {
				return nil, c.Failf(CodeShape, "nothing to normalise over")
			}
			want := tensor.Type{DType: x.DType, Shape: x.Shape[r-1:]}
			for _, t := range c.In[1:] {
				if t.DType != want.DType || !t.Shape.Same(want.Shape) {
					return nil, c.Failf(CodeShape, "gamma and beta must be %s", want)
				}
			}
			if e := c.Attrs.Float("epsilon"); !(e >= 0) {
				return nil, c.Failf(CodeAttribute, "epsilon = %g", e)
			}
			return []tensor.Type{x}, nil
		},
	},
	{
		Name: "log_softmax", Family: Normalising, Traits: approximate.wide().reduces(Dim),
		Doc:        "x - max - log sum exp(x - max) along dim: the logarithm of softmax, without underflow of small values.",
		Operands:   []Operand{{Name: "x", Class: Float}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension whose exponentials sum to one"}},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if _, err := c.axis("dim", c.In[0].Shape.Rank()); err != nil {
				return nil, err
			}
			return []tensor.Type{c.In[0]}, c.known()
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x, dim := in[0].wide(), c.Attrs.Int("dim")
			x = x.minus(x.reduce("reduce_max", dim))
			return []expr{x.minus(x.un("exp").reduce("reduce_sum", dim).un("log")).to(in[0].d())}
		},
	},
	{
		Name: "rms_norm", Family: Normalising, Traits: approximate.wide().reduces(Last),
		Doc:      "x / sqrt(mean of x^2 + epsilon) * (gamma + offset) over the last dimension D (Zhang and Sennrich 2019); gamma is [D].",
		Operands: []Operand{{Name: "x", Class: Float}, {Name: "gamma", Class: Float}},
		Attributes: []Attribute{
			epsilonAttribute(1e-6, "added to the mean square"),
			{Name: "offset", Kind: KindFloat, Default: 0.0, Doc: "added to gamma: 1 for models that store gamma - 1"},
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			return c.normalised(c.In[0].Shape.Rank()-1, 1, true)
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x, last := in[0].wide(), int64(in[0].rank()-1)
			scale := x.times(x).mean(last).with("add", c.Attrs.Float("epsilon")).un("rsqrt")
			gamma := in[1].wide()
			if o := c.Attrs.Float("offset"); o != 0 {
				gamma = gamma.with("add", o)
			}
			return []expr{x.times(scale).times(gamma).to(in[0].d())}
		},
	},
	{
		Name: "l2_normalize", Family: Normalising, Traits: approximate.wide().reduces(Dim),
		Doc:      "x / max(sqrt(sum of x^2), epsilon) along dim.",
		Operands: []Operand{{Name: "x", Class: Float}},
		Attributes: []Attribute{
			{Name: "dim", Kind: KindInt, Doc: "dimension to normalise to length one"},
			epsilonAttribute(1e-12, "least length, so that zeros stay zeros"),
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			if _, err := c.axis("dim", c.In[0].Shape.Rank()); err != nil {
				return nil, err
			}
			if e := c.Attrs.Float("epsilon"); !(e >= 0) {
				return nil, c.Failf(CodeAttribute, "epsilon = %g", e)
			}
			return []tensor.Type{c.In[0]}, c.known()
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x := in[0].wide()
			length := x.times(x).reduce("reduce_sum", c.Attrs.Int("dim")).un("sqrt")
			return []expr{x.over(length.with("maximum", c.Attrs.Float("epsilon"))).to(in[0].d())}
		},
	},
	{
		Name: "cosine_similarity", Family: Normalising, Traits: approximate.wide().reduces(Dim),
		Doc:      "The cosine of the angle between the vectors of a and of b along dim, which is dropped: sum a b / (max(|a|, epsilon) max(|b|, epsilon)). a and b have the same type.",
		Operands: []Operand{{Name: "a", Class: Float}, {Name: "b", Class: Float}},
		Attributes: []Attribute{
			{Name: "dim", Kind: KindInt, Doc: "dimension of the vectors"},
			epsilonAttribute(1e-8, "least length of a vector"),
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			dim, err := c.axis("dim", c.In[0].Shape.Rank())
			if err != nil {
				return nil, err
			}
			if e := c.Attrs.Float("epsilon"); !(e >= 0) {
				return nil, c.Failf(CodeAttribute, "epsilon = %g", e)
			}
			out, err := same(c)
			if err != nil {
				return nil, err
			}
			out[0].Shape = reduced(out[0].Shape, map[int64]bool{int64(dim): true}, false)
			return out, c.known()
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			sum := func(x expr) expr {
				return apply(x.add, "reduce_sum", Attrs{"dims": []int64{c.Attrs.Int("dim")}}, x)
			}
			length := func(x expr) expr { return sum(x.times(x)).un("sqrt").with("maximum", c.Attrs.Float("epsilon")) }
			a, b := in[0].wide(), in[1].wide()
			return []expr{sum(a.times(b)).over(length(a).times(length(b))).to(in[0].d())}
		},
		Examples: []Example{{Shapes: [][]int64{{3, 4}, {3, 4}}, Gives: [][]int64{{3}}, Attrs: Attrs{"dim": int64(1)}}},
	},
	{
		Name: "batch_norm", Family: Normalising, Traits: cancelling.wide(),
		Doc: "Inference form: (x - mean) / sqrt(variance + epsilon) * gamma + beta for x [N, C, ...] with given statistics; all others are [C] (Ioffe and Szegedy 2015).",
		Operands: []Operand{
			{Name: "x", Class: Float}, {Name: "gamma", Class: Float}, {Name: "beta", Class: Float},
			{Name: "mean", Class: Float}, {Name: "variance", Class: Float},
		},
		Attributes: []Attribute{epsilonAttribute(1e-5, "added to the variance")},
		Rule:       func(c *Call) ([]tensor.Type, error) { return c.normalised(1, 4, false) },
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			x := in[0].wide()
			of := func(i int) expr { return in[i].wide().reshape(channels(x)...) }
			scale := of(4).with("add", c.Attrs.Float("epsilon")).un("rsqrt").times(of(1))
			return []expr{x.minus(of(3)).times(scale).plus(of(2)).to(in[0].d())}
		},
	},
	{
		Name: "instance_norm", Family: Normalising, Traits: cancelling.wide().reduces(Windows),
		Doc:        "Normalizes x [N, C, ...] over all dimensions after C, with the biased variance, then times gamma [C] plus beta [C] (Ulyanov et al. 2016).",
		Operands:   []Operand{{Name: "x", Class: Float}, {Name: "gamma", Class: Float}, {Name: "beta", Class: Float}},
		Attributes: []Attribute{epsilonAttribute(1e-5, "added to the variance")},
		Rule:       func(c *Call) ([]tensor.Type, error) { return c.normalised(1, 2, true) },
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			return []expr{grouped(c, in, in[0].dim(1), one)}
		},
	},
	{
		Name: "group_norm", Family: Normalising, Traits: cancelling.wide().reduces(Windows),
		Doc:      "Normalizes x [N, C, ...] over each of the groups of C/groups channels and all dimensions after C, with the biased variance, then times gamma [C] plus beta [C] (Wu and He 2018).",
		Operands: []Operand{{Name: "x", Class: Float}, {Name: "gamma", Class: Float}, {Name: "beta", Class: Float}},
		Attributes: []Attribute{
			{Name: "groups", Kind: KindInt, Doc: "number of groups, a divisor of C"},
			epsilonAttribute(1e-5, "added to the variance"),
		},
		Rule: func(c *Call) ([]tensor.Type, error) {
			out, err := c.normalised(1, 2, true)
			if g := c.Attrs.Int("groups"); err == nil && (g < 1 || !out[0].Shape[1].DivisibleBy(g)) {
				return nil, c.Failf(CodeAttribute, "groups = %d does not divide the channels", g)
			}
			return out, err
		},
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			g := c.Attrs.Int("groups")
			return []expr{grouped(c, in, shape.N(g), in[0].dim(1).FloorDiv(g))}
		},
	},
}

func epsilonAttribute(v float64, doc string) Attribute {
	return Attribute{Name: "epsilon", Kind: KindFloat, Default: v, Doc: doc}
}

// normalised is the rule of norms whose n operands after x are vectors as long
// as dimension dim of x. over requires that there are elements to normalise over.
func (c *Call) normalised(dim, n int, over bool) ([]tensor.Type, error) {
	x := c.In[0]
	if x.Shape.Rank() <= dim || dim < 0 {
		return nil, c.Failf(CodeShape, "the rank is too low")
	}
	if err := c.known(); err != nil {
		return nil, err
	}
	if err := c.oneDType(n + 1); err != nil {
		return nil, err
	}
	for i := 1; i <= n; i++ {
		if err := c.wants(i, x.Shape[dim]); err != nil {
			return nil, err
		}
	}
	if e := c.Attrs.Float("epsilon"); !(e >= 0) {
		return nil, c.Failf(CodeAttribute, "epsilon = %g", e)
	}
	for _, d := range x.Shape[1:] {
		if over && d.Size == 0 {
			return nil, c.Failf(CodeShape, "nothing to normalise over")
		}
	}
	return []tensor.Type{x}, nil
}

// channels returns the shape that broadcasts a vector [C] over x [N, C, ...].
func channels(x expr) shape.Shape {
	sizes := ones(x.rank())
	sizes[1] = x.dim(1)
	return sizes
}

// grouped normalises x over groups of channels, each of the given size.
func grouped(c *Call, in []expr, groups, size shape.Dim) expr {
	x := in[0].wide()
	y := x.reshape(x.dim(0), groups, size.Times(x.dims()[2:].Product()))
	y = y.minus(y.mean(2))
	y = y.times(y.times(y).mean(2).with("add", c.Attrs.Float("epsilon")).un("rsqrt")).reshape(x.dims()...)
	return y.times(in[1].wide().reshape(channels(x)...)).plus(in[2].wide().reshape(channels(x)...)).to(in[0].d())
}
