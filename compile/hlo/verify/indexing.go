package verify

import "slices"

var indexing = map[string]spec{
	"stablehlo.dynamic_slice":        {min: 1, max: -1, keys: []string{"sizes"}, rule: dynamicSlice},
	"stablehlo.dynamic_update_slice": {min: 2, max: -1, rule: dynamicUpdateSlice},
	"stablehlo.gather":               {min: 2, max: 2, rule: gather},
	"stablehlo.scatter":              {min: 3, max: -1, regions: 1, ownRegions: true, rule: scatter},
}

// starts checks that there is one scalar integer for each dimension.
func (c *checker) starts(o *op, ts []typ, rank int) bool {
	if len(ts) != rank {
		c.fault(o.pos, CodeCount, "%s with %s for %d dimensions", o.name, count(len(ts), "start"), rank)
		return false
	}
	for _, t := range ts {
		if !t.tensor || len(t.dims) != 0 || !isInt(t.elem) || t.elem != ts[0].elem {
			c.want(o, t, "a scalar integer, all of one type,", "")
			return false
		}
	}
	return true
}

func dynamicSlice(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	in := o.ins[0]
	sizes, ok := c.list(o, "sizes", "slice_sizes")
	if !ok || !c.starts(o, o.ins[1:], len(in.dims)) {
		return
	}
	if !c.within(o, sizes, in) {
		return
	}
	c.result(o, in.elem, sizes)
}

// within checks that the sizes of a part fit in t.
func (c *checker) within(o *op, sizes []int64, t typ) bool {
	ok := len(sizes) == len(t.dims)
	for i := 0; ok && i < len(sizes); i++ {
		ok = sizes[i] >= 0 && (t.dims[i] == dynamic || sizes[i] <= t.dims[i])
	}
	if !ok {
		c.fault(o.pos, CodeAttribute, "%s: a part of sizes %v of %s", o.name, sizes, t)
	}
	return ok
}

func dynamicUpdateSlice(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	in, part := o.ins[0], o.ins[1]
	if part.elem != in.elem {
		c.want(o, part, "element type "+in.elem, "")
		return
	}
	for i, d := range part.dims {
		if len(part.dims) != len(in.dims) || d > in.dims[i] && in.dims[i] != dynamic {
			c.fault(part.pos, CodeShape, "%s of %s into %s", o.name, part, in)
			return
		}
	}
	if c.starts(o, o.ins[2:], len(in.dims)) {
		c.result(o, in.elem, in.dims)
	}
}

// indices checks the index vector dimension and returns the sizes of the
// other dimensions.
func (c *checker) indices(o *op, t typ, numbers attr, mapped []int64) ([]int64, bool) {
	vector := int64(0)
	if a, ok := numbers.get("index_vector_dim"); ok {
		vector = a.n
	}
	if !isInt(t.elem) {
		c.want(o, t, "integers", "")
		return nil, false
	}
	if vector < 0 || vector > int64(len(t.dims)) {
		c.fault(o.pos, CodeAttribute, "%s: index_vector_dim %d of %s", o.name, vector, t)
		return nil, false
	}
	size := int64(1)
	if vector < int64(len(t.dims)) {
		size = t.dims[vector]
	}
	if !fit(size, int64(len(mapped))) {
		c.fault(t.pos, CodeShape, "%s: indices of %d numbers for %d dimensions", o.name, size, len(mapped))
		return nil, false
	}
	return remaining(t, []int64{vector}), true
}

// spread interleaves window sizes, at their dimensions, with batch sizes.
func (c *checker) spread(o *op, batch, window, at []int64) ([]int64, bool) {
	out := fill(len(batch)+len(window), dynamic)
	if len(at) != len(window) || !c.distinct(o, typ{tensor: true, dims: out, elem: "i32"}, at) {
		c.fault(o.pos, CodeAttribute, "%s: %d window dimensions for %d sizes", o.name, len(at), len(window))
		return nil, false
	}
	for i, d := range at {
		out[d] = window[i]
	}
	k := 0
	for i := range out {
		if !slices.Contains(at, int64(i)) {
			out[i] = batch[k]
			k++
		}
	}
	return out, true
}

// lists returns the lists of a dimension numbers attribute.
func (c *checker) lists(o *op, a attr, keys ...string) ([][]int64, bool) {
	out, good := make([][]int64, len(keys)), true
	for i, key := range keys {
		v, ok := c.among(o, a, key)
		out[i], good = v, good && ok
	}
	return out, good
}

func gather(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	table, at := o.ins[0], o.ins[1]
	numbers, there := o.attrs.get("dimension_numbers")
	sizes, ok := c.list(o, "slice_sizes")
	if !ok || !there || numbers.kind != aDict || !c.within(o, sizes, table) {
		if ok && !there {
			c.fault(o.pos, CodeAttribute, "%s without dimension_numbers", o.name)
		}
		return
	}
	n, ok := c.lists(o, numbers, "offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims")
	if !ok || !c.distinct(o, table, slices.Concat(n[1], n[3])) || !c.distinct(o, table, slices.Concat(n[2], n[3])) {
		return
	}
	batch, ok := c.indices(o, at, numbers, n[2])
	if !ok {
		return
	}
	gone := slices.Concat(n[1], n[3])
	for _, d := range gone {
		if sizes[d] > 1 {
			c.fault(o.pos, CodeAttribute, "%s: dimension %d is collapsed from size %d", o.name, d, sizes[d])
			return
		}
	}
	if want, ok := c.spread(o, batch, remaining(typ{dims: sizes}, gone), n[0]); ok {
		c.result(o, table.elem, want)
	}
}

// scatter has inputs, indices and as many updates.
func scatter(c *checker, o *op) {
	n := (len(o.ins) - 1) / 2
	if len(o.ins)%2 != 1 {
		c.fault(o.pos, CodeCount, "%s of %s: it needs inputs, indices and as many updates as inputs", o.name, count(len(o.ins), "operand"))
		return
	}
	if !c.tensors(o, n) {
		return
	}
	for i, t := range o.outs {
		if !c.agree(o, t, o.ins[i]) || o.ins[n+1+i].elem != t.elem {
			if o.ins[n+1+i].elem != t.elem {
				c.want(o, o.ins[n+1+i], "element type "+t.elem, "")
			}
			return
		}
	}
	numbers, there := o.attrs.get("scatter_dimension_numbers")
	if !there || numbers.kind != aDict {
		c.fault(o.pos, CodeAttribute, "%s without scatter_dimension_numbers", o.name)
		return
	}
	in := o.ins[0]
	l, ok := c.lists(o, numbers, "update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "input_batching_dims")
	if !ok || !c.distinct(o, in, slices.Concat(l[1], l[3])) || !c.distinct(o, in, slices.Concat(l[2], l[3])) {
		return
	}
	batch, ok := c.indices(o, o.ins[n], numbers, l[2])
	if !ok {
		return
	}
	// A window may be smaller than the input, so only its bound is checked.
	bound, ok := c.spread(o, batch, remaining(in, slices.Concat(l[1], l[3])), l[0])
	if !ok {
		return
	}
	for _, t := range o.ins[n+1:] {
		bad := len(t.dims) != len(bound)
		for i := 0; !bad && i < len(bound); i++ {
			window := slices.Contains(l[0], int64(i))
			bad = !fit(t.dims[i], bound[i]) && (!window || t.dims[i] > bound[i])
		}
		if bad {
			c.fault(t.pos, CodeShape, "%s of updates %s into %s", o.name, t, in)
			return
		}
	}
	c.reducer(o, o.regions[0], n)
}
