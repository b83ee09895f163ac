package hlo

import (
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var layoutLowerings = map[string]lowering{
	"reshape": func(p *printer, n *dag.Node) {
		p.bind(n, p.reshape(p.in(n, 0), n.Outputs[0].Type))
	},
	"transpose": func(p *printer, n *dag.Node) {
		p.bind(n, p.to(n.Outputs[0].Type, "stablehlo.transpose", ", dims = "+ints(n.Attrs.Ints("permutation")), p.in(n, 0)))
	},
	"broadcast_in_dim": func(p *printer, n *dag.Node) {
		p.bind(n, p.broadcast(p.in(n, 0), n.Outputs[0].Type, n.Attrs.Ints("dims"), ssa{}))
	},
	"concatenate": func(p *printer, n *dag.Node) {
		in, dim := p.ins(n), n.Attrs.Int("dim")
		for isDynamic(n) && len(in) > maxDynamicParts {
			in = p.partly(in, dim)
		}
		p.bind(n, p.to(n.Outputs[0].Type, "stablehlo.concatenate", fmt.Sprintf(", dim = %d", dim), in...))
	},
	"slice": func(p *printer, n *dag.Node) {
		p.bind(n, p.slice(p.in(n, 0), n.Outputs[0].Type, n.Attrs.Dims("start"), n.Attrs.Dims("limit"), n.Attrs.Ints("strides")))
	},
	// The pinned compiler does not take the reverse of an unsigned type (IREE
	// 3.13.0): the same bits go through the signed one.
	"reverse": func(p *printer, n *dag.Node) {
		x := p.in(n, 0)
		t := x.typ
		if signed, ok := signedTwin[t.DType]; ok {
			x = p.to(tensor.Type{DType: signed, Shape: t.Shape}, "stablehlo.bitcast_convert", "", x)
		}
		y := p.def(x.typ, "stablehlo.reverse %s, dims = %s : %s", x.name, ints(n.Attrs.Ints("dims")), p.typ(x.typ))
		if !t.Equal(y.typ) {
			y = p.to(t, "stablehlo.bitcast_convert", "", y)
		}
		p.bind(n, y)
	},
	"pad": func(p *printer, n *dag.Node) {
		low, high := n.Attrs.Ints("low"), n.Attrs.Ints("high")
		extra := fmt.Sprintf(", low = %s, high = %s, interior = %s", ints(low), ints(high), ints(make([]int64, len(low))))
		pad := func(x, v ssa) ssa {
			return p.to(tensor.Type{DType: x.typ.DType, Shape: n.Outputs[0].Type.Shape}, "stablehlo.pad", extra, x, v)
		}
		x, v := p.in(n, 0), p.in(n, 1)
		if t := n.Outputs[0].Type; x.typ.Shape.Product().Size == 0 && t.Shape.IsStatic() {
			p.bind(n, p.broadcast(v, t, nil, ssa{})) // the sum of it the compiler takes for that of one row (IREE 3.13.0)
			return
		}
		if x.typ.DType.Bits() < 64 || isZero(n.Inputs[1]) {
			p.bind(n, pad(x, v))
			return
		}
		// Two paddings by one value of 64 bits that is not 0 do not compile (IREE
		// 3.13.0).
		there := tensor.Type{DType: dtype.Bool, Shape: x.typ.Shape}
		inside := pad(p.fill(there, 1, x), p.splat(tensor.TypeOf(dtype.Bool), 0))
		y := pad(x, p.splat(v.typ, 0))
		p.bind(n, p.choose(inside, y, p.broadcast(v, y.typ, nil, y)))
	},
}

// isZero says whether v is a number of the graph that is 0, not -0.
func isZero(v *dag.Value) bool {
	return v.Node != nil && v.Node.Op.Role == op.Uniform && math.Float64bits(v.Node.Attrs.Float("value")) == 0
}

// maxDynamicParts is how many tensors of dynamic sizes are joined at once: of many
// more, the pinned compiler passes a kernel more sizes than it may have (IREE
// 3.13.0, 64 numbers).
const maxDynamicParts = 4

// partly joins each maxDynamicParts of the tensors.
func (p *printer) partly(in []ssa, dim int64) []ssa {
	var out []ssa
	for part := range slices.Chunk(in, maxDynamicParts) {
		if len(part) == 1 {
			out = append(out, part[0])
			continue
		}
		t := tensor.Type{DType: part[0].typ.DType, Shape: slices.Clone(part[0].typ.Shape)}
		for _, v := range part[1:] {
			t.Shape[dim] = t.Shape[dim].Plus(v.typ.Shape[dim])
		}
		out = append(out, p.barrier(p.to(t, "stablehlo.concatenate", fmt.Sprintf(", dim = %d", dim), part...)))
	}
	return out
}

// signedTwin are the signed types as wide as the unsigned ones.
var signedTwin = map[dtype.DType]dtype.DType{dtype.U8: dtype.I8, dtype.U16: dtype.I16, dtype.U32: dtype.I32, dtype.U64: dtype.I64}

// along spreads a tensor that lacks dimension dim over the shape of like, which
// has it.
func (p *printer) along(x, like ssa, dim int64) ssa {
	return p.broadcast(x, like.typ, others(like.typ, []int64{dim}), like)
}

// without gives t less one dimension.
func without(t tensor.Type, dim int64) tensor.Type {
	out := tensor.Type{DType: t.DType, Shape: shape.Shape{}}
	for i, d := range t.Shape {
		if int64(i) != dim {
			out.Shape = append(out.Shape, d)
		}
	}
	return out
}
