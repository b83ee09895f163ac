package verify

import "strings"

// find returns the attribute under its name in the pretty form
// or in the generic one.
func (o *op) find(keys ...string) (attr, bool) {
	for _, k := range keys {
		if a, ok := o.attrs.get(k); ok {
			return a, true
		}
	}
	return attr{}, false
}

func (c *checker) number(o *op, keys ...string) (int64, bool) {
	a, ok := o.find(keys...)
	if !ok || a.kind != aInt {
		c.fault(o.pos, CodeAttribute, "%s without a number %s", o.name, keys[0])
		return 0, false
	}
	return a.n, true
}

// list returns a required list of integers.
func (c *checker) list(o *op, keys ...string) ([]int64, bool) {
	a, ok := o.find(keys...)
	if !ok {
		c.fault(o.pos, CodeAttribute, "%s without a list %s", o.name, keys[0])
		return nil, false
	}
	return c.intsOf(o, a, keys[0])
}

func (c *checker) intsOf(o *op, a attr, key string) ([]int64, bool) {
	v, ok := a.ints()
	if !ok {
		c.fault(a.pos, CodeAttribute, "%s: %s is not a list of integers", o.name, key)
	}
	return v, ok
}

// among returns a list of integers in a dictionary attribute; a
// missing one is empty.
func (c *checker) among(o *op, a attr, key string) ([]int64, bool) {
	item, ok := a.get(key)
	if !ok {
		return nil, true
	}
	return c.intsOf(o, item, key)
}

// repeated returns n integers: those of the attribute, or def repeated without it.
func (c *checker) repeated(o *op, n int, def int64, keys ...string) ([]int64, bool) {
	a, ok := o.find(keys...)
	if !ok {
		return fill(n, def), true
	}
	v, ok := c.intsOf(o, a, keys[0])
	if ok && len(v) != n {
		c.fault(a.pos, CodeAttribute, "%s: %s of %d numbers for %d dimensions", o.name, keys[0], len(v), n)
		return nil, false
	}
	return v, ok
}

func fill(n int, v int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// distinct checks that dims are different dimensions of t.
func (c *checker) distinct(o *op, t typ, dims []int64) bool {
	seen := make([]bool, len(t.dims))
	for _, d := range dims {
		if d < 0 || d >= int64(len(t.dims)) || seen[d] {
			c.fault(o.pos, CodeAttribute, "%s: dimension %d of %s is not there or is given twice", o.name, d, t)
			return false
		}
		seen[d] = true
	}
	return true
}

// result checks the only result: its shape and element type.
func (c *checker) result(o *op, elem string, dims []int64) {
	out := o.outs[0]
	if out.elem != elem {
		c.want(o, out, "element type "+elem, "")
		return
	}
	c.shaped(o, out, dims)
}

func constant(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	out := o.outs[0]
	a, ok := o.attrs.get("value")
	if !ok && len(o.words) == 1 {
		a, ok = o.words[0], true
	}
	if !ok || a.kind != aDense && a.kind != aResource {
		c.fault(o.pos, CodeAttribute, "stablehlo.constant without dense<..>")
		return
	}
	if a.typ != nil && !a.typ.equal(out) {
		c.want(o, out, a.typ.String(), "")
	}
	if a.kind == aDense {
		c.dense(a, out)
	}
}

// dense checks the literal of a tensor.
func (c *checker) dense(a attr, t typ) {
	if !t.tensor {
		c.fault(t.pos, CodeType, "%s holds no dense<..>", t)
		return
	}
	n, static := elements(t.dims)
	if !static {
		c.fault(t.pos, CodeShape, "a constant of %s, whose size is not known", t)
		return
	}
	if len(a.items) == 0 {
		if n != 0 {
			c.fault(a.pos, CodeShape, "no values for %s", t)
		}
		return
	}
	v := a.items[0]
	switch {
	case v.kind == aString && strings.HasPrefix(v.text, `"0x`):
		digits := int64(len(v.text) - len(`"0x"`))
		if w := int64(width(t.elem)); w >= 8 && digits != w/4 && (n > digits || digits != n*w/4) {
			c.fault(a.pos, CodeShape, "%d hexadecimal digits for %s", digits, t)
		}
	case v.kind == aList:
		c.nested(v, t, t.dims)
	default:
		c.literal(v, t)
	}
}

// nested checks nested lists of literals against the shape.
func (c *checker) nested(v attr, t typ, dims []int64) bool {
	if len(dims) == 0 {
		if v.kind == aList {
			if isComplex(t.elem) {
				return true
			}
			c.fault(v.pos, CodeShape, "a list where %s has one value", t)
			return false
		}
		return c.literal(v, t)
	}
	if v.kind != aList || int64(len(v.items)) != dims[0] {
		c.fault(v.pos, CodeShape, "the values do not have the shape of %s", t)
		return false
	}
	for _, item := range v.items {
		if !c.nested(item, t, dims[1:]) {
			return false
		}
	}
	return true
}

func (c *checker) literal(v attr, t typ) bool {
	ok := false
	switch {
	case isComplex(t.elem):
		ok = true
	case isFloat(t.elem):
		ok = v.kind == aFloat || v.kind == aHex && len(v.text) == 2+width(t.elem)/4
	case isBool(t.elem):
		ok = v.kind == aInt && (v.boolean || v.n == 0 || v.n == 1 || v.n == -1)
	default:
		ok = (v.kind == aInt && !v.boolean || v.kind == aHex) && (v.kind == aHex || holds(t.elem, v))
	}
	if !ok {
		c.fault(v.pos, CodeType, "the literal %s is not of type %s", quoted(v.text), t.elem)
	}
	return ok
}

// holds reports whether an integer type can represent the value.
func holds(elem string, v attr) bool {
	bits := width(elem)
	negative := strings.HasPrefix(v.text, "-")
	switch {
	case bits == 0 || bits == 64:
		return !isUnsigned(elem) || !negative
	case v.n < 0 && !negative:
		return false // beyond 63 bits
	case isUnsigned(elem):
		return v.n >= 0 && v.n < 1<<bits
	}
	return v.n >= -1<<(bits-1) && v.n < 1<<bits
}
