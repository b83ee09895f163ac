package verify

var layout = map[string]spec{
	"stablehlo.reshape":          {form: formArrow, min: 1, max: 1, rule: reshape},
	"stablehlo.bitcast_convert":  {form: formArrow, min: 1, max: 1, rule: bitcast},
	"stablehlo.transpose":        {min: 1, max: 1, keys: []string{"dims"}, rule: transpose},
	"stablehlo.reverse":          {form: formSame, min: 1, max: 1, keys: []string{"dims"}, rule: reverse},
	"stablehlo.broadcast_in_dim": {min: 1, max: 1, keys: []string{"dims"}, rule: broadcastInDim},
	"stablehlo.concatenate":      {min: 1, max: -1, keys: []string{"dim"}, rule: concatenate},
	"stablehlo.slice":            {min: 1, max: 1, rule: slice},
	"stablehlo.pad":              {min: 2, max: 2, keys: []string{"low", "high", "interior"}, rule: pad},
}

func reshape(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	in, out := o.ins[0], o.outs[0]
	if in.elem != out.elem {
		c.want(o, out, "element type "+in.elem, "")
		return
	}
	n, ok1 := elements(in.dims)
	m, ok2 := elements(out.dims)
	if ok1 && ok2 && n != m {
		c.fault(out.pos, CodeShape, "stablehlo.reshape of %d elements to %d", n, m)
	} else if !ok2 {
		c.fault(out.pos, CodeShape, "stablehlo.reshape to %s, whose size is not known", out)
	}
}

func bitcast(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	in, out := o.ins[0], o.outs[0]
	wi, wo := width(in.elem), width(out.elem)
	want := in.dims
	switch {
	case wi == wo || wi == 0 || wo == 0:
	case wi > wo: // the parts of an element are a last dimension
		want = append(append([]int64{}, want...), int64(wi/wo))
	default:
		if n := len(want); n == 0 || !fit(want[n-1], int64(wo/wi)) {
			c.fault(in.pos, CodeShape, "%s has no last dimension of %d parts", in, wo/wi)
			return
		}
		want = want[:len(want)-1]
	}
	c.shaped(o, out, want)
}

func transpose(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	in := o.ins[0]
	perm, ok := c.list(o, "dims", "permutation")
	if !ok || !c.distinct(o, in, perm) {
		return
	}
	if len(perm) != len(in.dims) {
		c.fault(o.pos, CodeAttribute, "a permutation of %d dimensions for %s", len(perm), in)
		return
	}
	want := make([]int64, len(perm))
	for i, d := range perm {
		want[i] = in.dims[d]
	}
	c.result(o, in.elem, want)
}

func reverse(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	if dims, ok := c.list(o, "dims", "dimensions"); ok && c.distinct(o, o.ins[0], dims) {
		c.result(o, o.ins[0].elem, o.ins[0].dims)
	}
}

func broadcastInDim(c *checker, o *op) {
	if c.tensors(o, 1) {
		c.broadcast(o)
	}
}

func (c *checker) broadcast(o *op) {
	in, out := o.ins[0], o.outs[0]
	dims, ok := c.list(o, "dims", "broadcast_dimensions")
	if !ok || !c.distinct(o, out, dims) {
		return
	}
	if len(dims) != len(in.dims) {
		c.fault(o.pos, CodeAttribute, "%s: %d dimensions for %s", o.name, len(dims), in)
		return
	}
	if in.elem != out.elem {
		c.want(o, out, "element type "+in.elem, "")
		return
	}
	for i, d := range dims {
		if in.dims[i] != 1 && !fit(in.dims[i], out.dims[d]) {
			c.fault(out.pos, CodeShape, "dimension %d of %s does not spread over dimension %d of %s", i, in, d, out)
			return
		}
	}
}

func concatenate(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	first := o.ins[0]
	dim, ok := c.number(o, "dim", "dimension")
	if !ok {
		return
	}
	if !c.distinct(o, first, []int64{dim}) {
		return
	}
	want := append([]int64{}, first.dims...)
	for _, t := range o.ins[1:] {
		if t.elem != first.elem || len(t.dims) != len(want) {
			c.want(o, t, "a type that goes with "+first.String(), "")
			return
		}
		for i, d := range t.dims {
			switch {
			case int64(i) != dim:
				if !fit(d, want[i]) {
					c.fault(t.pos, CodeShape, "%s of %s and %s along dimension %d", o.name, first, t, dim)
					return
				}
				want[i] = max(want[i], d)
			case d == dynamic || want[i] == dynamic:
				want[i] = dynamic
			default:
				want[i] += d
			}
		}
	}
	c.result(o, first.elem, want)
}

func slice(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	in := o.ins[0]
	var start, limit, stride []int64
	if o.generic {
		var ok [3]bool
		start, ok[0] = c.list(o, "start_indices")
		limit, ok[1] = c.list(o, "limit_indices")
		stride, ok[2] = c.repeated(o, len(start), 1, "strides")
		if ok != [3]bool{true, true, true} {
			return
		}
	} else if len(o.words) == 1 && o.words[0].kind == aList {
		for _, r := range o.words[0].items {
			if r.kind != aRange {
				c.fault(r.pos, CodeAttribute, "stablehlo.slice needs ranges, start:limit or start:limit:stride")
				return
			}
			start, limit = append(start, r.items[0].n), append(limit, r.items[1].n)
			stride = append(stride, 1)
			if len(r.items) > 2 {
				stride[len(stride)-1] = r.items[2].n
			}
		}
	} else {
		c.fault(o.pos, CodeAttribute, "stablehlo.slice without its ranges")
		return
	}
	if len(start) != len(in.dims) || len(limit) != len(start) || len(stride) != len(start) {
		c.fault(o.pos, CodeAttribute, "%d ranges for %s", len(start), in)
		return
	}
	want := make([]int64, len(start))
	for i, d := range in.dims {
		if start[i] < 0 || limit[i] < start[i] || stride[i] < 1 || d != dynamic && limit[i] > d {
			c.fault(o.pos, CodeAttribute, "the range %d:%d:%d of dimension %d of %s", start[i], limit[i], stride[i], i, in)
			return
		}
		want[i] = (limit[i] - start[i] + stride[i] - 1) / stride[i]
	}
	c.result(o, in.elem, want)
}

func pad(c *checker, o *op) {
	if !c.tensors(o, 1) || !c.agree(o, o.ins[1], o.ins[0].scalar()) {
		return
	}
	in := o.ins[0]
	low, ok1 := c.list(o, "low", "edge_padding_low")
	high, ok2 := c.list(o, "high", "edge_padding_high")
	interior, ok3 := c.list(o, "interior", "interior_padding")
	if !ok1 || !ok2 || !ok3 {
		return
	}
	if len(low) != len(in.dims) || len(high) != len(low) || len(interior) != len(low) {
		c.fault(o.pos, CodeAttribute, "%s: widths for %d, %d and %d dimensions of %s", o.name, len(low), len(high), len(interior), in)
		return
	}
	want := make([]int64, len(low))
	for i, d := range in.dims {
		want[i] = dynamic
		if d == dynamic {
			continue
		}
		const most = 1 << 40
		if interior[i] < 0 || max(low[i], -low[i], high[i], -high[i], interior[i]) > most {
			c.fault(o.pos, CodeAttribute, "%s of dimension %d by %d, %d and %d", o.name, i, low[i], high[i], interior[i])
			return
		}
		if want[i] = d + low[i] + high[i] + max(d-1, 0)*interior[i]; want[i] < 0 {
			c.fault(o.pos, CodeShape, "%s takes more from dimension %d of %s than it has", o.name, i, in)
			return
		}
	}
	c.result(o, in.elem, want)
}
