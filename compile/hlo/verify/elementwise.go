package verify

import "slices"

var elementwise = func() map[string]spec {
	m := map[string]spec{
		"stablehlo.compare":              {min: 2, max: 2, rule: compare},
		"stablehlo.select":               {form: formSelect, min: 3, max: 3, rule: selects},
		"stablehlo.clamp":                {form: formSame, min: 3, max: 3, rule: clamp},
		"stablehlo.convert":              {form: formSame, min: 1, max: 1, rule: convert},
		"stablehlo.is_finite":            {form: formArrow, min: 1, max: 1, rule: predicate},
		"stablehlo.optimization_barrier": {form: formEach, max: -1, rule: barrier},
		"stablehlo.constant":             {form: formOut, rule: constant},
		"stablehlo.reduce_precision": {form: formSame, min: 1, max: 1, keys: []string{"format"},
			rule: func(c *checker, o *op) { c.alike(o, realFloat) }},
		"stablehlo.iota": {form: formOut, keys: []string{"dim"}, rule: iotaRule},
	}
	add := func(dialect string, operands int, class func(string) bool, names ...string) {
		for _, name := range names {
			m[dialect+"."+name] = same(operands, class)
		}
	}
	add("stablehlo", 1, floatElem, "exponential", "exponential_minus_one", "log", "log_plus_one", "sqrt", "rsqrt", "cbrt",
		"tanh", "tan", "logistic", "sine", "cosine")
	add("stablehlo", 1, realFloat, "floor", "ceil", "round_nearest_afz", "round_nearest_even")
	add("stablehlo", 1, signedElem, "abs", "sign")
	add("stablehlo", 1, arithmeticElem, "negate")
	add("stablehlo", 1, logicElem, "not")
	add("stablehlo", 1, intElem, "popcnt", "count_leading_zeros")
	add("stablehlo", 2, anyElem, "add", "multiply", "maximum", "minimum")
	add("stablehlo", 2, arithmeticElem, "subtract", "divide", "remainder", "power")
	add("stablehlo", 2, floatElem, "atan2")
	add("stablehlo", 2, logicElem, "and", "or", "xor")
	add("stablehlo", 2, intElem, "shift_left", "shift_right_arithmetic", "shift_right_logical")
	add("chlo", 1, floatElem, "erf", "erfc", "erf_inv", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh",
		"tan", "lgamma", "digamma", "bessel_i1e", "square")
	for _, name := range []string{"is_inf", "is_neg_inf", "is_pos_inf"} {
		m["chlo."+name] = spec{form: formArrow, min: 1, max: 1, rule: predicate}
	}
	return m
}()

// want reports an operand or result with the wrong type.
func (c *checker) want(o *op, got typ, wanted, why string) {
	c.fault(got.pos, CodeType, "%s with %s where %s is needed%s", o.name, got, wanted, why)
}

// tensors reports whether o has one result, and all types are tensors.
func (c *checker) tensors(o *op, results int) bool {
	for _, t := range slices.Concat(o.ins, o.outs) {
		if !t.tensor {
			c.want(o, t, "a tensor", "")
			return false
		}
	}
	if len(o.outs) != results {
		c.fault(o.pos, CodeCount, "%s with %s", o.name, count(len(o.outs), "result"))
		return false
	}
	return true
}

// alike checks that operands and result have the same type, of an element class.
func (c *checker) alike(o *op, class func(string) bool) {
	if !c.tensors(o, 1) {
		return
	}
	out := o.outs[0]
	if !class(out.elem) {
		c.fault(out.pos, CodeType, "%s of element type %s", o.name, out.elem)
		return
	}
	for _, t := range o.ins {
		if !c.agree(o, t, out) {
			return
		}
	}
}

// agree checks that type a is compatible with b.
func (c *checker) agree(o *op, a, b typ) bool {
	if a.elem != b.elem || !a.tensor {
		c.want(o, a, b.String(), "")
		return false
	}
	return c.shaped(o, a, b.dims)
}

// shaped checks the shape of a type.
func (c *checker) shaped(o *op, t typ, dims []int64) bool {
	if !fits(t.dims, dims) {
		c.fault(t.pos, CodeShape, "%s with %s where the shape of %s is needed", o.name, t, typ{tensor: true, dims: dims, elem: t.elem})
		return false
	}
	return true
}

func compare(c *checker, o *op) {
	if !c.tensors(o, 1) || !c.agree(o, o.ins[1], o.ins[0]) {
		return
	}
	if out := o.outs[0]; !isBool(out.elem) {
		c.want(o, out, "i1", "")
	} else {
		c.shaped(o, out, o.ins[0].dims)
	}
	if o.generic {
		return
	}
	if len(o.words) == 0 || !slices.Contains([]string{"EQ", "NE", "GE", "GT", "LE", "LT"}, o.words[0].text) {
		c.fault(o.pos, CodeAttribute, "stablehlo.compare without one of EQ, NE, GE, GT, LE, LT")
		return
	}
	if len(o.words) > 1 {
		e, kind := o.ins[0].elem, o.words[1]
		ok := kind.text == "SIGNED" && isInt(e) && !isUnsigned(e) || kind.text == "UNSIGNED" && (isUnsigned(e) || isBool(e) || e == "index") ||
			(kind.text == "FLOAT" || kind.text == "TOTALORDER") && floatElem(e)
		if !ok {
			c.fault(kind.pos, CodeAttribute, "a comparison of kind %s of %s", quoted(kind.text), e)
		}
	}
}

func selects(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	p, out := o.ins[0], o.outs[0]
	if !isBool(p.elem) {
		c.want(o, p, "i1", "")
		return
	}
	if len(p.dims) > 0 {
		c.shaped(o, p, out.dims)
	}
	_ = c.agree(o, o.ins[1], out) && c.agree(o, o.ins[2], out)
}

func clamp(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	out := o.outs[0]
	for i, t := range o.ins {
		if i != 1 && len(t.dims) == 0 && t.elem == out.elem {
			continue
		}
		if !c.agree(o, t, out) {
			return
		}
	}
}

func convert(c *checker, o *op) {
	if c.tensors(o, 1) {
		c.shaped(o, o.outs[0], o.ins[0].dims)
	}
}

func predicate(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	if out := o.outs[0]; !isBool(out.elem) {
		c.want(o, out, "i1", "")
	} else {
		c.shaped(o, out, o.ins[0].dims)
	}
	if !isFloat(o.ins[0].elem) {
		c.want(o, o.ins[0], "a float", "")
	}
}

func barrier(c *checker, o *op) {
	if len(o.outs) != len(o.ins) {
		c.fault(o.pos, CodeCount, "%s of %s with %s", o.name, count(len(o.ins), "operand"), count(len(o.outs), "result"))
		return
	}
	for i, t := range o.ins {
		if !t.equal(o.outs[i]) {
			c.want(o, o.outs[i], t.String(), "")
		}
	}
}

func iotaRule(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	out := o.outs[0]
	dim, ok := c.number(o, "dim", "iota_dimension")
	if !ok {
		return
	}
	if dim < 0 || dim >= int64(len(out.dims)) {
		c.fault(o.pos, CodeAttribute, "dimension %d of %s", dim, out)
	}
	if isBool(out.elem) {
		c.want(o, out, "numbers", "")
	}
}
