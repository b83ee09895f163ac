package dag

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// maxElements is what static sizes may multiply to, those of 0 left out: a program
// could not be compiled beyond.
const maxElements = 1 << 61

// sized refuses sizes that multiply to more, as they do after a dimension of 0.
func sized(s shape.Shape, path string) error {
	product := int64(1)
	for _, d := range s {
		if d.Size > 0 && product > maxElements/d.Size {
			return errs.New(shape.CodeOverflow, "the sizes of shape %s multiply to more than 2^61, those of 0 left out", s).On(path).
				Hint("take smaller sizes")
		}
		product *= max(d.Size, 1)
	}
	return nil
}

// dims checks the dimensions of a function: sizes by sized; a call must give the
// size of every name, as one that an argument has.
func (c *check) dims(f *Func) error {
	given := map[string]bool{}
	for _, v := range f.Body.Args {
		for _, d := range v.Type.Shape {
			if d.IsName() {
				given[d.Name] = true
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
				return errs.New(CodeDim, "%q is no name of a dimension", d.Name).On(path).
					Hint("a name is letters, digits and _, or a sum of products of such names")
			}
			for _, n := range d.Names() {
				if !given[n] {
					return errs.New(CodeDim, "dimension %s: no argument of the function has a dimension %s?", d, n).On(path).
						Hint("take the sizes of dimensions from arguments")
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
