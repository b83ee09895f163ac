package fromhlo

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// scatterModes are the table's modes of operations that merge.
var scatterModes = map[string]string{"add": op.ScatterAdd, "multiply": op.ScatterMul, "maximum": op.ScatterMax, "minimum": op.ScatterMin}

// mode returns how a scatter's region merges its value i.
func (c *call) mode(i, n int) string {
	r := c.Regions[0]
	last := r.Ops[len(r.Ops)-1]
	if i < len(last.Operands) && last.Operands[i] == r.Args[n+i].Name {
		return op.ScatterSet
	}
	m := merge(r, i, n)
	if c.in[i].Type.DType == dtype.Bool {
		m = map[string]string{"or": "maximum", "and": "minimum", "add": "maximum", "multiply": "minimum", "maximum": "maximum", "minimum": "minimum"}[m]
	}
	mode, ok := scatterModes[m]
	if !ok {
		c.refuse(CodeForm, hintForm, "a region that is not one of set, add, multiply, maximum, minimum")
	}
	return mode
}

// scatter merges windows of updates into x. What is outside of x changes nothing.
func (c *call) scatter(x, indices, updates *dag.Value, n indexing, mode string) *dag.Value {
	if len(n.batchesAt) != len(n.batching) {
		c.refuse(CodeForm, hintForm, "dimension numbers that do not pair")
	}
	if x.Type.DType == dtype.Bool {
		return c.convert(c.scatter(c.convert(x, dtype.U8), indices, c.convert(updates, dtype.U8), n, mode), dtype.Bool)
	}
	// Sizes of windows by the operand's dimensions.
	sizes, w := make(shape.Shape, rank(x)), 0
	var windows []int64 // dimensions of the operand that updates have
	for d := range sizes {
		sizes[d] = shape.N(1)
		if !slices.Contains(n.gone, int64(d)) && !slices.Contains(n.batching, int64(d)) {
			if w >= len(n.window) {
				c.refuse(CodeForm, hintForm, "update_window_dims that are too few")
			}
			sizes[d] = updates.Type.Shape[n.window[w]]
			windows = append(windows, int64(d))
			w++
		}
	}
	if v := c.onePlaceOf(x, indices, updates, n, sizes, mode); v != nil {
		return v
	}
	at := c.coordinates(x, indices, n, sizes, false)
	// Updates as [I..., W..., rest...].
	var order []int64
	for d := range rank(updates) {
		if !slices.Contains(n.window, int64(d)) {
			order = append(order, int64(d))
		}
	}
	for _, d := range append(slices.Clone(at.parts), at.rest...) {
		order = append(order, n.window[slices.Index(windows, d)])
	}
	u := c.dropped(updates, order)
	if len(at.dims) == 0 {
		c.refuse(CodeForm, hintForm, "no indices")
	}
	perm := append(slices.Clone(at.dims), at.rest...)
	y := c.transpose(x, perm...)
	rest := slices.Clone(y.Type.Shape[len(at.dims):])
	count := y.Type.Shape[:len(at.dims)].Product()
	flat := c.reshape(y, append(shape.Shape{count}, rest...)...)
	rows, inside := c.rows(at.at, y, span(0, int64(len(at.dims))))
	places := rows.Type.Shape.Product()
	rows, inside = c.reshape(rows, places), c.reshape(inside, places)
	u = c.reshape(u, append(shape.Shape{places}, rest...)...)
	t := rows.Type.DType
	if mode == op.ScatterSet { // what is outside goes to a row of its own
		flat = c.add("pad", op.Attrs{"low": repeat(rank(flat), 0), "high": append([]int64{1}, repeat(rank(flat)-1, 0)...)}, flat, c.fill(x.Type.DType, 0))
		rows = c.add("select", nil, inside, rows, c.sizeLike(rows, c.part(flat, 0, shape.N(0), count, 1), 0))
		flat = c.add("scatter", op.Attrs{"mode": mode}, flat, rows, u)
		flat = c.part(flat, 0, shape.N(0), count, 1)
	} else { // and merges what changes nothing elsewhere
		rows = c.add("select", nil, inside, rows, c.fill(t, 0, places))
		neutral := map[string]float64{op.ScatterAdd: 0, op.ScatterMul: 1, op.ScatterMax: least(x.Type.DType), op.ScatterMin: greatest(x.Type.DType)}[mode]
		u = c.add("select", nil, c.spread(inside, u.Type.Shape, 0), u, c.like(u, neutral))
		flat = c.add("scatter", op.Attrs{"mode": mode}, flat, rows, u)
	}
	return c.transpose(c.reshape(flat, y.Type.Shape...), inverse(perm)...)
}

// sizeLike returns a tensor like v of the size of a dimension of x.
func (c *call) sizeLike(v, x *dag.Value, dim int) *dag.Value {
	if n := x.Type.Shape[dim]; n.IsStatic() {
		return c.like(v, float64(n.Size))
	}
	return c.spread(c.convert(c.add("dim_size", op.Attrs{"dim": int64(dim)}, x), v.Type.DType), v.Type.Shape)
}

// rows returns the row of each place in dimensions of an operand, and whether it is inside.
func (c *call) rows(at, x *dag.Value, dims []int64) (rows, inside *dag.Value) {
	last := rank(at) - 1
	for i, dim := range dims {
		size := func(v *dag.Value) *dag.Value { return c.sizeLike(v, x, int(dim)) }
		v := c.reshape(c.part(at, last, shape.N(int64(i)), shape.N(int64(i+1)), 1), at.Type.Shape[:last]...)
		ok := c.compare(op.LT, v, size(v))
		if v.Type.DType.IsSigned() {
			ok = c.add("and", nil, ok, c.compare(op.GE, v, c.like(v, 0)))
		}
		if rows == nil {
			rows, inside = v, ok
			continue
		}
		rows = c.add("add", nil, c.add("multiply", nil, rows, size(rows)), v)
		inside = c.add("and", nil, inside, ok)
	}
	return rows, inside
}

// onePlaceOf merges a single window, each of whose indexed dimensions has size 1, or returns
// nil.
func (c *call) onePlaceOf(x, indices, updates *dag.Value, n indexing, sizes shape.Shape, mode string) *dag.Value {
	if len(n.batching) > 0 || rank(indices) != 1 || n.vector != 0 {
		return nil
	}
	for _, d := range n.mapped {
		if !sizes[d].Same(shape.N(1)) {
			return nil
		}
	}
	starts := c.starts(x, indices, n)
	u := c.reshape(c.transpose(updates, n.window...), sizes...)
	corner := append([]*dag.Value{x}, starts...)
	if mode != op.ScatterSet {
		merge := map[string]string{op.ScatterAdd: "add", op.ScatterMul: "multiply", op.ScatterMax: "maximum", op.ScatterMin: "minimum"}[mode]
		u = c.add(merge, nil, c.add("dynamic_slice", op.Attrs{"sizes": sizes}, corner...), u)
	}
	out := c.add("dynamic_update_slice", nil, append([]*dag.Value{x, u}, starts...)...)
	known, sure := c.numbers[indices], true
	for m, d := range n.mapped {
		sure = sure && m < len(known) && known[m].isInteger() && known[m].n >= 0 && known[m].n < x.Type.Shape[d].Size
	}
	if sure {
		return out
	}
	_, inside := c.rows(indices, x, n.mapped)
	return c.add("select", nil, inside, out, x)
}
