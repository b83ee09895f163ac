package fromhlo

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var gatherRules = map[string]rule{
	"stablehlo.dynamic_slice": func(c *call) []*dag.Value {
		sizes := c.integers("sizes", "slice_sizes")
		return one(c.add("dynamic_slice", op.Attrs{"sizes": sizes}, c.in...))
	},
	"stablehlo.dynamic_update_slice": func(c *call) []*dag.Value {
		for d, n := range c.in[1].Type.Shape {
			if n.IsName() && c.in[0].Type.Shape[d].IsName() {
				c.same(n, c.in[0].Type.Shape[d]) // replaced whole: a call with other sizes is refused
			}
		}
		return one(c.add("dynamic_update_slice", nil, c.in...))
	},
	"stablehlo.gather": func(c *call) []*dag.Value {
		return one(c.gather(c.in[0], c.in[1], c.numbersOf("dimension_numbers"), shape.Of(c.integers("slice_sizes")...)))
	},
	"stablehlo.torch_index_select": func(c *call) []*dag.Value {
		if c.number(0, "batch_dims") != 0 {
			c.refuse(CodeForm, hintForm, "batch dimensions")
		}
		return one(c.add("gather", op.Attrs{"dim": c.number(0, "dim")}, c.in...))
	},
	"stablehlo.scatter": func(c *call) []*dag.Value {
		n := (len(c.in) - 1) / 2
		numbers := c.numbersOf("scatter_dimension_numbers")
		out := make([]*dag.Value, n)
		for i := range out {
			out[i] = c.scatter(c.in[i], c.in[n], c.in[n+1+i], numbers, c.mode(i, n))
		}
		return out
	},
}

// indexing is the dimension numbers of a gather or a scatter.
type indexing struct {
	window    []int64 // offset_dims or update_window_dims
	gone      []int64 // collapsed_slice_dims or inserted_window_dims
	batching  []int64 // of the operand
	batchesAt []int64 // of the indices
	mapped    []int64 // start_index_map or scatter_dims_to_operand_dims
	vector    int64
}

func (c *call) numbersOf(key string) indexing {
	a := c.Attrs.Get(key)
	list := func(keys ...string) []int64 {
		v, _ := a.Get(keys...).Ints()
		return v
	}
	return indexing{
		window: list("offset_dims", "update_window_dims"), gone: list("collapsed_slice_dims", "inserted_window_dims"),
		batching: list("operand_batching_dims", "input_batching_dims"), batchesAt: list("start_indices_batching_dims", "scatter_indices_batching_dims"),
		mapped: list("start_index_map", "scatter_dims_to_operand_dims"), vector: a.Get("index_vector_dim").N,
	}
}

// coordinates are the places in an operand that a gather or a scatter reads or writes.
type coordinates struct {
	at    *dag.Value  // [I..., W..., K] of i32 or i64
	dims  []int64     // the K dimensions of the operand
	parts []int64     // those of them that have dimensions W, in the operand's order
	rest  []int64     // the other dimensions of the operand, which are taken whole
	batch shape.Shape // I
}

// coordinates returns the places of windows of these sizes. With clamp they are within the
// operand.
func (c *call) coordinates(x, indices *dag.Value, n indexing, sizes shape.Shape, clamp bool) coordinates {
	at := indices
	if n.vector == int64(rank(at)) {
		at = c.reshape(at, append(slices.Clone(at.Type.Shape), shape.N(1))...)
	} else {
		order := slices.Delete(span(0, int64(rank(at))), int(n.vector), int(n.vector)+1)
		at = c.transpose(at, append(order, n.vector)...)
	}
	k := rank(at) - 1
	out := coordinates{batch: slices.Clone(at.Type.Shape[:k])}
	for d := range x.Type.Shape {
		used := slices.Contains(n.mapped, int64(d))
		if !used && sizes[d].IsName() && x.Type.Shape[d].IsName() {
			c.same(sizes[d], x.Type.Shape[d]) // taken whole: a call with other sizes is refused
		}
		switch {
		case slices.Contains(n.batching, int64(d)):
			out.dims = append(out.dims, int64(d))
		case used || !sizes[d].Same(x.Type.Shape[d]):
			out.dims = append(out.dims, int64(d))
			if !sizes[d].Same(shape.N(1)) {
				if !sizes[d].IsStatic() {
					c.refuse(CodeSize, hintSize, "windows of %s elements", sizes[d])
				}
				out.parts = append(out.parts, int64(d))
			}
		default:
			out.rest = append(out.rest, int64(d))
		}
	}
	t := indexType(x)
	if at.Type.DType.Bits() > 32 {
		t = at.Type.DType
	}
	at = c.convert(at, t)
	full := slices.Clone(out.batch)
	for _, d := range out.parts {
		full = append(full, sizes[d])
	}
	columns := make([]*dag.Value, len(out.dims))
	for i, d := range out.dims {
		v := c.fill(t, 0, full...)
		if m := slices.Index(n.mapped, d); m >= 0 {
			start := c.reshape(c.part(at, k, shape.N(int64(m)), shape.N(int64(m+1)), 1), out.batch...)
			if size := x.Type.Shape[d]; clamp && slices.Contains(out.parts, d) { // the window as a whole
				if !size.IsStatic() {
					c.refuse(CodeSize, hintSize, "a window in a dimension of %s elements", size)
				}
				start = c.add("clamp", nil, c.whole(t, 0), start, c.whole(t, size.Size-sizes[d].Size))
			}
			v = c.spread(start, full, span(0, int64(k))...)
		}
		if b := slices.Index(n.batching, d); b >= 0 {
			v = c.iota(t, batchPlace(n, b), full...)
		}
		if p := slices.Index(out.parts, d); p >= 0 {
			v = c.add("add", nil, v, c.iota(t, int64(k+p), full...))
		}
		columns[i] = c.reshape(v, append(slices.Clone(full), shape.N(1))...)
	}
	if len(columns) > 0 {
		out.at = c.concat(len(full), columns...)
	}
	return out
}

// batchPlace returns the dimension of the batch that a batching dimension of the indices is.
func batchPlace(n indexing, b int) int64 {
	at := n.batchesAt[b]
	if at > n.vector {
		at--
	}
	return at
}

// gather reads windows of x at indices.
func (c *call) gather(x, indices *dag.Value, n indexing, sizes shape.Shape) *dag.Value {
	if len(n.batchesAt) != len(n.batching) || len(sizes) != rank(x) {
		c.refuse(CodeForm, hintForm, "dimension numbers that do not pair")
	}
	if x.Type.DType == dtype.Bool { // taken like any other elements
		return c.convert(c.gather(c.convert(x, dtype.U8), indices, n, sizes), dtype.Bool)
	}
	if v := c.onePlace(x, indices, n, sizes); v != nil {
		return v
	}
	at := c.coordinates(x, indices, n, sizes, true)
	y := c.transpose(x, append(slices.Clone(at.dims), at.rest...)...)
	if len(at.dims) > 0 {
		y = c.add("gather_nd", nil, y, at.at) // [I..., W..., rest...]
	} else {
		y = c.spread(y, append(slices.Clone(at.batch), y.Type.Shape...), span(int64(len(at.batch)), int64(len(at.batch)+rank(y)))...)
	}
	// Window dimensions in the operand's order, of size 1 where an index alone places them.
	var window shape.Shape
	order := span(0, int64(len(at.batch)))
	from := append(slices.Clone(at.parts), at.rest...)
	for d := range x.Type.Shape {
		if i := slices.Index(from, int64(d)); i >= 0 && !slices.Contains(n.gone, int64(d)) && !slices.Contains(n.batching, int64(d)) {
			order = append(order, int64(len(at.batch)+i))
		}
		if !slices.Contains(n.gone, int64(d)) && !slices.Contains(n.batching, int64(d)) {
			window = append(window, sizes[d])
		}
	}
	y = c.dropped(y, order)
	y = c.reshape(y, append(slices.Clone(at.batch), window...)...)
	return c.transpose(y, c.spreadOrder(len(at.batch), n.window, rank(y))...)
}

// dropped permutes y to the dimensions of order; the others have size 1.
func (c *call) dropped(y *dag.Value, order []int64) *dag.Value {
	full := slices.Clone(order)
	for d := range rank(y) {
		if !slices.Contains(order, int64(d)) {
			full = append(full, int64(d))
		}
	}
	y = c.transpose(y, full...)
	return c.reshape(y, y.Type.Shape[:len(order)]...)
}

// spreadOrder returns the permutation that puts the dimensions after the first batch ones at
// the places window, and the batch in the others.
func (c *call) spreadOrder(batch int, window []int64, rank int) []int64 {
	out, next := make([]int64, rank), int64(0)
	for i := range out {
		if w := slices.Index(window, int64(i)); w >= 0 {
			out[i] = int64(batch + w)
		} else {
			out[i] = next
			next++
		}
	}
	return out
}

// onePlace reads a single window as a slice, or returns nil.
func (c *call) onePlace(x, indices *dag.Value, n indexing, sizes shape.Shape) *dag.Value {
	if len(n.batching) > 0 || rank(indices) != 1 || n.vector != 0 {
		return nil
	}
	// Numbers make a slice, which may have dynamic sizes.
	start, limit, known := make(shape.Shape, rank(x)), make(shape.Shape, rank(x)), true
	for d, size := range sizes {
		start[d], limit[d] = shape.N(0), size
		if m := slices.Index(n.mapped, int64(d)); m >= 0 {
			at := append(slices.Clone(c.numbers[indices]), make([]number, m+1)...)[m]
			from, ok := at.dim()
			if known = known && ok; known {
				start[d], limit[d] = from, from.Plus(size)
				known = limit[d].AtMost(x.Type.Shape[d])
			}
		}
	}
	var y *dag.Value
	if known {
		y = c.add("slice", op.Attrs{"start": start, "limit": limit, "strides": repeat(rank(x), 1)}, x)
	} else {
		y = c.add("dynamic_slice", op.Attrs{"sizes": sizes}, append([]*dag.Value{x}, c.starts(x, indices, n)...)...)
	}
	var window shape.Shape
	for d, size := range sizes {
		if !slices.Contains(n.gone, int64(d)) {
			window = append(window, size)
		}
	}
	return c.reshape(y, window...)
}

// starts returns the corner of a single window, one scalar per dimension.
func (c *call) starts(x, indices *dag.Value, n indexing) []*dag.Value {
	out := make([]*dag.Value, rank(x))
	for d := range out {
		m := slices.Index(n.mapped, int64(d))
		if m < 0 {
			out[d] = c.whole(indices.Type.DType, 0)
			continue
		}
		out[d] = c.reshape(c.part(indices, 0, shape.N(int64(m)), shape.N(int64(m+1)), 1))
	}
	return out
}
