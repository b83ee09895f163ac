package dag

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// maxElements is the maximum product of static sizes, not counting zeros: a program
// could not be compiled beyond it.
const maxElements = 1 << 61

// sized rejects sizes with a larger product, even if one of them is 0.
func sized(s shape.Shape, path string) error {
	product := int64(1)
	for _, d := range s {
		if d.Size > 0 && product > maxElements/d.Size {
			return errs.New(shape.CodeOverflow, "the product of the nonzero sizes of shape %s is more than 2^61", s).On(path).
				Hint("use smaller sizes")
		}
		product *= max(d.Size, 1)
	}
	return nil
}

// dims checks the dimensions of a function: sizes with sized; every name must be told by an
// argument's dimension (shape.Dim.Tells), so that a call determines its size.
func (c *check) dims(f *Func) error {
	given := map[string]bool{}
	for _, v := range f.Body.Args {
		for _, d := range v.Type.Shape {
			if name, _, _, ok := d.Tells(); ok {
				given[name] = true
			}
		}
	}
	of := func(s shape.Shape, path string) error {
		if err := sized(s, path); err != nil {
			return err
		}
		for _, d := range s {
			if d.Size != shape.Dynamic || d.Name == "" {
				continue
			}
			if shape.Named(d.Name) != d {
				return errs.New(CodeDim, "%q is not a valid dimension name", d.Name).On(path).
					Hint("a name consists of letters, digits and _, or is a sum of products of such names")
			}
			for _, n := range d.Names() {
				if !given[n] {
					return errs.New(CodeDim, "dimension %s: no argument of the function has a dimension %s?", d, n).On(path).
						Hint("use dimensions of arguments")
				}
			}
		}
		return nil
	}
	return c.dimsOf(f.Body, f.Name, of)
}

func (c *check) dimsOf(b *Block, path string, of func(s shape.Shape, path string) error) error {
	for _, v := range b.Args {
		if err := of(v.Type.Shape, path); err != nil {
			return err
		}
	}
	for _, n := range b.Nodes {
		for _, v := range n.Outputs {
			if err := of(v.Type.Shape, n.Path); err != nil {
				return err
			}
		}
		for _, name := range n.Attrs.Names() {
			s, _ := n.Attrs[name].(shape.Shape)
			if t, ok := n.Attrs[name].(tensor.Type); ok {
				s = t.Shape
			}
			if err := of(s, n.Path); err != nil {
				return err
			}
		}
		for _, inner := range n.Blocks {
			if err := c.dimsOf(inner, n.Path, of); err != nil {
				return err
			}
		}
	}
	return nil
}
