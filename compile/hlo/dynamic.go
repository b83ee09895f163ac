package hlo

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Sizes that a call gives are computed once in each block: those that have a name
// of their own from the function's arguments, others by arithmetic. They are
// tensors of i64, since products of sizes may pass 2^31, made of the operations
// that the pinned compiler computes on the host (IREE 3.13.0).

// scope is what the block being printed knows of sizes.
type scope struct {
	computed map[string]ssa    // tensor<1xi64> by name, tensor<Nxi64> by list
	origins  map[string]origin // the function's, by name
	spread   map[string]spread // by the name of the broadcast
}

// spread is a value that a broadcast spreads.
type spread struct {
	of   ssa
	dims []int64
}

// origin is a value that has a dimension.
type origin struct {
	value ssa
	dim   int
}

func newScope() scope { return scope{map[string]ssa{}, map[string]origin{}, map[string]spread{}} }

// inner prints what is a block of its own: its values do not leave it.
func (p *printer) inner(body func()) {
	outer := p.scope
	p.scope = scope{maps.Clone(outer.computed), outer.origins, maps.Clone(outer.spread)}
	body()
	p.scope = outer
}

// learn notes the dimensions of an argument.
func (p *printer) learn(v ssa) {
	for i, d := range v.typ.Shape {
		if _, known := p.scope.origins[d.Name]; !known && d.IsName() {
			p.scope.origins[d.Name] = origin{v, i}
		}
	}
}

// sizeType is that of n sizes.
func sizeType(n int) tensor.Type { return tensor.TypeOf(dtype.I64, int64(n)) }

// once gives what make printed under the key.
func (p *printer) once(key string, make func() ssa) ssa {
	if v, ok := p.scope.computed[key]; ok {
		return v
	}
	v := make()
	p.scope.computed[key] = v
	return v
}

// size gives d as tensor<1xi64>. A dimension without a name is dimension i of
// the value like.
func (p *printer) size(d shape.Dim, like ssa, i int) ssa {
	if d.IsStatic() {
		return p.whole(d.Size)
	}
	if d.Name == "" {
		if i >= like.typ.Shape.Rank() || like.typ.Shape[i] != d {
			p.fail(CodeDynamic, "dimension %d has neither a size nor a name", i)
			return p.fresh(sizeType(1))
		}
		return p.once(fmt.Sprintf("%s[%d]", like.name, i), func() ssa { return p.read(origin{like, i}) })
	}
	if d.IsName() {
		return p.named(d.Name)
	}
	return p.once(d.Name, func() ssa {
		return shape.Fold(d, p.whole, p.named,
			func(a, b ssa) ssa { return p.same("stablehlo.add", a, b) },
			func(a, b ssa) ssa { return p.same("stablehlo.multiply", a, b) },
			// What is rounded down is never negative: shape.Dim takes all whole
			// multiples out of it.
			func(a ssa, by int64) ssa { return p.div(a, p.whole(by)) })
	})
}

// whole is a number that sizes are computed with.
func (p *printer) whole(n int64) ssa {
	return p.once(strconv.FormatInt(n, 10), func() ssa {
		return p.def(sizeType(1), "stablehlo.constant dense<%d> : %s", n, p.typ(sizeType(1)))
	})
}

// named gives the size that a call gives under that name: an argument has it, or
// the graph would not be valid.
func (p *printer) named(name string) ssa {
	return p.once(name, func() ssa { return p.read(p.scope.origins[name]) })
}

// read takes a size from a value.
func (p *printer) read(o origin) ssa {
	n := p.dimension(o.value, o.dim)
	return p.to(sizeType(1), "stablehlo.reshape", "", p.convert(n, dtype.I64))
}

// dimension gives the size of a dimension of v as tensor<i32>.
func (p *printer) dimension(v ssa, dim int) ssa {
	v = p.signless(v)
	return p.to(tensor.TypeOf(dtype.I32), "stablehlo.get_dimension_size", fmt.Sprintf(", dim = %d", dim), v)
}

// sizes gives all of s as one tensor; dimensions without a name are those of the
// value like.
func (p *printer) sizes(s shape.Shape, like ssa) ssa {
	keys := make([]string, len(s))
	for i, d := range s {
		keys[i] = d.String()
		if d.Size == shape.Dynamic && d.Name == "" {
			keys[i] = fmt.Sprintf("%s[%d]", like.name, i)
		}
	}
	return p.once("["+strings.Join(keys, " ")+"]", func() ssa {
		t := sizeType(len(s))
		if s.IsStatic() {
			return p.def(t, "stablehlo.constant dense<%s> : %s", ints(s.Sizes()), p.typ(t))
		}
		parts := make([]ssa, len(s))
		for i, d := range s {
			parts[i] = p.size(d, like, i)
		}
		return p.list(parts)
	})
}

// fill is a tensor of type t with one value.
func (p *printer) fill(t tensor.Type, v float64, like ssa) ssa {
	if t.Shape.IsStatic() {
		return p.splat(t, v)
	}
	return p.broadcast(p.splat(scalar(t), v), t, nil, like)
}

// count is a tensor of type t that counts along dim.
func (p *printer) count(t tensor.Type, dim int64, like ssa) ssa {
	if t.DType == dtype.BF16 { // of which programs lack the conversion (IREE 3.13.0)
		return p.roundedBF16(p.count(tensor.Type{DType: dtype.F32, Shape: t.Shape}, dim, like))
	}
	if p.byBits(t.DType) {
		return p.roundedF16(p.count(tensor.Type{DType: dtype.F32, Shape: t.Shape}, dim, like))
	}
	if t.Shape.IsStatic() {
		return p.def(t, "stablehlo.iota dim = %d : %s", dim, p.typ(t))
	}
	return p.to(t, "stablehlo.dynamic_iota", fmt.Sprintf(", dim = %d", dim), p.sizes(t.Shape, like))
}

// broadcast spreads x over t: dimension i of x is dimension dims[i] of t. One of
// another is one of what that spreads: the pinned compiler joins them too, and
// does not take the result (IREE 3.13.0).
func (p *printer) broadcast(x ssa, t tensor.Type, dims []int64, like ssa) ssa {
	if t.Shape.IsStatic() {
		v := p.to(t, "stablehlo.broadcast_in_dim", ", dims = "+ints(dims), x)
		p.scope.spread[v.name] = spread{x, dims}
		return v
	}
	if inner, ok := p.scope.spread[x.name]; ok {
		outer := dims
		x, dims = inner.of, make([]int64, len(inner.dims))
		for i, d := range inner.dims {
			dims[i] = outer[d]
		}
	}
	var grow, keep []int64
	for i, d := range x.typ.Shape {
		if d.Size == 1 && t.Shape[dims[i]].Size != 1 {
			grow = append(grow, int64(i))
		} else {
			keep = append(keep, int64(i))
		}
	}
	// Without these the compiler does not take the operation.
	known := fmt.Sprintf(" {known_expanding_dimensions = %s, known_nonexpanding_dimensions = %s}", array(grow), array(keep))
	v := p.to(t, "stablehlo.dynamic_broadcast_in_dim", ", dims = "+ints(dims)+known, x, p.sizes(t.Shape, like))
	p.scope.spread[v.name] = spread{x, dims}
	return v
}

// array prints "array<i64: 1, 2>".
func array(v []int64) string {
	if len(v) == 0 {
		return "array<i64>"
	}
	return "array<i64: " + strings.Trim(ints(v), "[]") + ">"
}

// reshape gives the elements of x another shape. The pinned compiler has no form
// of stablehlo.dynamic_reshape, but takes what later ones make of it, the
// reshape of the tensor dialect. That is never computed together with what uses
// it, so new dimensions of size 1 are a broadcast.
func (p *printer) reshape(x ssa, t tensor.Type) ssa {
	switch {
	case x.typ.Shape.Same(t.Shape):
		return x
	case t.Shape.IsStatic():
		return p.to(t, "stablehlo.reshape", "", x)
	}
	if dims, ok := unitsAdded(x.typ.Shape, t.Shape); ok {
		return p.broadcast(x, t, dims, ssa{})
	}
	s := p.sizes(t.Shape, ssa{})
	from := p.signless(x)
	to := tensor.Type{DType: from.typ.DType, Shape: t.Shape}
	return p.as(p.def(to, "tensor.reshape %s(%s) : (%s) -> %s", from.name, s.name, p.typesOf([]ssa{from, s}), p.typ(to)), t.DType)
}

// signless gives an unsigned dynamic value as the signed type that is as wide:
// the compiler's own dialects have no unsigned types, and some operations on
// sizes become theirs too early (IREE 3.13.0).
func (p *printer) signless(v ssa) ssa {
	d, unsigned := signedTwin[v.typ.DType]
	if !unsigned || v.typ.Shape.IsStatic() {
		return v
	}
	return p.once("signless "+v.name, func() ssa { return p.as(v, d) })
}

// as gives the bits of v as another type.
func (p *printer) as(v ssa, d dtype.DType) ssa {
	if v.typ.DType == d {
		return v
	}
	if t := (tensor.Type{DType: d, Shape: v.typ.Shape}); p.integerF16 && p.typ(t) == p.typ(v.typ) {
		return ssa{v.name, t}
	}
	return p.to(tensor.Type{DType: d, Shape: v.typ.Shape}, "stablehlo.bitcast_convert", "", v)
}

// unitsAdded says where the dimensions of s are in t, if all others of t are 1.
func unitsAdded(s, t shape.Shape) ([]int64, bool) {
	var dims []int64
	for i, d := range t {
		if len(dims) < len(s) && s[len(dims)].Same(d) {
			dims = append(dims, int64(i))
		} else if d.Size != 1 {
			return nil, false
		}
	}
	return dims, len(dims) == len(s)
}

// slice takes the elements from start below limit by strides.
func (p *printer) slice(x ssa, t tensor.Type, start, limit shape.Shape, strides []int64) ssa {
	if start.IsStatic() && limit.IsStatic() {
		parts := make([]string, len(start))
		for i := range start {
			parts[i] = fmt.Sprintf("%d:%d", start[i].Size, limit[i].Size)
			if strides[i] != 1 {
				parts[i] += fmt.Sprintf(":%d", strides[i])
			}
		}
		return p.to(t, "stablehlo.slice", " ["+strings.Join(parts, ", ")+"]", x)
	}
	return p.cut(x, t, p.sizes(start, ssa{}), p.sizes(limit, x), strides)
}

// cut is a slice whose bounds are tensors.
func (p *printer) cut(x ssa, t tensor.Type, start, limit ssa, strides []int64) ssa {
	return p.to(t, "stablehlo.real_dynamic_slice", "", x, start, limit, p.sizes(shape.Of(strides...), ssa{}))
}

// isDynamic says whether n has an operand with a dynamic size.
func isDynamic(n *dag.Node) bool {
	return slices.ContainsFunc(n.Inputs, func(v *dag.Value) bool { return !v.Type.Shape.IsStatic() })
}
