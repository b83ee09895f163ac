package iree

import (
	"math"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// insertRows inserts into a cache as many rows as fit.
func insertRows(p *hlo.Printer, n *dag.Node) {
	x, rows := p.In(n, 0), p.In(n, 1)
	d := x.Type.DType
	if twin, unsigned := hlo.SignedTwin[d]; unsigned {
		x, rows = p.Bitcast(x, twin), p.Bitcast(rows, twin)
	}
	if rows.Type.Shape[0].Size == 0 {
		p.Bind(n, p.In(n, 0))
		return
	}
	count, start := rowsAt(p, x.Type.Shape[0].Size, rows, p.In(n, 2))
	size := part{number: min(rows.Type.Shape[0].Size, x.Type.Shape[0].Size)}
	if size.number < 0 {
		size.value = indexOf(p, count)
	}
	if size.number != rows.Type.Shape[0].Size || size.number < 0 { // there may be more
		t := tensor.Type{DType: rows.Type.DType, Shape: append(shape.Of(size.number), rows.Type.Shape[1:]...)}
		rows = sliceRows(p, "extract", t, []hlo.Value{rows}, part{}, size)
	}
	p.Bind(n, p.Bitcast(sliceRows(p, "insert", x.Type, []hlo.Value{rows, x}, part{value: indexOf(p, start)}, size), d))
}

// cachedAttention selects the kernels for one token, or for several tokens or a dynamic
// number.
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
		return call{kernel: kernels.AttentionOne{Attention: a}, print: func(p *hlo.Printer, n *dag.Node) {
			t := tensor.TypeOf(dtype.F32, a.Heads, a.Depth)
			x := p.Reshape(p.Convert(p.In(n, 0), dtype.F32), t)
			rows := []hlo.Value{indexNumber(p, window)}
			y := dispatch(p, kernels.AttentionOne{Attention: a}, tensor.TypeOf(dtype.F32, a.Result()...), nil, rows, x, p.In(n, 1), p.In(n, 2), p.In(n, 3))
			if a.Parts() > 1 {
				y = dispatch(p, kernels.AttentionCombine{Attention: a}, t, nil, rows, y, p.In(n, 3))
			}
			p.Bind(n, p.Convert(p.Reshape(y, tensor.Type{DType: dtype.F32, Shape: q}), n.Outputs[0].Type.DType))
		}}, a.Supported()
	}
	many := kernels.AttentionMany{Attention: a}
	return call{kernel: many, print: func(p *hlo.Printer, n *dag.Node) {
		x := p.Convert(p.In(n, 0), dtype.F32)
		y := dispatch(p, many, x.Type, nil, []hlo.Value{sizeOf(p, x, 0), indexNumber(p, window)}, x, p.In(n, 1), p.In(n, 2), p.In(n, 3))
		p.Bind(n, p.Convert(y, n.Outputs[0].Type.DType))
	}}, q[0] != shape.N(0) && a.Supported()
}

// rowsAt returns how many rows of a cache of size all are replaced, if that number is dynamic,
// and the first of them.
func rowsAt(p *hlo.Printer, all int64, rows, start hlo.Value) (count, first hlo.Value) {
	var last hlo.Value
	if n := rows.Type.Shape[0]; n.IsStatic() {
		last = p.Number(start, float64(max(all-n.Size, 0)))
	} else {
		count = p.Dimension(rows, 0)
		whole := p.Number(count, float64(all))
		count = p.Same("stablehlo.minimum", count, whole)
		last = p.Same("stablehlo.subtract", whole, count)
	}
	return count, p.Same("stablehlo.minimum", p.Same("stablehlo.maximum", start, p.Number(start, 0)), last)
}

// indexOf converts a scalar tensor to an index.
func indexOf(p *hlo.Printer, v hlo.Value) hlo.Value {
	n := p.Def(tensor.Type{}, `"tensor.extract"(%s) : (tensor<i32>) -> i32`, v.Name)
	return p.Def(tensor.Type{}, `"arith.index_cast"(%s) : (i32) -> index`, n.Name)
}

// part is an offset or size of the first dimension: a value, or a constant if
// there is no value.
type part struct {
	number int64
	value  hlo.Value
}

// slices prints tensor.extract_slice or tensor.insert_slice of rows, in the
// generic form of operations.
func sliceRows(p *hlo.Printer, name string, t tensor.Type, in []hlo.Value, offset, size part) hlo.Value {
	segments, args, types := []int64{}, slices.Clone(in), p.Types(in)
	for range in {
		segments = append(segments, 1)
	}
	number := func(v part) int64 {
		if v.value.Name == "" {
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
	return p.Def(t, `"tensor.%s_slice"(%s) <{operandSegmentSizes = %s, static_offsets = %s, static_sizes = %s, static_strides = %s}> : (%s) -> %s`,
		name, hlo.Names(args), strings.Replace(hlo.Array(segments), "i64", "i32", 1), hlo.Array(offsets), hlo.Array(sizes), hlo.Array(hlo.Ones(rank)), types, p.Type(t))
}
