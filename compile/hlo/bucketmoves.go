package hlo

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// bucketLowerings are the texts for buckets of operations that read or write elements at places
// which depend on sizes.
var bucketLowerings = map[id.ID]Lowering{
	id.Conv1d: bucketConvolution, id.Convolution: bucketConvolution,
	id.Slice: func(p *Printer, n *dag.Node) {
		start := p.only(n.Attrs.Dims("start"))
		corner := make([]corner, len(start))
		for i, d := range start {
			if corner[i].number = d.Size; !d.IsStatic() {
				corner[i].at = p.count(d)
			}
		}
		p.Bind(n, p.window(p.In(n, 0), n.Outputs[0].Type, corner, n.Attrs.Ints("strides")))
	},
	id.Pad: func(p *Printer, n *dag.Node) {
		x, v, low, high := p.In(n, 0), p.In(n, 1), n.Attrs.Ints("low"), n.Attrs.Ints("high")
		var dims []int64
		for i := range low {
			if high[i] > 0 {
				dims = append(dims, int64(i))
			}
		}
		x = p.covered(x, func(t tensor.Type, _ float64) Value { return p.Broadcast(v, t, nil, Value{}) }, 0, dims)
		p.Bind(n, p.Pad(x, v, low, high, n.Outputs[0].Type.Shape))
	},
	id.Take: func(p *Printer, n *dag.Node) {
		table, indices := p.In(n, 0), p.In(n, 1)
		if p.open(table.Type.Shape[0]) { // StableHLO's operation takes padding for rows
			indices = p.Clamp(indices, table)
		}
		r := indices.Type.Shape.Rank()
		at := p.Reshape(indices, sized(indices, append(append(shape.Shape{}, indices.Type.Shape...), shape.N(1))))
		p.Bind(n, p.rows(table, at, r, n.Outputs[0].Type))
	},
	id.DynamicSlice: func(p *Printer, n *dag.Node) {
		x, t := p.In(n, 0), n.Outputs[0].Type
		corners := make([]corner, len(t.Shape))
		for i, d := range t.Shape {
			if from := x.Type.Shape[i]; !d.Same(from) {
				corners[i].at = p.scalar(p.Corner(x, i, d, p.In(n, i+1)))
				corners[i].fits = from.Minus(d).Grows() // and so it fits where it is last
			}
		}
		p.Bind(n, p.window(x, t, corners, Ones(len(t.Shape))))
	},
	id.DynamicUpdateSlice: func(p *Printer, n *dag.Node) {
		x, u := p.In(n, 0), p.In(n, 1)
		var corners []Value
		var dims []int64 // those whose padding would be written over elements
		for i, d := range u.Type.Shape {
			corners = append(corners, p.scalar(p.Corner(x, i, d, p.In(n, i+2))))
			if p.open(d) && !d.Same(x.Type.Shape[i]) {
				dims = append(dims, int64(i))
			}
		}
		p.Bind(n, Value{p.replaced(p.flat(x), u, corners, dims).Name, x.Type})
	},
	// The rows are moved within a window that fits in x, which is updated in place.
	id.UpdateRows: func(p *Printer, n *dag.Node) {
		x, rows, start := p.In(n, 0), p.In(n, 1), p.In(n, 2)
		count := rows.Type.Shape[0]
		if count.IsStatic() {
			lowerings[id.UpdateRows](p, n)
			return
		}
		all := x.Type.Shape[0]
		u := p.flat(rows)
		if u.Type.Shape[0].Size > all.Size {
			u = p.firstRows(u, all)
		}
		size := u.Type.Shape[0]
		number := func(v int64) Value { return p.Splat(tensor.TypeOf(dtype.I32), float64(v)) }
		used := p.Same("stablehlo.minimum", p.count(count), number(all.Size))
		first := p.Same("stablehlo.maximum", p.Convert(start, dtype.I32), number(0))
		first = p.Same("stablehlo.minimum", first, p.Sub(number(all.Size), used))
		from := p.Same("stablehlo.minimum", first, number(all.Size-size.Size))
		by := p.Sub(first, from) // that the rows begin after the window
		low := make([]int64, len(u.Type.Shape))
		low[0] = size.Size
		padded := append(shape.Shape{shape.N(2 * size.Size)}, u.Type.Shape[1:]...)
		wide := p.Pad(u, p.Splat(Scalar(u.Type), 0), low, make([]int64, len(low)), padded)
		zero := number(0)
		at, to := []Value{p.Sub(number(size.Size), by)}, []Value{from}
		for range low[1:] {
			at, to = append(at, zero), append(to, zero)
		}
		moved := p.dynamicSlice(wide, u.Type, at)
		row := tensor.Type{DType: dtype.I32, Shape: shape.Shape{size}}
		place := p.Sub(p.Iota(row, 0, Value{}), p.Broadcast(by, row, nil, Value{}))
		in := p.Same("stablehlo.and", p.Compare("GE", place, p.Number(place, 0)), p.Compare("LT", place, p.Broadcast(used, row, nil, Value{})))
		in = p.Broadcast(in, tensor.Type{DType: dtype.Bool, Shape: u.Type.Shape}, []int64{0}, Value{})
		y := p.Select(in, moved, p.dynamicSlice(x, u.Type, to))
		p.Bind(n, p.To(x.Type, "stablehlo.dynamic_update_slice", "", append([]Value{x, y}, to...)...))
	},
}

// bucketConvolution has zeros in place of padding, as there are outside of the operand.
func bucketConvolution(p *Printer, n *dag.Node) {
	x := p.In(n, 0)
	p.With(n.Inputs[0], p.cleared(x, 0, Others(x.Type, []int64{0})...), func() { convolution(p, n) })
}

// corner is where a window begins in a dimension: at, or number where at has no name. One that
// fits is never so far behind that the window would end after the dimension.
type corner struct {
	at     Value
	number int64
	fits   bool
}

// window returns the elements of x, from a corner on by strides, that make a value of type t.
// x is made larger where the window of the largest size would not fit.
func (p *Printer) window(x Value, t tensor.Type, corners []corner, strides []int64) Value {
	x = p.flat(x)
	from, out := x.Type.Shape, p.fixed(t.Shape)
	known := true
	high, wide, sizes := make([]int64, len(out)), make(shape.Shape, len(out)), make(shape.Shape, len(out))
	starts, limits := make(shape.Shape, len(out)), make(shape.Shape, len(out))
	for i, c := range corners {
		span := max((out[i].Size-1)*strides[i]+1, 0)
		end := c.number + span
		if c.at.Name != "" {
			known, end = false, from[i].Size+span
		}
		if c.fits {
			end = 0
		}
		high[i] = max(end-from[i].Size, 0)
		wide[i], sizes[i] = shape.N(from[i].Size+high[i]), shape.N(span)
		starts[i], limits[i] = shape.N(c.number), shape.N(c.number+span)
	}
	if !wide.Equal(from) {
		x = p.Pad(x, p.Splat(Scalar(x.Type), 0), make([]int64, len(out)), high, wide)
	}
	if !known {
		at := make([]Value, len(out))
		for i, c := range corners {
			if at[i] = c.at; c.at.Name == "" {
				at[i] = p.Splat(tensor.TypeOf(dtype.I32), float64(c.number))
			}
		}
		x = p.dynamicSlice(x, sized(x, sizes), at)
		starts, limits = shape.Of(make([]int64, len(out))...), sizes
	}
	if !x.Type.Shape.Equal(out) {
		x = p.Slice(x, sized(x, out), starts, limits, strides)
	}
	return Value{x.Name, t}
}

// dynamicSlice prints StableHLO's operation of static types.
func (p *Printer) dynamicSlice(x Value, t tensor.Type, at []Value) Value {
	return p.To(t, "stablehlo.dynamic_slice", ", sizes = "+Ints(t.Shape.Sizes()), append([]Value{x}, at...)...)
}

// replaced returns x, of its largest sizes, with a window replaced by u but for its padding
// along dims. The elements of u fit in x.
func (p *Printer) replaced(x, u Value, corners []Value, dims []int64) Value {
	in := Value{}
	if len(dims) > 0 {
		in = p.within(u.Type.Shape, dims)
	}
	u = p.flat(u)
	from, wide, high := x.Type.Shape, make(shape.Shape, len(x.Type.Shape)), make([]int64, len(x.Type.Shape))
	copy(wide, from)
	for _, d := range dims {
		high[d] = u.Type.Shape[d].Size
		wide[d] = shape.N(from[d].Size + high[d])
	}
	if len(dims) > 0 {
		x = p.Pad(x, p.Splat(Scalar(x.Type), 0), make([]int64, len(high)), high, wide)
		u = p.Select(in, u, p.dynamicSlice(x, u.Type, corners))
	}
	x = p.To(x.Type, "stablehlo.dynamic_update_slice", "", append([]Value{x, u}, corners...)...)
	if len(dims) > 0 {
		x = p.Slice(x, sized(x, from), shape.Of(make([]int64, len(from))...), from, Ones(len(from)))
	}
	return x
}

// rows gathers rows of a table at indices of rank r, whose last dimension has size 1.
func (p *Printer) rows(table, at Value, r int, t tensor.Type) Value {
	sizes := p.fixed(table.Type.Shape).Sizes()
	var offsets []int64
	for i := range sizes[1:] {
		offsets = append(offsets, int64(r+i))
	}
	sizes[0] = 1
	in := []Value{table, at}
	dims := fmt.Sprintf("#stablehlo.gather<offset_dims = %s, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = %d>", Ints(offsets), r)
	return p.Def(t, `"stablehlo.gather"(%s) <{dimension_numbers = %s, slice_sizes = %s}> : (%s) -> %s`, Names(in), dims, Array(sizes), p.Types(in), p.Type(t))
}

// bucketConcat writes each part at its place, over the padding of the one before it.
func bucketConcat(p *Printer, t tensor.Type, dim int64, parts ...Value) Value {
	plain := true
	for _, v := range parts[:len(parts)-1] {
		plain = plain && !p.open(v.Type.Shape[dim])
	}
	if plain {
		return plainConcat(p, t, dim, parts...)
	}
	y := p.Splat(tensor.Type{DType: t.DType, Shape: p.fixed(t.Shape)}, 0)
	zero := p.Splat(tensor.TypeOf(dtype.I32), 0)
	place := shape.N(0)
	for _, v := range parts {
		at := []Value{y, v}
		for i := range t.Shape {
			if at = append(at, zero); int64(i) == dim {
				at[len(at)-1] = p.count(place)
			}
		}
		y = p.To(y.Type, "stablehlo.dynamic_update_slice", "", at...)
		place = place.Plus(v.Type.Shape[dim])
	}
	return Value{y.Name, t}
}

// bucketReverse moves the elements, which are behind the padding then, to the front.
func bucketReverse(p *Printer, x Value, dims []int64) Value {
	y := plainReverse(p, p.flat(x), dims)
	corners, moved := make([]corner, len(x.Type.Shape)), false
	for _, d := range dims {
		if size := x.Type.Shape[d]; p.open(size) {
			most := p.Splat(tensor.TypeOf(dtype.I32), float64(y.Type.Shape[d].Size))
			corners[d].at, moved = p.Sub(most, p.count(size)), true
		}
	}
	if !moved {
		return Value{y.Name, x.Type}
	}
	return p.window(y, x.Type, corners, Ones(len(corners)))
}
