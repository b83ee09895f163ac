package dag

import (
	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang/shape"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// dims checks the dynamic dimensions of a function: a call must give the size of
// every name, as one that an argument has.
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
