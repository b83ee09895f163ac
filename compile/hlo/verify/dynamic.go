package verify

import "slices"

// sized has the operations whose shapes are operands, and their equivalents
// in other dialects.
var sized = map[string]spec{
	"stablehlo.get_dimension_size": {form: formArrow, min: 1, max: 1, keys: []string{"dim"}, rule: dimensionSize},
	"stablehlo.dynamic_reshape":    {min: 2, max: 2, rule: dynamicReshape},
	"stablehlo.dynamic_broadcast_in_dim": {min: 2, max: 2, keys: []string{"dims", "known_expanding_dimensions", "known_nonexpanding_dimensions"},
		rule: dynamicBroadcast},
	"stablehlo.dynamic_iota":       {min: 1, max: 1, keys: []string{"dim"}, rule: dynamicIota},
	"stablehlo.real_dynamic_slice": {min: 4, max: 4, rule: realDynamicSlice},
	"stablehlo.torch_index_select": {min: 2, max: 2, keys: []string{"dim", "batch_dims"}, rule: indexSelect},
	"tensor.reshape":               {min: 2, max: 2, rule: dynamicReshape},
	"tensor.dim":                   {form: formIndexed, min: 2, max: 2, rule: tensorDim},
	"flow.tensor.tie_shape":        {form: formTied, min: 1, max: -1, rule: tieShape},
	"arith.addi":                   {form: formSame, min: 2, max: 2, rule: indexArithmetic},
	"arith.constant":               {form: formOut, rule: indexConstant},
	"arith.muli":                   {form: formSame, min: 2, max: 2, rule: indexArithmetic},
	"arith.subi":                   {form: formSame, min: 2, max: 2, rule: indexArithmetic},
}

func dimensionSize(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	if dim, ok := c.number(o, "dim", "dimension"); ok && c.distinct(o, o.ins[0], []int64{dim}) {
		c.result(o, "i32", nil)
	}
}

// sizes checks an operand with the sizes of a result.
func (c *checker) sizes(o *op, t, of typ) bool {
	if !isInt(t.elem) {
		c.want(o, t, "integers", "")
		return false
	}
	return c.shaped(o, t, []int64{int64(len(of.dims))})
}

func dynamicReshape(c *checker, o *op) {
	if c.tensors(o, 1) && c.sizes(o, o.ins[1], o.outs[0]) && o.ins[0].elem != o.outs[0].elem {
		c.want(o, o.outs[0], "element type "+o.ins[0].elem, "")
	}
}

func dynamicBroadcast(c *checker, o *op) {
	if c.tensors(o, 1) && c.sizes(o, o.ins[1], o.outs[0]) {
		c.broadcast(o)
	}
}

func dynamicIota(c *checker, o *op) {
	if !c.tensors(o, 1) || !c.sizes(o, o.ins[0], o.outs[0]) {
		return
	}
	if dim, ok := c.number(o, "dim", "iota_dimension"); ok {
		c.distinct(o, o.outs[0], []int64{dim})
	}
}

func realDynamicSlice(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	in, out := o.ins[0], o.outs[0]
	for _, t := range o.ins[1:] {
		if t.elem != o.ins[1].elem {
			c.want(o, t, "element type "+o.ins[1].elem, "")
			return
		}
		if !c.sizes(o, t, in) {
			return
		}
	}
	c.result(o, in.elem, fill(len(in.dims), dynamic))
	for i, d := range out.dims {
		if len(out.dims) == len(in.dims) && in.dims[i] != dynamic && d > in.dims[i] {
			c.fault(out.pos, CodeShape, "%s takes more from dimension %d of %s than it has", o.name, i, in)
		}
	}
}

func indexSelect(c *checker, o *op) {
	if !c.tensors(o, 1) {
		return
	}
	in, indices := o.ins[0], o.ins[1]
	dim, ok1 := c.number(o, "dim")
	batch, ok2 := c.number(o, "batch_dims")
	if !ok1 || !ok2 || !c.distinct(o, in, []int64{dim}) {
		return
	}
	if !isInt(indices.elem) {
		c.want(o, indices, "integers", "")
		return
	}
	if batch < 0 || batch > dim || batch > int64(len(indices.dims)) {
		c.fault(o.pos, CodeAttribute, "%s: %d batch dimensions of %s and %s", o.name, batch, in, indices)
		return
	}
	c.result(o, in.elem, slices.Concat(in.dims[:dim], indices.dims[batch:], in.dims[dim+1:]))
}

// tensorDim checks tensor.dim, which takes the dimension as an index.
func tensorDim(c *checker, o *op) {
	if t := o.ins[0]; !t.tensor || len(t.dims) == 0 {
		c.want(o, t, "a tensor with dimensions", "")
	}
}

// tieShape has an index for each dynamic dimension.
func tieShape(c *checker, o *op) {
	t := o.ins[0]
	if !t.tensor {
		c.want(o, t, "a tensor", "")
		return
	}
	n := 0
	for _, d := range t.dims {
		if d == dynamic {
			n++
		}
	}
	if n != len(o.ins)-1 {
		c.fault(o.pos, CodeCount, "%s of %s with %s", o.name, t, count(len(o.ins)-1, "size"))
	}
}

func indexConstant(c *checker, o *op) {
	if t := o.outs[0]; t.tensor || t.elem != "index" {
		c.want(o, t, "index", "")
	}
	if len(o.words) != 1 || o.words[0].kind != aInt {
		c.fault(o.pos, CodeAttribute, "%s without a number", o.name)
	}
}

func indexArithmetic(c *checker, o *op) {
	for _, t := range append(o.ins, o.outs...) {
		if t.tensor || t.elem != "index" {
			c.want(o, t, "index", "")
			return
		}
	}
}
