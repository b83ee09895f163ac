package verify

import "math"

// slicing has the operations of other dialects that read
// and write parts of tensors at dynamic positions.
var slicing = map[string]spec{
	"tensor.extract":       {min: 1, max: -1, rule: extract},
	"tensor.extract_slice": {min: 1, max: -1, rule: func(c *checker, o *op) { placed(c, o, 1) }},
	"tensor.insert_slice":  {min: 2, max: -1, rule: func(c *checker, o *op) { placed(c, o, 2) }},
	"arith.index_cast":     {min: 1, max: 1, rule: indexCast},
}

// plain reports whether all types are scalars (not tensors) of a class.
func (c *checker) plain(o *op, ts []typ, wanted string, class func(string) bool) bool {
	for _, t := range ts {
		if t.tensor || !class(t.elem) {
			c.want(o, t, wanted, "")
			return false
		}
	}
	return true
}

func isIndex(e string) bool { return e == "index" }

// first reports whether the first n operands are tensors, the others indices, and
// there is one result.
func (c *checker) first(o *op, n int) bool {
	for _, t := range o.ins[:n] {
		if !t.tensor {
			c.want(o, t, "a tensor", "")
			return false
		}
	}
	if len(o.outs) != 1 {
		c.fault(o.pos, CodeCount, "%s with %s", o.name, count(len(o.outs), "result"))
		return false
	}
	return c.plain(o, o.ins[n:], "index", isIndex)
}

func extract(c *checker, o *op) {
	if !c.first(o, 1) {
		return
	}
	if t := o.ins[0]; len(o.ins)-1 != len(t.dims) {
		c.fault(o.pos, CodeCount, "%s of %s with %s", o.name, t, count(len(o.ins)-1, "index"))
	} else {
		c.plain(o, o.outs, t.elem, func(e string) bool { return e == t.elem })
	}
}

func indexCast(c *checker, o *op) {
	if len(o.outs) != 1 {
		c.fault(o.pos, CodeCount, "%s with %s", o.name, count(len(o.outs), "result"))
		return
	}
	in, out := o.ins[0], o.outs[0]
	if c.plain(o, []typ{in, out}, "an integer", isInt) && isIndex(in.elem) == isIndex(out.elem) {
		c.want(o, out, "index on one side alone", "")
	}
}

// placed checks an operation that extracts a part of a tensor or inserts one tensor
// into another. The minimum integer stands for a dynamic operand.
func placed(c *checker, o *op, tensors int) {
	if !c.first(o, tensors) {
		return
	}
	whole, part := o.ins[tensors-1], o.outs[0]
	if tensors == 2 {
		part = o.ins[0]
		c.result(o, whole.elem, whole.dims)
	}
	if !part.tensor || part.elem != whole.elem || len(part.dims) != len(whole.dims) {
		c.want(o, part, "a part of "+whole.String(), "")
		return
	}
	given := 0
	var sizes []int64
	for _, key := range []string{"static_offsets", "static_strides", "static_sizes"} {
		list, ok := c.list(o, key)
		if !ok {
			return
		}
		if len(list) != len(whole.dims) {
			c.fault(o.pos, CodeAttribute, "%s: %d %s of %s", o.name, len(list), key, whole)
			return
		}
		for i, n := range list {
			if n == math.MinInt64 {
				list[i] = dynamic
				given++
			}
		}
		sizes = list
	}
	if given != len(o.ins)-tensors {
		c.fault(o.pos, CodeCount, "%s with %s for %d", o.name, count(len(o.ins)-tensors, "index"), given)
		return
	}
	for i, n := range sizes {
		if n != part.dims[i] || n > whole.dims[i] && whole.dims[i] != dynamic {
			c.fault(part.pos, CodeShape, "%s of sizes %v with %s and %s", o.name, sizes, part, whole)
			return
		}
	}
}
