package hlo

import (
	"math"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var cachedLowerings = map[string]lowering{
	// Of stablehlo.dynamic_update_slice the pinned compiler has no form for dynamic
	// sizes, and it waits for the start on the host; the operation of the tensor
	// dialect that it becomes takes both, and is done in place, in the memory of a
	// state variable too (IREE 3.13.0).
	"update_rows": func(p *printer, n *dag.Node) {
		x, rows := p.in(n, 0), p.in(n, 1)
		d := x.typ.DType
		if twin, unsigned := signedTwin[d]; unsigned {
			x, rows = p.as(x, twin), p.as(rows, twin)
		}
		if rows.typ.Shape[0].Size == 0 {
			p.bind(n, p.in(n, 0))
			return
		}
		count, start := p.rowsAt(x.typ.Shape[0].Size, rows, p.in(n, 2))
		size := part{number: min(rows.typ.Shape[0].Size, x.typ.Shape[0].Size)}
		if size.number < 0 {
			size.value = p.indexOf(count)
		}
		if size.number != rows.typ.Shape[0].Size || size.number < 0 { // there may be more
			t := tensor.Type{DType: rows.typ.DType, Shape: append(shape.Of(size.number), rows.typ.Shape[1:]...)}
			rows = p.slices("extract", t, []ssa{rows}, part{}, size)
		}
		p.bind(n, p.as(p.slices("insert", x.typ, []ssa{rows, x}, part{value: p.indexOf(start)}, size), d))
	},
}

// cachedAttention finds the kernels for one token, and those for several or for a
// number that a call gives.
func cachedAttention(n *dag.Node) (call, bool) {
	q, keys := n.Inputs[0].Type.Shape, n.Inputs[1].Type
	a := kernels.Attention{
		Heads: q[1].Size, Groups: keys.Shape[1].Size, Depth: q[2].Size, Rows: keys.Shape[0].Size, Cache: keys.DType,
		Scale: n.Attrs.Float("scale"), SoftCap: n.Attrs.Float("soft_cap"),
	}
	if a.Scale == 0 {
		a.Scale = 1 / math.Sqrt(float64(a.Depth))
	}
	window := n.Attrs.Int("window")
	if window == 0 {
		window = a.Rows
	}
	if q[0] == shape.N(1) {
		return call{kernel: kernels.AttentionOne{Attention: a}, print: func(p *printer, n *dag.Node) {
			t := tensor.TypeOf(dtype.F32, a.Heads, a.Depth)
			x := p.reshape(p.convert(p.in(n, 0), dtype.F32), t)
			rows := []ssa{p.indexNumber(window)}
			y := p.dispatch(kernels.AttentionOne{Attention: a}, tensor.TypeOf(dtype.F32, a.Result()...), rows, x, p.in(n, 1), p.in(n, 2), p.in(n, 3))
			if a.Parts() > 1 {
				y = p.dispatch(kernels.AttentionCombine{Attention: a}, t, rows, y, p.in(n, 3))
			}
			p.bind(n, p.convert(p.reshape(y, tensor.Type{DType: dtype.F32, Shape: q}), n.Outputs[0].Type.DType))
		}}, a.Supported()
	}
	many := kernels.AttentionMany{Attention: a}
	return call{kernel: many, print: func(p *printer, n *dag.Node) {
		x := p.convert(p.in(n, 0), dtype.F32)
		y := p.dispatch(many, x.typ, []ssa{p.firstSize(x), p.indexNumber(window)}, x, p.in(n, 1), p.in(n, 2), p.in(n, 3))
		p.bind(n, p.convert(y, n.Outputs[0].Type.DType))
	}}, q[0] != shape.N(0) && a.Supported()
}

// rowsAt gives how many rows of a cache of size all get new ones, if a call says
// that, and the first of them.
func (p *printer) rowsAt(all int64, rows, start ssa) (count, first ssa) {
	var last ssa
	if n := rows.typ.Shape[0]; n.IsStatic() {
		last = p.number(start, float64(max(all-n.Size, 0)))
	} else {
		count = p.dimension(rows, 0)
		whole := p.number(count, float64(all))
		count = p.same("stablehlo.minimum", count, whole)
		last = p.same("stablehlo.subtract", whole, count)
	}
	return count, p.same("stablehlo.minimum", p.same("stablehlo.maximum", start, p.number(start, 0)), last)
}

// indexOf gives a number in a tensor as an index.
func (p *printer) indexOf(v ssa) ssa {
	n := p.def(tensor.Type{}, `"tensor.extract"(%s) : (tensor<i32>) -> i32`, v.name)
	return p.def(tensor.Type{}, `"arith.index_cast"(%s) : (i32) -> index`, n.name)
}

// part is an offset or size of the first dimension: a value, or a number where
// there is none.
type part struct {
	number int64
	value  ssa
}

// slices prints tensor.extract_slice or tensor.insert_slice of rows, in the form
// that all operations have.
func (p *printer) slices(name string, t tensor.Type, in []ssa, offset, size part) ssa {
	segments, args, types := []int64{}, slices.Clone(in), p.typesOf(in)
	for range in {
		segments = append(segments, 1)
	}
	number := func(v part) int64 {
		if v.value.name == "" {
			segments = append(segments, 0)
			return v.number
		}
		segments, args, types = append(segments, 1), append(args, v.value), types+", index"
		return math.MinInt64
	}
	rank := len(t.Shape)
	offsets, sizes := make([]int64, rank), append([]int64{0}, t.Shape[1:].Sizes()...)
	offsets[0] = number(offset)
	sizes[0] = number(size)
	segments = append(segments, 0)
	return p.def(t, `"tensor.%s_slice"(%s) <{operandSegmentSizes = %s, static_offsets = %s, static_sizes = %s, static_strides = %s}> : (%s) -> %s`,
		name, names(args), strings.Replace(array(segments), "i64", "i32", 1), array(offsets), array(sizes), array(ones(rank)), types, p.typ(t))
}
