package op

import (
	"errors"
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Rules see dynamic dimensions by name: dimensions with the same name have the
// same size in every call, and a size may be an expression of names (shape.Dim). A rule
// that cannot prove what it needs is an error at capture. At a call the rules run
// again on the actual sizes (compile/dag.Specialize).

var sizeOp = &Op{
	Name: "dim_size", Family: Source, Traits: moves.role(Measures).padding(LeftOut),
	Doc:        "The size of dimension dim of x as an i32 scalar, for arithmetic on a dynamic size. Where an operation takes sizes, such as reshape, use the name instead.",
	Operands:   []Operand{{Name: "x", Class: Any}},
	Attributes: []Attribute{{Name: "dim", Kind: KindInt, Doc: "the dimension"}},
	Rule: func(c *Call) ([]tensor.Type, error) {
		dim, err := c.axis("dim", c.In[0].Shape.Rank())
		if err != nil {
			return nil, err
		}
		if c.In[0].Shape[dim].Size > 1<<31-1 {
			return nil, c.Failf(CodeShape, "the size of dimension %d does not fit in an i32", dim)
		}
		return []tensor.Type{{DType: dtype.I32, Shape: shape.Shape{}}}, nil
	},
}

// differ returns an error for two different sizes, with a
// hint if they are dynamic.
func (c *Call) differ(a, b shape.Dim, what string, args ...any) error {
	err := c.Failf(CodeShape, what, args...)
	switch {
	case a.IsStatic() && b.IsStatic():
	case !a.IsKnown() || !b.IsKnown():
		err.Hint("a size ? equals no other: give the dimension of the input a name")
	default:
		err.Hint("%s", MakeEqual(a, b))
	}
	return err
}

// MakeEqual is the hint of an error about two known sizes that are equal in some calls only.
func MakeEqual(a, b shape.Dim) string {
	return fmt.Sprintf("%s and %s are equal in some calls only: give the dimensions of the inputs the same name, or the same size", a, b)
}

// MakeElementsEqual is the hint of an error about shapes that have equal numbers of elements
// in some calls only.
const MakeElementsEqual = "the numbers of elements must be equal whatever the dynamic sizes are"

// unequal returns an error for operand i, whose shape differs from that of the one before it.
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

// operand returns the name of operand i for messages.
func (c *Call) operand(i int) string { return c.Op.Operands[min(i, len(c.Op.Operands)-1)].Name }

// known returns an error if a size of an operand has neither a number nor a name.
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

// static returns an error if one of the dimensions of operand i is dynamic;
// without dims it checks all.
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
	return c.Failf(CodeShape, "dimension %d of operand %q is %s and must be static", d, c.operand(i), c.In[i].Shape[d]).
		Hint("give that dimension of the input a fixed size")
}

// listed returns the sizes of an attribute, which must be known.
func (c *Call) listed(name string) (shape.Shape, error) {
	sizes := c.Attrs.Dims(name)
	for _, d := range sizes {
		if !d.IsKnown() || d.Size < shape.Dynamic {
			return nil, c.Failf(CodeShape, "%s = %s: every size must be a number or have a name", name, sizes)
		}
	}
	return sizes, nil
}

// notNegative reports whether d is at least 0 in every call.
func notNegative(d shape.Dim) bool { return d.Size >= 0 || d.AtLeast(0) }

// advised adds a hint to an error that has none, if a size is
// dynamic.
func (c *Call) advised(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) || e.Do != "" || e.Code == CodeDType || e.Code == CodeOperands {
		return err
	}
	for i, t := range c.In {
		for d, n := range t.Shape {
			if !n.IsStatic() {
				e.Hint("dimension %d of %q, %s, must be valid in every call: give that dimension of the input a fixed size", d, c.operand(i), n)
				return err
			}
		}
	}
	return err
}
