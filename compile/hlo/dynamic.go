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

// Dynamic sizes are computed once in each block: those with a plain name are read
// from the function's arguments, others are computed by arithmetic. They are
// tensors of i64, since products of sizes may exceed 2^31.

// scope holds the sizes known in the block being printed.
type scope struct {
	computed map[string]Value  // tensor<1xi64> by name, tensor<Nxi64> by list
	origins  map[string]origin // the function's, by name
	notes    map[string]any    // notes of a form on values, by name
}

// origin is a value and a dimension of it, which is times the size that is sought, plus
// a number.
type origin struct {
	value       Value
	dim         int
	times, plus int64
}

func newScope() scope { return scope{map[string]Value{}, map[string]origin{}, map[string]any{}} }

// Inner prints a nested block, whose values are not visible outside.
func (p *Printer) Inner(body func()) {
	outer := p.scope
	p.scope = scope{maps.Clone(outer.computed), outer.origins, maps.Clone(outer.notes)}
	body()
	p.scope = outer
}

// learn records the dimensions of an argument.
func (p *Printer) learn(v Value) {
	for i, d := range v.Type.Shape {
		name, times, plus, ok := d.Tells()
		if old, known := p.scope.origins[name]; ok && (!known || d.IsName() && (old.times != 1 || old.plus != 0)) {
			p.scope.origins[name] = origin{v, i, times, plus}
		}
	}
}

// SizeType is the type of n sizes.
func SizeType(n int) tensor.Type { return tensor.TypeOf(dtype.I64, int64(n)) }

// Once returns the value that make printed for the key, calling it only once per block.
func (p *Printer) Once(key string, make func() Value) Value {
	if v, ok := p.scope.computed[key]; ok {
		return v
	}
	v := make()
	p.scope.computed[key] = v
	return v
}

// Size returns d as tensor<1xi64>. A dimension without a name is dimension i
// of the value like.
func (p *Printer) Size(d shape.Dim, like Value, i int) Value {
	if d.IsStatic() {
		return p.SizeNumber(d.Size)
	}
	if d.Name == "" {
		if i >= like.Type.Shape.Rank() || like.Type.Shape[i] != d {
			p.Fail(CodeDynamic, "dimension %d has neither a size nor a name", i)
			return p.Fresh(SizeType(1))
		}
		return p.Once(fmt.Sprintf("%s[%d]", like.Name, i), func() Value { return p.read(origin{like, i, 1, 0}) })
	}
	if d.IsName() {
		return p.named(d.Name)
	}
	return p.Once(d.Name, func() Value {
		return shape.Fold(d, p.SizeNumber, p.named,
			func(a, b Value) Value { return p.Same("stablehlo.add", a, b) },
			func(a, b Value) Value { return p.Same("stablehlo.multiply", a, b) },
			// A value that is rounded down is never negative: shape.Dim moves
			// all multiples out of it.
			func(a Value, by int64) Value { return p.Div(a, p.SizeNumber(by)) })
	})
}

// SizeNumber returns a constant in computations of sizes.
func (p *Printer) SizeNumber(n int64) Value {
	return p.Once(strconv.FormatInt(n, 10), func() Value {
		return p.Def(SizeType(1), "stablehlo.constant dense<%d> : %s", n, p.Type(SizeType(1)))
	})
}

// named returns the size with that name: in a valid graph
// some argument has it.
func (p *Printer) named(name string) Value {
	return p.Once(name, func() Value {
		if p.form.Most != nil {
			return p.givenSize(name)
		}
		return p.read(p.scope.origins[name])
	})
}

// read returns the size of a dimension of a value.
func (p *Printer) read(o origin) Value {
	d := p.Dimension(o.value, o.dim)
	n := p.To(SizeType(1), "stablehlo.reshape", "", p.Convert(d, dtype.I64))
	if o.plus != 0 {
		n = p.Same("stablehlo.add", n, p.SizeNumber(-o.plus))
	}
	if o.times != 1 {
		n = p.Div(n, p.SizeNumber(o.times))
	}
	return n
}

func plainDimension(p *Printer, v Value, dim int) Value {
	return p.To(tensor.TypeOf(dtype.I32), "stablehlo.get_dimension_size", fmt.Sprintf(", dim = %d", dim), v)
}

// Note records a form's note on a value in this block, for Noted.
func (p *Printer) Note(v Value, what any) { p.scope.notes[v.Name] = what }

// Noted returns the note on a value, or nil.
func (p *Printer) Noted(v Value) any { return p.scope.notes[v.Name] }

// HasSizes reports whether an argument of the function has a dynamic size.
func (p *Printer) HasSizes() bool { return len(p.scope.origins) > 0 }

// Sizes returns all sizes of s as one tensor; dimensions without a name are those of
// the value like.
func (p *Printer) Sizes(s shape.Shape, like Value) Value {
	keys := make([]string, len(s))
	for i, d := range s {
		keys[i] = d.String()
		if d.Size == shape.Dynamic && d.Name == "" {
			keys[i] = fmt.Sprintf("%s[%d]", like.Name, i)
		}
	}
	return p.Once("["+strings.Join(keys, " ")+"]", func() Value {
		t := SizeType(len(s))
		if s.IsStatic() {
			return p.Def(t, "stablehlo.constant dense<%s> : %s", Ints(s.Sizes()), p.Type(t))
		}
		parts := make([]Value, len(s))
		for i, d := range s {
			parts[i] = p.Size(d, like, i)
		}
		return p.SizeList(parts)
	})
}

// Fill returns a tensor of type t filled with one value.
func (p *Printer) Fill(t tensor.Type, v float64, like Value) Value {
	if t.Shape.IsStatic() {
		return p.Splat(t, v)
	}
	return p.Broadcast(p.Splat(Scalar(t), v), t, nil, like)
}

func plainIota(p *Printer, t tensor.Type, dim int64, like Value) Value {
	if t.Shape.IsStatic() {
		return p.Def(t, "stablehlo.iota dim = %d : %s", dim, p.Type(t))
	}
	return p.To(t, "stablehlo.dynamic_iota", fmt.Sprintf(", dim = %d", dim), p.Sizes(t.Shape, like))
}

// plainBroadcast states for a dynamic operation which dimensions expand, since its
// types do not.
func plainBroadcast(p *Printer, x Value, t tensor.Type, dims []int64, like Value) Value {
	if t.Shape.IsStatic() {
		return p.To(t, "stablehlo.broadcast_in_dim", ", dims = "+Ints(dims), x)
	}
	var grow, keep []int64
	for i, d := range x.Type.Shape {
		if d.Size == 1 && t.Shape[dims[i]].Size != 1 {
			grow = append(grow, int64(i))
		} else {
			keep = append(keep, int64(i))
		}
	}
	known := fmt.Sprintf(" {known_expanding_dimensions = %s, known_nonexpanding_dimensions = %s}", Array(grow), Array(keep))
	return p.To(t, "stablehlo.dynamic_broadcast_in_dim", ", dims = "+Ints(dims)+known, x, p.Sizes(t.Shape, like))
}

// Array prints "array<i64: 1, 2>".
func Array(v []int64) string {
	if len(v) == 0 {
		return "array<i64>"
	}
	return "array<i64: " + strings.Trim(Ints(v), "[]") + ">"
}

func plainReshape(p *Printer, x Value, t tensor.Type) Value {
	if t.Shape.IsStatic() {
		return p.To(t, "stablehlo.reshape", "", x)
	}
	return p.To(t, "stablehlo.dynamic_reshape", "", x, p.Sizes(t.Shape, Value{}))
}

// Bitcast returns the bits of v as another type.
func (p *Printer) Bitcast(v Value, d dtype.DType) Value {
	if v.Type.DType == d {
		return v
	}
	if t := (tensor.Type{DType: d, Shape: v.Type.Shape}); p.Type(t) == p.Type(v.Type) {
		return Value{v.Name, t} // the same in this form
	}
	return p.same(p.To(tensor.Type{DType: d, Shape: v.Type.Shape}, "stablehlo.bitcast_convert", "", v), v)
}

// Slice returns the elements from start up to limit by strides.
func (p *Printer) Slice(x Value, t tensor.Type, start, limit shape.Shape, strides []int64) Value {
	if start.IsStatic() && limit.IsStatic() {
		parts := make([]string, len(start))
		for i := range start {
			parts[i] = fmt.Sprintf("%d:%d", start[i].Size, limit[i].Size)
			if strides[i] != 1 {
				parts[i] += fmt.Sprintf(":%d", strides[i])
			}
		}
		return p.To(t, "stablehlo.slice", " ["+strings.Join(parts, ", ")+"]", x)
	}
	return p.Cut(x, t, p.Sizes(start, Value{}), p.Sizes(limit, x), strides)
}

// Cut returns a slice whose bounds are tensors.
func (p *Printer) Cut(x Value, t tensor.Type, start, limit Value, strides []int64) Value {
	return p.To(t, "stablehlo.real_dynamic_slice", "", x, start, limit, p.Sizes(shape.Of(strides...), Value{}))
}

// IsDynamic reports whether n has an operand with a dynamic size.
func IsDynamic(n *dag.Node) bool {
	return slices.ContainsFunc(n.Inputs, func(v *dag.Value) bool { return !v.Type.Shape.IsStatic() })
}
