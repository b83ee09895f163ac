package iree

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// folded is a maximum over windows along one of the last two dimensions: of slices of x, or
// of x padded with -inf.
type folded struct {
	x                        *dag.Value
	dim                      int // 0 is the last but one
	kernel, stride, dilation int64
	low                      int64
	padded                   bool
	along                    []*dag.Node
}

// foldedBy returns what the maximum n of slices folds.
func foldedBy(n *dag.Node) (folded, bool) {
	var f folded
	var taps []*dag.Node // the last first
	for at := n; ; {
		left, right := at.Inputs[0].Node, at.Inputs[1].Node
		if left == nil || right == nil || !isSlice(right) {
			return f, false
		}
		taps = append(taps, right)
		f.along = append(f.along, left, right)
		if at = left; at.Op == n.Op {
			continue
		}
		if !isSlice(at) {
			return f, false
		}
		taps = append(taps, at)
		break
	}
	first, second := taps[len(taps)-1], taps[len(taps)-2]
	f.x = first.Inputs[0]
	rank := f.x.Type.Shape.Rank()
	if f.x.Type.DType != dtype.F32 || rank < 2 || !f.x.Type.Shape.IsKnown() || !f.x.Type.Shape[rank-2:].IsStatic() {
		return f, false
	}
	dim := rank - 1
	if steps := second.Attrs.Dims("start"); steps[dim] == shape.N(0) {
		dim--
	}
	f.dim, f.kernel, f.stride = dim-rank+2, int64(len(taps)), first.Attrs.Ints("strides")[dim]
	f.dilation = second.Attrs.Dims("start")[dim].Size
	for i, tap := range taps {
		if !f.isTap(tap, int64(len(taps)-1-i), dim) {
			return f, false
		}
	}
	f.padding(dim)
	return f, f.dilation > 0
}

// isSlice reports whether a node's result is a part of its operand at a fixed place.
func isSlice(n *dag.Node) bool { return n.Op.Memory == op.Part && len(n.Inputs) == 1 }

// isTap reports whether a slice takes all of x in the other dimensions, and is tap k in this.
func (f *folded) isTap(n *dag.Node, k int64, dim int) bool {
	if n.Inputs[0] != f.x {
		return false
	}
	start, limit, strides := n.Attrs.Dims("start"), n.Attrs.Dims("limit"), n.Attrs.Ints("strides")
	for i, size := range f.x.Type.Shape {
		if i == dim {
			if start[i] != shape.N(k*f.dilation) || strides[i] != f.stride {
				return false
			}
		} else if start[i] != shape.N(0) || limit[i] != size || strides[i] != 1 {
			return false
		}
	}
	return true
}

// padding takes x from before the -inf around it, if it has any and only along dim.
func (f *folded) padding(dim int) {
	n := f.x.Node
	if n == nil || n.Op.ID != id.Pad {
		return
	}
	outside := hlo.Interval(n.Inputs[1], 4)
	if outside.NaN || !math.IsInf(outside.High, -1) {
		return
	}
	low, high := n.Attrs.Ints("low"), n.Attrs.Ints("high")
	for i := range low {
		if i != dim && (low[i] != 0 || high[i] != 0) {
			return
		}
	}
	f.low, f.padded, f.x, f.along = low[dim], true, n.Inputs[0], append(f.along, n)
}

// maxPool is a maximum over windows: of both dimensions, if what it folds is folded too.
// Without padding and strides the compiler's own code reads neighbours as they lie.
func maxPool(n *dag.Node) (call, bool) {
	last, ok := foldedBy(n)
	if !ok {
		return call{}, false
	}
	stages := []folded{last}
	if inner := last.x.Node; inner != nil && inner.Op == n.Op {
		if f, ok := foldedBy(inner); ok && f.dim != last.dim {
			f.along = append(f.along, inner)
			stages = append(stages, f)
		}
	}
	one := [2]int64{1, 1}
	k := kernels.MaxPool{Conv: kernels.Conv{Kernel: one, Strides: one, Dilation: one}}
	c, low, padded := call{}, [2]int64{}, false
	for _, f := range stages {
		k.Kernel[f.dim], k.Strides[f.dim], k.Dilation[f.dim], low[f.dim] = f.kernel, f.stride, f.dilation, f.low
		c.along, padded = append(c.along, f.along...), padded || f.padded
	}
	x := stages[len(stages)-1].x
	c.kernel = k
	c.print = func(p *hlo.Printer, n *dag.Node) {
		t, in := n.Outputs[0].Type, x.Type.Shape
		rank := len(in)
		from, to, z := in[rank-2:], t.Shape[rank-2:], in[:rank-2].Product()
		of := func(plane shape.Shape) tensor.Type {
			return tensor.Type{DType: dtype.F32, Shape: append(shape.Shape{z}, plane...)}
		}
		operand := asLies(p, p.Value(x), of(from))
		sizes := []hlo.Value{sizeOf(p, operand, 0)}
		for _, size := range []int64{from[0].Size, from[1].Size, to[0].Size, to[1].Size, low[0], low[1]} {
			sizes = append(sizes, indexNumber(p, size))
		}
		p.Bind(n, asLies(p, dispatch(p, k, of(to), nil, sizes, operand), t))
	}
	return c, k.Supported() && (k.Strides != one || padded) && n.Outputs[0].Type.Shape.Product() != shape.N(0)
}
