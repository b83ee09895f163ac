package randgraph

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// In a dynamic graph every size of an input that is one of these is a name. Others
// hardly come out as these by chance; where they do, the shape rules refuse the
// step.
const (
	batchSize = 11
	seqSize   = 13
)

// otherSizes are those of a second call of the same program.
var otherSizes = map[int64]int64{batchSize: 1, seqSize: 6}

// named returns sizes as they are in the graph.
func (g *gen) named(sizes []int64) shape.Shape {
	dims := shape.Of(sizes...)
	for i, n := range sizes {
		switch {
		case !g.dynamic:
		case n == batchSize:
			dims[i] = shape.Named("batch")
		case n == seqSize:
			dims[i] = shape.Named("seq")
		}
	}
	return dims
}

// known is named for sizes that no operand brings: a function knows only names of
// its inputs.
func (g *gen) known(sizes []int64) shape.Shape {
	dims := g.named(sizes)
	for i, d := range dims {
		if !d.IsStatic() {
			dims[i] = shape.N(2)
		}
	}
	return dims
}

// resize adds a call with other sizes: its arguments are the corners of the first
// call's. There is none where its results would not be fit to compare.
func (g *gen) resize(graph *dag.Graph) {
	c := g.c
	other := &call{}
	var types []tensor.Type
	var worlds [][]tensor.Value
	for i, v := range c.values {
		if !c.isInput(i) {
			continue
		}
		sizes := v.typ.Shape.Sizes()
		for i, d := range v.shape {
			if !d.IsStatic() {
				sizes[i] = otherSizes[sizes[i]]
			}
		}
		a := corner(v.worlds[0], sizes)
		other.args, types, worlds = append(other.args, a), append(types, a.Type), append(worlds, same(a))
	}
	if other.results = g.worlds(graph, types, worlds); other.results != nil {
		c.other = other
	}
}

// corner takes the first elements along each dimension.
func corner(v tensor.Value, sizes []int64) tensor.Value {
	from := v.Type.Shape.Sizes()
	t := tensor.TypeOf(v.Type.DType, sizes...)
	width := max(v.Type.DType.Bits()/8, 1)
	out := tensor.Value{Type: t}
	n := product(sizes)
	for i := range n {
		at, step, rest := int64(0), int64(1), i
		for d := len(sizes) - 1; d >= 0; d-- {
			at += rest % sizes[d] * step
			rest /= sizes[d]
			step *= from[d]
		}
		out.Bytes = append(out.Bytes, v.Bytes[at*int64(width):(at+1)*int64(width)]...)
	}
	return out
}
