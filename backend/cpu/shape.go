package cpu

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

var layoutKernels = map[id.ID]kernel{
	id.Reshape: one(func(n *dag.Node, in []array, out tensor.Type) array {
		return array{out, in[0].data}
	}),
	id.Transpose: one(func(n *dag.Node, in []array, out tensor.Type) array {
		return array{out, permuted(in[0], toInts(n.Attrs.Ints("permutation")))}
	}),
	id.BroadcastInDim: one(broadcastKernel),
	id.Concatenate:    one(concatenateKernel),
	id.Slice:          one(sliceKernel),
	id.Pad:            one(padKernel),
	id.Reverse:        one(reverseKernel),
}

func toInts(a []int64) []int {
	out := make([]int, len(a))
	for i, v := range a {
		out[i] = int(v)
	}
	return out
}

func broadcastKernel(n *dag.Node, in []array, out tensor.Type) array {
	x, y := in[0], zeros(out)
	if x.data.len() == y.data.len() {
		return array{out, x.data}
	}
	if x.data.len() == 1 {
		y.data.fillFrom(x.data)
		return y
	}
	from := sizesOf(x.typ)
	step := strides(from)
	src := make([]int, out.Shape.Rank())
	for i, d := range n.Attrs.Ints("dims") {
		if from[i] != 1 {
			src[d] = step[i]
		}
	}
	y.data.move(move{sizes: sizesOf(out), dst: strides(sizesOf(out)), src: src}, x.data)
	return y
}

func concatenateKernel(n *dag.Node, in []array, out tensor.Type) array {
	dim := int(n.Attrs.Int("dim"))
	y := zeros(out)
	dst := strides(sizesOf(out))
	at := 0
	for _, x := range in {
		sizes := sizesOf(x.typ)
		y.data.move(move{sizes: sizes, dst: dst, src: strides(sizes), dstAt: at}, x.data)
		at += sizes[dim] * dst[dim]
	}
	return y
}

func sliceKernel(n *dag.Node, in []array, out tensor.Type) array {
	return window(in[0], out, toInts(n.Attrs.Ints("start")), toInts(n.Attrs.Ints("strides")))
}

// window takes elements starting at start, by steps. A window that is contiguous in x shares
// its memory.
func window(x array, out tensor.Type, start, steps []int) array {
	from := sizesOf(x.typ)
	step := strides(from)
	sizes := sizesOf(out)
	m := move{sizes: sizes, dst: strides(sizes), src: make([]int, len(sizes))}
	for i := range sizes {
		m.srcAt += start[i] * step[i]
		m.src[i] = step[i] * steps[i]
	}
	total := count(out)
	if c := m.compact(); total > 0 && (len(c.sizes) == 0 || len(c.sizes) == 1 && c.src[0] == 1) {
		return array{out, x.data.view(m.srcAt, m.srcAt+total)}
	}
	y := x.data.like(total)
	y.move(m, x.data)
	return array{out, y}
}

func padKernel(n *dag.Node, in []array, out tensor.Type) array {
	y := zeros(out)
	y.data.fillFrom(in[1].data)
	sizes := sizesOf(in[0].typ)
	m := move{sizes: sizes, dst: strides(sizesOf(out)), src: strides(sizes)}
	for i, low := range n.Attrs.Ints("low") {
		m.dstAt += int(low) * m.dst[i]
	}
	y.data.move(m, in[0].data)
	return y
}

func reverseKernel(n *dag.Node, in []array, out tensor.Type) array {
	sizes := sizesOf(out)
	m := move{sizes: sizes, dst: strides(sizes), src: strides(sizes)}
	for _, d := range n.Attrs.Ints("dims") {
		m.srcAt += (sizes[d] - 1) * m.src[d]
		m.src[d] = -m.src[d]
	}
	y := zeros(out)
	y.data.move(m, in[0].data)
	return array{out, y.data}
}
