package fromhlo

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// dims returns the sizes in operand i.
func (c *call) dims(i int) shape.Shape {
	v := c.in[i]
	list := c.numbers[v]
	out := shape.Shape{}
	for d, n := range list {
		size, ok := n.dim()
		if !ok {
			c.refuse(CodeSize, hintSize, "element %d of its operand %s, a size, depends on values, or on sizes in a way that cannot be followed", d, c.Operands[i])
		}
		out = append(out, size)
	}
	if n, err := v.Type.Shape.Elements(); err != nil || int(n) != len(list) {
		c.refuse(CodeSize, hintSize, "its operand %s, sizes, depends on values", c.Operands[i])
	}
	return out
}

// unequal is an error that says what a dynamic size is.
type unequal struct {
	name string
	is   shape.Dim
}

func (u *unequal) Error() string { return u.name + " is " + u.is.String() }

// same requires that two sizes are equal in every call: what a name stands for.
func (im *importer) same(a, b shape.Dim) {
	if a.Same(b) || !a.IsKnown() || !b.IsKnown() {
		return
	}
	for _, pair := range [][2]shape.Dim{{a, b}, {b, a}} {
		if pair[0].IsName() && !slices.Contains(pair[1].Names(), pair[0].Name) {
			panic(refusal{&unequal{im.entryName + "/" + pair[0].Name, pair[1]}})
		}
	}
}

// sameProduct requires that two numbers of elements are equal in every call: where each
// depends on one name, in the same way, both names are of one size.
func (im *importer) sameProduct(a, b shape.Dim) {
	x, y := a.Names(), b.Names()
	if a.Same(b) || len(x) != 1 || len(y) != 1 || x[0] == y[0] {
		return
	}
	for n := int64(2); n < 12; n++ {
		p, err1 := a.Bind(map[string]int64{x[0]: n})
		q, err2 := b.Bind(map[string]int64{y[0]: n})
		if err1 != nil || err2 != nil || p != q {
			return
		}
	}
	im.same(shape.Named(x[0]), shape.Named(y[0]))
}

// resolved returns a size with what is known of its name.
func (im *importer) resolved(d shape.Dim) shape.Dim {
	for range maxUnified {
		is, ok := im.equal[im.entryName+"/"+d.Name]
		if !ok || d.IsStatic() {
			break
		}
		d = is
	}
	return d
}

// sizeRules are operations whose sizes are operands.
var sizeRules = map[string]rule{
	"stablehlo.get_dimension_size": func(c *call) []*dag.Value { return one(c.sizeOf(c.in[0], int(c.number(0, "dim", "dimension")))) },
	"stablehlo.dynamic_reshape":    func(c *call) []*dag.Value { return one(c.reshape(c.in[0], c.dims(1)...)) },
	"stablehlo.dynamic_broadcast_in_dim": func(c *call) []*dag.Value {
		return one(c.broadcast(c.in[0], c.dims(1), c.integers("dims", "broadcast_dimensions")))
	},
	"stablehlo.dynamic_iota": func(c *call) []*dag.Value {
		return one(c.iota(c.dtype(c.Out[0]), c.number(0, "dim", "iota_dimension"), c.dims(0)...))
	},
	"stablehlo.real_dynamic_slice": func(c *call) []*dag.Value {
		return one(c.cut())
	},
	"stablehlo.dynamic_pad": func(c *call) []*dag.Value {
		var widths [3][]int64
		for i := range widths {
			for _, n := range c.numbers[c.in[2+i]] {
				if !n.isInteger() {
					c.refuse(CodeSize, hintSize, "a width that is not a number")
				}
				widths[i] = append(widths[i], n.n)
			}
			if len(widths[i]) != rank(c.in[0]) {
				c.refuse(CodeSize, hintSize, "its operand %s, widths, depends on values", c.Operands[2+i])
			}
		}
		return one(c.padded(c.in[0], c.in[1], widths[0], widths[1], widths[2]))
	},
	"stablehlo.dynamic_gather": func(c *call) []*dag.Value {
		return one(c.gather(c.in[0], c.in[1], c.numbersOf("dimension_numbers"), c.dims(2)))
	},
	"tensor.dim": func(c *call) []*dag.Value {
		list := c.numbers[c.in[1]]
		if len(list) != 1 || !list[0].isInteger() || list[0].n < 0 || list[0].n >= int64(rank(c.in[0])) {
			c.refuse(CodeSize, hintSize, "a dimension that is not a number")
		}
		return one(c.sizeOf(c.in[0], int(list[0].n)))
	},
	"flow.tensor.tie_shape": func(c *call) []*dag.Value { return c.in[:1] },
	"tensor.reshape":        func(c *call) []*dag.Value { return one(c.reshape(c.in[0], c.dims(1)...)) },
	"arith.index_cast":      func(c *call) []*dag.Value { return one(c.convert(c.in[0], c.dtype(c.Out[0]))) },
	"tensor.extract": func(c *call) []*dag.Value {
		sizes := repeat(rank(c.in[0]), 1)
		v := c.add("dynamic_slice", op.Attrs{"sizes": sizes}, c.in...)
		list := c.numbers[c.in[0]]
		out := c.reshape(v)
		if at := c.numbers[c.in[len(c.in)-1]]; rank(c.in[0]) == 1 && len(at) == 1 && at[0].isInteger() && at[0].n >= 0 && at[0].n < int64(len(list)) {
			c.known(out, list[at[0].n:at[0].n+1])
		}
		return one(out)
	},
}

// cut converts a slice between operands. Where it begins may depend on values, how long it is
// may not.
func (c *call) cut() *dag.Value {
	strides := c.dims(3)
	start, limit, sizes := shape.Shape{}, shape.Shape{}, shape.Shape{}
	from, to := c.elements(c.in[1]), c.elements(c.in[2])
	for i, by := range strides {
		size, ok := number{}, by.IsStatic() && i < len(from) && i < len(to)
		if ok {
			size = plus(to[i], from[i], -1)
		}
		n, ok := size.dim()
		if !ok {
			c.refuse(CodeSize, hintSize, "a part of dimension %d whose size depends on values", i)
		}
		sizes = append(sizes, n)
		first, ok := from[i].dim()
		last, ok2 := to[i].dim()
		if ok && ok2 {
			if last.IsName() && c.in[0].Type.Shape[i].IsName() {
				c.same(last, c.in[0].Type.Shape[i]) // all of it: a call with other sizes is refused
			}
			start, limit = append(start, first), append(limit, last)
		}
	}
	if len(start) == len(strides) {
		return c.add("slice", op.Attrs{"start": start, "limit": limit, "strides": strides.Sizes()}, c.in[0])
	}
	in := []*dag.Value{c.in[0]}
	for i, by := range strides {
		if by.Size != 1 {
			c.refuse(CodeSize, hintSize, "a stride of %s from a place that depends on values", by)
		}
		in = append(in, c.reshape(c.part(c.in[1], 0, shape.N(int64(i)), shape.N(int64(i+1)), 1)))
	}
	return c.add("dynamic_slice", op.Attrs{"sizes": sizes}, in...)
}

// sizeOf returns a size as a scalar that is followed, of the type that the text states.
func (c *call) sizeOf(v *dag.Value, dim int) *dag.Value {
	d := v.Type.Shape[dim]
	t := c.dtype(c.Out[0])
	if d.IsStatic() {
		return c.whole(t, d.Size)
	}
	out := c.convert(c.add("dim_size", op.Attrs{"dim": int64(dim)}, v), t)
	c.known(out, []number{numberOfDim(d)})
	return out
}

// indexType returns the type in which places in v are computed.
func indexType(v *dag.Value) dtype.DType {
	if n, err := v.Type.Shape.Elements(); err == nil && n > 1<<31-1 {
		return dtype.I64
	}
	return dtype.I32
}
