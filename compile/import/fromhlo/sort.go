package fromhlo

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var sortRules = map[string]rule{
	"stablehlo.sort": func(c *call) []*dag.Value {
		dim := c.number(-1, "dimension")
		if dim < 0 {
			dim += int64(rank(c.in[0]))
		}
		if rank(c.in[0]) == 0 {
			return c.in
		}
		keys := c.keysOf(c.Regions[0])
		if keys == nil {
			c.refuse(CodeForm, hintForm, "a comparison that is not that of operands one after the other")
		}
		return c.sorted(keys, dim)
	},
	"chlo.top_k": func(c *call) []*dag.Value { return c.topK(c.number(0, "k"), true) },
}

// topK returns the greatest elements of the last dimension and their indices.
func (c *call) topK(k int64, largest bool) []*dag.Value {
	out := c.addAll("top_k", op.Attrs{"dim": int64(rank(c.in[0]) - 1), "k": k, "largest": largest}, c.in[0])
	if len(c.Out) > 1 {
		out = []*dag.Value{out[0], c.convert(out[1], c.dtype(c.Out[1]))}
	}
	return out
}

// key is an operand that a sort compares.
type key struct {
	operand    int
	descending bool
	total      bool // in IEEE 754's total order
}

// keysOf returns the operands that a region compares, the first one first, or nil.
func (c *call) keysOf(r *verify.TreeRegion) []key {
	if !c.usual(r) {
		return nil
	}
	used := c.compared(r)
	if len(used) > 3 {
		return nil
	}
	var candidates func(keys []key) []key
	candidates = func(keys []key) []key {
		if len(keys) == len(used) {
			if c.sorts(r, keys) {
				return keys
			}
			return nil
		}
		for _, i := range used {
			if slices.ContainsFunc(keys, func(k key) bool { return k.operand == i }) {
				continue
			}
			for _, descending := range []bool{false, true} {
				for _, total := range []bool{false, true} {
					if total && !c.in[i].Type.DType.IsFloat() {
						continue
					}
					if found := candidates(append(slices.Clone(keys), key{i, descending, total})); found != nil {
						return found
					}
				}
			}
		}
		return nil
	}
	if len(used) == 0 {
		return nil
	}
	return candidates(nil)
}

// compared returns the operands whose arguments a region reads.
func (c *call) compared(r *verify.TreeRegion) []int {
	var out []int
	for i := range c.in {
		uses := func(o *verify.TreeOp) bool {
			return slices.Contains(o.Operands, r.Args[2*i].Name) || slices.Contains(o.Operands, r.Args[2*i+1].Name)
		}
		if slices.ContainsFunc(r.Ops, uses) {
			out = append(out, i)
		}
	}
	return out
}

// sorts reports whether a region is true where keys put the first element before the second.
func (c *call) sorts(r *verify.TreeRegion, keys []key) bool {
	args := make([]scalar, len(r.Args))
	var try func(at int) bool
	try = func(at int) bool {
		if at == len(keys) {
			got, ok := c.evaluate(r, args)
			if !ok || len(got) != 1 {
				return false
			}
			return (got[0] != 0) == before(keys, args)
		}
		list := samples(c.in[keys[at].operand].Type.DType)
		for _, a := range list {
			for _, b := range list {
				// A comparison that is false for NaN is no order of them.
				if (math.IsNaN(a) || math.IsNaN(b)) && !totally(r) {
					continue
				}
				args[2*keys[at].operand], args[2*keys[at].operand+1] = a, b
				if !try(at + 1) {
					return false
				}
			}
		}
		return true
	}
	return try(0)
}

// totally reports whether a region compares in the total order anywhere.
func totally(r *verify.TreeRegion) bool {
	for _, o := range r.Ops {
		if len(o.Words) > 1 && o.Words[1].Text == "TOTALORDER" || o.Attrs.Get("compare_type").Inner != "" && enum(o.Attrs.Get("compare_type").Inner, "") == "TOTALORDER" {
			return true
		}
	}
	return false
}

// before reports whether keys put the first of each two arguments before the second.
func before(keys []key, args []scalar) bool {
	for _, k := range keys {
		a, b := args[2*k.operand], args[2*k.operand+1]
		if k.descending {
			a, b = b, a
		}
		less, more := a < b, a > b
		switch {
		case k.total:
			less, more = place(a) < place(b), place(a) > place(b)
		case math.IsNaN(a) || math.IsNaN(b): // the greatest
			less, more = !math.IsNaN(a), !math.IsNaN(b)
		}
		if less || more {
			return less
		}
	}
	return false
}

// sorted orders all operands by keys: by the last one first, each time keeping the order of
// equal elements.
func (c *call) sorted(keys []key, dim int64) []*dag.Value {
	var order *dag.Value
	for _, k := range slices.Backward(keys) {
		v := c.in[k.operand]
		if k.total {
			v = c.totalOrder(v)
		}
		if v.Type.DType == dtype.Bool {
			v = c.convert(v, dtype.U8)
		}
		if order != nil {
			v = c.along(v, order, dim)
		}
		next := c.add("argsort", op.Attrs{"dim": dim, "descending": k.descending}, v)
		if order == nil {
			order = next
		} else {
			order = c.along(order, next, dim)
		}
	}
	out := make([]*dag.Value, len(c.in))
	for i, v := range c.in {
		if counts(v, dim) {
			out[i] = c.convert(order, v.Type.DType)
		} else {
			out[i] = c.along(v, order, dim)
		}
	}
	return out
}

// along takes elements along a dimension.
func (c *call) along(v, order *dag.Value, dim int64) *dag.Value {
	if n := v.Type.Shape.Product(); n.Size == 0 {
		return v
	}
	return c.add("take_along", op.Attrs{"dim": dim}, v, order)
}
