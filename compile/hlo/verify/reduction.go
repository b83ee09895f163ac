package verify

import (
	"slices"
	"strings"
)

var reductions = map[string]spec{
	"stablehlo.reduce":        {min: 2, max: -1, regions: -1, ownRegions: true, keys: []string{"dimensions"}, rule: reduce},
	"stablehlo.reduce_window": {min: 2, max: -1, regions: 1, ownRegions: true, rule: reduceWindow},
	"stablehlo.sort":          {min: 1, max: -1, regions: 1, ownRegions: true, rule: sorted},
	"chlo.top_k":              {form: formArrow, min: 1, max: 1, keys: []string{"k"}, rule: topK},
}

// halves checks that the second half of the operands are scalars for those of the
// first half, and that there is a result for each.
func (c *checker) halves(o *op) (n int, ok bool) {
	n = len(o.ins) / 2
	if len(o.ins)%2 != 0 {
		c.fault(o.pos, CodeCount, "%s of %s: each needs an initial value", o.name, count(len(o.ins), "operand"))
		return n, false
	}
	if !c.tensors(o, n) {
		return n, false
	}
	for i, t := range o.ins[n:] {
		if !c.agree(o, t, o.ins[i].scalar()) || !c.shaped(o, o.ins[i], o.ins[0].dims) {
			return n, false
		}
	}
	return n, true
}

// reducer checks a region that combines two values into one, for n values at once.
func (c *checker) reducer(o *op, r *region, n int) {
	var scalars []typ
	for _, t := range o.outs[:n] {
		scalars = append(scalars, t.scalar())
	}
	c.arguments(o, r, slices.Concat(scalars, scalars))
	c.region(r, "stablehlo.return", scalars)
}

func reduce(c *checker, o *op) {
	n, ok := c.halves(o)
	if !ok {
		return
	}
	first := o.ins[0]
	dims, ok := c.list(o, "dimensions")
	if !ok || !c.distinct(o, first, dims) {
		return
	}
	want := remaining(first, dims)
	for i, t := range o.outs {
		if t.elem != o.ins[i].elem {
			c.want(o, t, "element type "+o.ins[i].elem, "")
			return
		}
		if !c.shaped(o, t, want) {
			return
		}
	}
	switch {
	case len(o.regions) == 1:
		c.reducer(o, o.regions[0], n)
	case len(o.regions) > 1 || len(o.words) == 0:
		c.fault(o.pos, CodeCount, "%s with %s", o.name, count(len(o.regions), "region"))
	default:
		c.applied(o, n)
	}
}

// applied checks the operation that a reduction without a region names.
func (c *checker) applied(o *op, n int) {
	name := o.words[0]
	s, known := table[name.text]
	if !known || !strings.HasPrefix(name.text, "stablehlo.") || s.form != formSame || s.min != 2 || n != 1 {
		c.fault(name.pos, CodeOperation, "%s cannot be applied by a reduction", quoted(name.text))
		return
	}
	t := o.outs[0].scalar()
	s.rule(c, &op{named: named{name.text, name.pos}, ins: []typ{t, t}, outs: []typ{t}})
}

func reduceWindow(c *checker, o *op) {
	n, ok := c.halves(o)
	if !ok {
		return
	}
	first := o.ins[0]
	rank := len(first.dims)
	size, ok := c.list(o, "window_dimensions")
	if !ok {
		return
	}
	if len(size) != rank {
		c.fault(o.pos, CodeAttribute, "a window of %d dimensions over %s", len(size), first)
		return
	}
	w, ok := c.windowOf(o, rank)
	if !ok {
		return
	}
	want := make([]int64, rank)
	for i, d := range first.dims {
		if size[i] < 1 || size[i] > 1<<40 {
			c.fault(o.pos, CodeAttribute, "a window of %d elements", size[i])
			return
		}
		want[i] = w.extent(i, d, size[i])
	}
	for _, t := range o.outs {
		if !c.shaped(o, t, want) {
			return
		}
	}
	c.reducer(o, o.regions[0], n)
}

func sorted(c *checker, o *op) {
	if !c.tensors(o, len(o.ins)) {
		return
	}
	var args []typ
	for i, t := range o.ins {
		if !c.agree(o, o.outs[i], t) || !c.shaped(o, t, o.ins[0].dims) {
			return
		}
		args = append(args, t.scalar(), t.scalar())
	}
	if a, ok := o.attrs.get("dimension"); ok {
		if d := int64(len(o.ins[0].dims)); a.kind != aInt || a.n < -d || a.n >= max(d, 1) {
			c.fault(a.pos, CodeAttribute, "%s along a dimension that %s has not", o.name, o.ins[0])
			return
		}
	}
	c.arguments(o, o.regions[0], args)
	c.region(o.regions[0], "stablehlo.return", []typ{{tensor: true, elem: "i1", pos: o.pos}})
}

func topK(c *checker, o *op) {
	if !c.tensors(o, 2) {
		return
	}
	k, ok := c.number(o, "k")
	if !ok {
		return
	}
	in := o.ins[0]
	last := len(in.dims) - 1
	if last < 0 || k < 0 || in.dims[last] != dynamic && k > in.dims[last] {
		c.fault(o.pos, CodeAttribute, "the %d largest of %s", k, in)
		return
	}
	want := append(slices.Clone(in.dims[:last]), k)
	if !c.agree(o, o.outs[0], typ{tensor: true, elem: in.elem, dims: want}) {
		return
	}
	c.agree(o, o.outs[1], typ{tensor: true, elem: "i32", dims: want})
}
