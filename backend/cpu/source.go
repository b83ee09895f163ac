package cpu

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

var sourceKernels = map[id.ID]kernel{
	id.Constant: one(func(n *dag.Node, in []array, out tensor.Type) array {
		return fromValue(n.Attrs.Value("value"))
	}),
	id.Splat: one(func(n *dag.Node, in []array, out tensor.Type) array {
		y := zeros(out)
		y.data.fill(n.Attrs.Float("value"), out.DType)
		return roundToDType(y)
	}),
	id.Parameter: func(f *frame, n *dag.Node, in []array) ([]array, error) {
		return []array{f.x.params[paramID{n.Attrs.String("scope"), n.Attrs.String("key")}]}, nil
	},
	id.State: func(f *frame, n *dag.Node, in []array) ([]array, error) {
		return []array{f.x.states[n.Attrs.String("name")]}, nil
	},
	id.DimSize: one(func(n *dag.Node, in []array, out tensor.Type) array {
		y := zeros(out)
		y.data.fill(float64(in[0].typ.Shape[n.Attrs.Int("dim")].Size), out.DType)
		return y
	}),
	id.Iota: one(func(n *dag.Node, in []array, out tensor.Type) array {
		y := zeros(out)
		sizes := sizesOf(out)
		dim := n.Attrs.Int("dim")
		y.data.iota(sizes[dim], strides(sizes)[dim])
		return roundToDType(y)
	}),
}

// iota counts along the middle of [outer, n, inner].
func (x vec[T]) iota(n, inner int) {
	for i := range x {
		x[i] = T(i / inner % n)
	}
}
