package op

import (
	"errors"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Rules see dynamic dimensions by name: what has one name is one size, whatever
// the call, and a size is what arithmetic on names makes of it (shape.Dim). A rule
// that cannot prove what it needs refuses at capture. At a call the rules run
// again over the numbers (compile/dag.Specialize).

var sizeOp = &Op{
	Name: "dim_size", Family: Source, Traits: moves.role(Measures),
	Doc:        "The size of dimension dim of x, an i32 scalar: for numbers that depend on a dynamic size. Sizes that others need, as of a reshape, are written by name.",
	Operands:   []Operand{{Name: "x", Class: Any}},
	Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "the dimension"}},
	Rule: func(c *Call) ([]tensor.Type, error) {
		dim, err := c.axis("dim", c.In[0].Shape.Rank())
		if err != nil {
			return nil, err
		}
		if c.In[0].Shape[dim].Size > 1<<31-1 {
			return nil, c.Failf(CodeShape, "dimension %d is more than an i32 counts", dim)
		}
		return []tensor.Type{{DType: dtype.I32, Shape: shape.Shape{}}}, nil
	},
}

// differ refuses two sizes that are not the same, and says what to do where that
// is because they are dynamic.
func (c *Call) differ(a, b shape.Dim, what string, args ...any) error {
	err := c.Failf(CodeShape, what, args...)
	switch {
	case a.IsStatic() && b.IsStatic():
	case !a.IsKnown() || !b.IsKnown():
		err.Hint("a size ? is equal to no other: give the dimension of the input a name")
	default:
		err.Hint("%s and %s are equal in some calls only: give the dimensions of the inputs one name, or one size", a, b)
	}
	return err
}

// unequal refuses operand i, whose shape is not that of the one before it.
func (c *Call) unequal(i int, what string, args ...any) error {
	a, b := c.In[i-1].Shape, c.In[i].Shape
	if len(a) == len(b) {
		for d := range a {
			if !a[d].Same(b[d]) {
				return c.differ(a[d], b[d], what, args...)
			}
		}
	}
	return c.Failf(CodeShape, what, args...)
}

// operand names operand i for messages.
func (c *Call) operand(i int) string { return c.Op.Operands[min(i, len(c.Op.Operands)-1)].Name }

// known is an error where a size of an operand has neither a number nor a name.
func (c *Call) known() error {
	for i, t := range c.In {
		for d, n := range t.Shape {
			if !n.IsKnown() {
				return c.Failf(CodeShape, "dimension %d of operand %q has no size and no name", d, c.operand(i)).
					Hint("give the dimension of the input a name")
			}
		}
	}
	return nil
}

// static is an error where one of the dimensions of operand i is dynamic; no
// dimensions mean all.
func (c *Call) static(i int, dims ...int) error {
	s := c.In[i].Shape
	if dims == nil {
		for d := range s {
			dims = append(dims, d)
		}
	}
	for _, d := range dims {
		if !s[d].IsStatic() {
			return c.mustKnow(i, d)
		}
	}
	return nil
}

func (c *Call) mustKnow(i, d int) *errs.Error {
	return c.Failf(CodeShape, "dimension %d of operand %q is %s and must be known", d, c.operand(i), c.In[i].Shape[d]).
		Hint("give that dimension of the input a size")
}

// listed checks sizes that an attribute gives.
func (c *Call) listed(name string) (shape.Shape, error) {
	sizes := c.Attrs.Dims(name)
	for _, d := range sizes {
		if !d.IsKnown() || d.Size < shape.Dynamic {
			return nil, c.Failf(CodeShape, "%s = %s: every size must be a number or have a name", name, sizes)
		}
	}
	return sizes, nil
}

// notNegative is false for what is below 0, or may be in some call.
func notNegative(d shape.Dim) bool { return d.Size >= 0 || d.AtLeast(0) }

// advised says what to do about an error that says nothing of it, where a size is
// dynamic.
func (c *Call) advised(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) || e.Do != "" || e.Code == CodeDType || e.Code == CodeOperands {
		return err
	}
	for i, t := range c.In {
		for d, n := range t.Shape {
			if !n.IsStatic() {
				e.Hint("where dimension %d of %q, %s, would have to fit in every call: give that dimension of the input a size", d, c.operand(i), n)
				return err
			}
		}
	}
	return err
}
