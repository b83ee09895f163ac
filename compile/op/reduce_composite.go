package op

import (
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Reductions composed of the basic ones.
var moreReductions = []*Op{
	composed(reduction("reduce_any", exact.reduces(Dims), Bool, "Reports whether any element over dims is true; false over nothing."),
		func(c *Call, b *builder, x expr) expr { return c.reduce("reduce_max", x.to(dtype.U8)).to(dtype.Bool) }),
	composed(reduction("reduce_all", exact.reduces(Dims), Bool, "Reports whether all elements over dims are true; true over nothing."),
		func(c *Call, b *builder, x expr) expr {
			return c.reduce("reduce_max", x.un("not").to(dtype.U8)).to(dtype.Bool).un("not")
		}),
	composed(counted(reduction("reduce_mean", sums.reduces(Dims).terms(Addends), Float, "Mean over dims, in f32 for narrow floats; NaN over nothing."), 0),
		func(c *Call, b *builder, x expr) expr {
			return c.reduce("reduce_sum", x).overCount(x, 0, c.Attrs.Ints("dims")...)
		}),
	composed(counted(reduction("reduce_log_sum_exp", approximate.wide().reduces(Dims), Float, "log sum e^x over dims, by the largest element, so that it does not overflow; -inf over nothing."), 0),
		func(c *Call, b *builder, x expr) expr {
			top := c.with(true).reduce("reduce_max", x)
			top = top.un("is_finite").choose(top, b.splat(top.d(), 0))
			sum := c.with(true).reduce("reduce_sum", x.minus(top).un("exp"))
			return c.squeezed(sum.un("log").plus(top))
		}),
	composed(counted(reduction("reduce_variance", cancelling.wide().reduces(Dims), Float,
		"Mean squared distance from the mean over dims, from the centred values; correction is taken from the number of elements, 0 for the population's variance and 1 for a sample's. Where a dynamic size makes fewer elements than that, the result is an infinity, NaN or negative."), 1),
		func(c *Call, b *builder, x expr) expr {
			dims := c.Attrs.Ints("dims")
			centred := x.minus(x.mean(dims...))
			return c.reduce("reduce_sum", centred.times(centred)).overCount(x, c.Attrs.Int("correction"), dims...)
		}),
	{
		Name: "argmin", Family: Reduction, Traits: exact.reduces(Dim), Doc: "Index (i32) of the first smallest element along dim, which is dropped. The first NaN counts as smallest.",
		Operands:   []Operand{{Name: "x", Class: Numeric}},
		Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "dimension to search"}},
		Rule:       argmaxRule,
		Decompose: func(c *Call, _ *builder, in []expr) []expr {
			turned := "negate"
			if in[0].d().IsInt() {
				turned = "not" // -x - 1, which does not overflow and serves unsigned types
			}
			return []expr{apply(in[0].add, "argmax", c.Attrs, in[0].un(turned))}
		},
	},
}

// composed computes a reduction in f32 or wider and rounds once.
func composed(o *Op, f func(c *Call, b *builder, x expr) expr) *Op {
	o.Decompose = func(c *Call, b *builder, in []expr) []expr {
		return []expr{f(c, b, in[0].wide()).to(in[0].d())}
	}
	return o
}

// counted requires that all sizes are static or named and, with a correction, that more
// elements than that are reduced.
func counted(o *Op, corrected int) *Op {
	rule := o.Rule
	if corrected > 0 {
		o.Attributes = append(o.Attributes, Attribute{Name: "correction", Kind: KindInt, Default: int64(0), Doc: "subtracted from the number of elements; not negative and less than that number"})
	}
	o.Rule = func(c *Call) ([]tensor.Type, error) {
		out, err := rule(c)
		if err == nil {
			err = c.known()
		}
		if err == nil && corrected > 0 {
			k, n := c.Attrs.Int("correction"), shape.N(1)
			for _, d := range c.Attrs.Ints("dims") {
				n = n.Times(c.In[0].Shape[d])
			}
			if k < 0 || n.IsStatic() && k >= n.Size {
				err = c.Failf(CodeAttribute, "correction = %d of %s elements", k, n)
			}
		}
		return out, err
	}
	return o
}

// with returns the call with keepdims changed.
func (c *Call) with(keep bool) *Call {
	return &Call{Op: c.Op, In: c.In, Attrs: Attrs{"dims": c.Attrs.Ints("dims"), "keepdims": keep}}
}

func (c *Call) reduce(name string, x expr) expr {
	return apply(x.add, name, Attrs{"dims": c.Attrs.Ints("dims"), "keepdims": c.Attrs.Bool("keepdims")}, x)
}

// squeezed drops the reduced dimensions of x, unless they are kept.
func (c *Call) squeezed(x expr) expr {
	if c.Attrs.Bool("keepdims") {
		return x
	}
	set := map[int64]bool{}
	for _, d := range c.Attrs.Ints("dims") {
		set[d] = true
	}
	return x.reshape(reduced(x.Type.Shape, set, false)...)
}
