package verify

import "slices"

var contractions = map[string]spec{
	"stablehlo.dot":         {min: 2, max: 2, keys: []string{"precision"}, rule: dot},
	"stablehlo.dot_general": {min: 2, max: 2, keys: []string{"batching_dims", "contracting_dims", "precision", "algorithm"}, rule: dotGeneral},
	"stablehlo.convolution": {min: 2, max: 2, keys: []string{"dim_numbers", "window"}, rule: convolution},
}

// compatible checks that two operands have element types of the same kind:
// narrow floats may have a wider product.
func (c *checker) compatible(o *op) bool {
	if a, b := o.ins[0], o.ins[1]; a.elem != b.elem {
		c.want(o, b, "element type "+a.elem, "")
		return false
	}
	if in, out := o.ins[0].elem, o.outs[0].elem; isFloat(in) != isFloat(out) || isComplex(in) != isComplex(out) || isBool(in) != isBool(out) {
		c.want(o, o.outs[0], "an element type for products of "+in, "")
		return false
	}
	return true
}

func dot(c *checker, o *op) {
	if !c.tensors(o, 1) || !c.compatible(o) {
		return
	}
	a, b := o.ins[0], o.ins[1]
	if len(a.dims) < 1 || len(a.dims) > 2 || len(b.dims) < 1 || len(b.dims) > 2 || !fit(a.dims[len(a.dims)-1], b.dims[0]) {
		c.fault(b.pos, CodeShape, "%s of %s and %s", o.name, a, b)
		return
	}
	c.shaped(o, o.outs[0], slices.Concat(a.dims[:len(a.dims)-1], b.dims[1:]))
}

// pair returns the two lists of "[0] x [1]".
func (c *checker) pair(o *op, key string) (l, r []int64, ok bool) {
	a, there := o.attrs.get(key)
	if !there {
		return nil, nil, true
	}
	if a.kind != aList || len(a.items) != 2 {
		c.fault(a.pos, CodeAttribute, "%s: %s needs two lists, [..] x [..]", o.name, key)
		return nil, nil, false
	}
	l, ok1 := c.intsOf(o, a.items[0], key)
	r, ok2 := c.intsOf(o, a.items[1], key)
	return l, r, ok1 && ok2
}

func dotGeneral(c *checker, o *op) {
	if !c.tensors(o, 1) || !c.compatible(o) {
		return
	}
	a, b := o.ins[0], o.ins[1]
	var lb, rb, lc, rc []int64
	ok := true
	if n, generic := o.attrs.get("dot_dimension_numbers"); generic {
		for key, list := range map[string]*[]int64{
			"lhs_batching_dimensions": &lb, "rhs_batching_dimensions": &rb,
			"lhs_contracting_dimensions": &lc, "rhs_contracting_dimensions": &rc,
		} {
			v, good := c.among(o, n, key)
			*list, ok = v, ok && good
		}
	} else {
		var ok1, ok2 bool
		lb, rb, ok1 = c.pair(o, "batching_dims")
		lc, rc, ok2 = c.pair(o, "contracting_dims")
		ok = ok1 && ok2
	}
	if !ok || !c.distinct(o, a, slices.Concat(lb, lc)) || !c.distinct(o, b, slices.Concat(rb, rc)) {
		return
	}
	if len(lb) != len(rb) || len(lc) != len(rc) {
		c.fault(o.pos, CodeAttribute, "%s: dimensions of the two operands that do not pair", o.name)
		return
	}
	left, right := slices.Concat(lb, lc), slices.Concat(rb, rc)
	for i, d := range left {
		if !fit(a.dims[d], b.dims[right[i]]) {
			c.fault(b.pos, CodeShape, "%s of %s and %s: dimensions %d and %d differ", o.name, a, b, d, right[i])
			return
		}
	}
	var want []int64
	for _, d := range lb {
		want = append(want, a.dims[d])
	}
	c.shaped(o, o.outs[0], slices.Concat(want, remaining(a, left), remaining(b, right)))
}

// remaining returns the sizes of the dimensions that are not in dims.
func remaining(t typ, dims []int64) []int64 {
	var out []int64
	for i, d := range t.dims {
		if !slices.Contains(dims, int64(i)) {
			out = append(out, d)
		}
	}
	return out
}

// places holds the dimensions of one operand of a convolution.
type places struct {
	first, second int64 // batch and feature, or output and input feature
	spatial       []int64
}

// layoutOf parses [b, f, 0, 1].
func (c *checker) layoutOf(o *op, a attr, first, second string, rank int) (places, bool) {
	p := places{-1, -1, fill(rank, -1)}
	for i, item := range a.items {
		switch {
		case item.text == first && p.first < 0:
			p.first = int64(i)
		case item.text == second && p.second < 0:
			p.second = int64(i)
		case item.kind == aInt && item.n >= 0 && item.n < int64(rank) && p.spatial[item.n] < 0:
			p.spatial[item.n] = int64(i)
		default:
			c.fault(item.pos, CodeAttribute, "%s: %s in dim_numbers", o.name, quoted(item.text))
			return p, false
		}
	}
	if len(a.items) != rank+2 {
		c.fault(a.pos, CodeAttribute, "%s: %d dimensions in dim_numbers, operands have %d", o.name, len(a.items), rank+2)
		return p, false
	}
	return p, true
}

func convolution(c *checker, o *op) {
	if !c.tensors(o, 1) || !c.compatible(o) {
		return
	}
	x, k, out := o.ins[0], o.ins[1], o.outs[0]
	rank := len(x.dims) - 2
	if rank < 0 || len(k.dims) != rank+2 || len(out.dims) != rank+2 {
		c.fault(o.pos, CodeShape, "%s of %s and %s to %s", o.name, x, k, out)
		return
	}
	numbers, ok := o.find("dim_numbers", "dimension_numbers")
	if !ok {
		c.fault(o.pos, CodeAttribute, "%s without dim_numbers", o.name)
		return
	}
	if len(numbers.items) != 3 {
		c.fault(numbers.pos, CodeAttribute, "%s: dim_numbers needs three lists", o.name)
		return
	}
	px, ok1 := c.layoutOf(o, numbers.items[0], "b", "f", rank)
	pk, ok2 := c.layoutOf(o, numbers.items[1], "o", "i", rank)
	po, ok3 := c.layoutOf(o, numbers.items[2], "b", "f", rank)
	if !ok1 || !ok2 || !ok3 {
		return
	}
	groups, batches := int64(1), int64(1)
	if a, ok := o.attrs.get("feature_group_count"); ok && a.kind == aInt {
		groups = a.n
	}
	if a, ok := o.attrs.get("batch_group_count"); ok && a.kind == aInt {
		batches = a.n
	}
	if groups < 1 || batches < 1 {
		c.fault(o.pos, CodeAttribute, "%s of %d feature and %d batch groups", o.name, groups, batches)
		return
	}
	if in, per := x.dims[px.second], k.dims[pk.second]; in != dynamic && per != dynamic && (in%groups != 0 || in/groups != per) {
		c.fault(k.pos, CodeShape, "%s: %d features in %d groups, the kernel has %d", o.name, in, groups, per)
		return
	}
	w, ok := c.window(o, rank)
	if !ok {
		return
	}
	want := make([]int64, rank+2)
	want[po.first], want[po.second] = x.dims[px.first], k.dims[pk.first]
	if want[po.first] != dynamic {
		want[po.first] /= batches
	}
	for i := range rank {
		want[po.spatial[i]] = w.extent(i, x.dims[px.spatial[i]], k.dims[pk.spatial[i]])
	}
	c.shaped(o, out, want)
}
