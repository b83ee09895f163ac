package dag

import (
	"github.com/skainet-dev/skainet-go/tensor"
)

// WithSizes returns g with numbers in place of some names of sizes, wherever they are:
// each node has passed shape inference again. g is not changed; both share constants.
func WithSizes(g *Graph, sizes map[string]int64) (*Graph, error) {
	if len(sizes) == 0 {
		return g, nil
	}
	s := &specializer{
		from: g, to: &Graph{Name: g.Name, States: g.States, Mesh: g.Mesh},
		funcs: map[string]*Func{}, names: map[string]bool{}, origins: map[*Value]*Value{},
	}
	for _, f := range g.Funcs {
		var types []tensor.Type
		for _, v := range f.Body.Args {
			t, err := v.Type.Shape.Bind(sizes)
			if err != nil {
				return nil, at(err, f.Name)
			}
			types = append(types, tensor.Type{DType: v.Type.DType, Shape: t})
		}
		if _, err := s.bound(f, types, sizes); err != nil {
			return nil, err
		}
	}
	return s.to, nil
}
