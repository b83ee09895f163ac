package hlo

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var layoutLowerings = map[id.ID]Lowering{
	id.Reshape: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Reshape(p.In(n, 0), n.Outputs[0].Type))
	},
	id.Transpose: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.To(n.Outputs[0].Type, "stablehlo.transpose", ", dims = "+Ints(n.Attrs.Ints("permutation")), p.In(n, 0)))
	},
	id.BroadcastInDim: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Broadcast(p.In(n, 0), n.Outputs[0].Type, n.Attrs.Ints("dims"), Value{}))
	},
	id.Concatenate: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Concat(n.Outputs[0].Type, n.Attrs.Int("dim"), p.Ins(n)...))
	},
	id.Slice: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Slice(p.In(n, 0), n.Outputs[0].Type, n.Attrs.Dims("start"), n.Attrs.Dims("limit"), n.Attrs.Ints("strides")))
	},
	id.Reverse: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.form.Reverse(p, p.In(n, 0), n.Attrs.Ints("dims")))
	},
	id.Pad: func(p *Printer, n *dag.Node) {
		p.Bind(n, p.Pad(p.In(n, 0), p.In(n, 1), n.Attrs.Ints("low"), n.Attrs.Ints("high"), n.Outputs[0].Type.Shape))
	},
}

// Pad adds elements v before and after those of x.
func (p *Printer) Pad(x, v Value, low, high []int64, s shape.Shape) Value {
	extra := fmt.Sprintf(", low = %s, high = %s, interior = %s", Ints(low), Ints(high), Ints(make([]int64, len(low))))
	return p.To(sized(x, s), "stablehlo.pad", extra, x, v)
}

func plainConcat(p *Printer, t tensor.Type, dim int64, parts ...Value) Value {
	return p.To(t, "stablehlo.concatenate", fmt.Sprintf(", dim = %d", dim), parts...)
}

func plainReverse(p *Printer, x Value, dims []int64) Value {
	return p.Def(x.Type, "stablehlo.reverse %s, dims = %s : %s", x.Name, Ints(dims), p.Type(x.Type))
}

// SignedTwin maps unsigned types to the signed types of the same width.
var SignedTwin = map[dtype.DType]dtype.DType{dtype.U8: dtype.I8, dtype.U16: dtype.I16, dtype.U32: dtype.I32, dtype.U64: dtype.I64}

// Along broadcasts a tensor that lacks dimension dim to the shape
// of like.
func (p *Printer) Along(x, like Value, dim int64) Value {
	return p.Broadcast(x, like.Type, Others(like.Type, []int64{dim}), like)
}

// Without returns t without one dimension.
func Without(t tensor.Type, dim int64) tensor.Type {
	out := tensor.Type{DType: t.DType, Shape: shape.Shape{}}
	for i, d := range t.Shape {
		if int64(i) != dim {
			out.Shape = append(out.Shape, d)
		}
	}
	return out
}
