package fromhlo

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// What rules build from.

func one(v *dag.Value) []*dag.Value { return []*dag.Value{v} }

func rank(v *dag.Value) int { return v.Type.Shape.Rank() }

// reshape returns v in another shape, whose elements stay as known as they are.
func (im *importer) reshape(v *dag.Value, to ...shape.Dim) *dag.Value {
	if v.Type.Shape.Same(shape.Shape(to)) {
		return v
	}
	im.sameProduct(v.Type.Shape.Product(), shape.Shape(to).Product())
	out := im.add("reshape", op.Attrs{"sizes": slices.Clone(shape.Shape(to))}, v)
	im.known(out, im.elements(v))
	return out
}

func (im *importer) transpose(v *dag.Value, perm ...int64) *dag.Value {
	if slices.Equal(perm, span(0, int64(rank(v)))) {
		return v
	}
	return im.add("transpose", op.Attrs{"permutation": slices.Clone(perm)}, v)
}

func (im *importer) convert(v *dag.Value, d dtype.DType) *dag.Value {
	if v.Type.DType == d {
		return v
	}
	out := im.add("convert", op.Attrs{"dtype": d}, v)
	if d.IsInt() || d == dtype.Bool {
		im.known(out, im.elements(v))
	}
	return out
}

func (im *importer) bitcast(v *dag.Value, d dtype.DType) *dag.Value {
	if v.Type.DType == d {
		return v
	}
	return im.add("bitcast", op.Attrs{"dtype": d}, v)
}

// spread broadcasts v, whose dimension i is dims[i] of the result.
func (im *importer) spread(v *dag.Value, to shape.Shape, dims ...int64) *dag.Value {
	if v.Type.Shape.Same(to) && slices.Equal(dims, span(0, int64(len(to)))) {
		return v
	}
	if !slices.IsSorted(dims) { // as the table wants them
		order := span(0, int64(len(dims)))
		slices.SortFunc(order, func(a, b int64) int { return int(dims[a] - dims[b]) })
		sorted := make([]int64, len(dims))
		for i, d := range order {
			sorted[i] = dims[d]
		}
		v, dims = im.transpose(v, order...), sorted
	}
	return im.add("broadcast_in_dim", op.Attrs{"sizes": slices.Clone(to), "dims": slices.Clone(dims)}, v)
}

// fill returns a tensor of one value, which its element type holds.
func (im *importer) fill(d dtype.DType, x float64, to ...shape.Dim) *dag.Value {
	return im.add("splat", op.Attrs{"type": tensor.Type{DType: d, Shape: slices.Clone(shape.Shape(to))}, "value": tensor.Round(d, x)})
}

// like returns a tensor of v's type of one value.
func (im *importer) like(v *dag.Value, x float64) *dag.Value {
	return im.fill(v.Type.DType, x, v.Type.Shape...)
}

// whole returns a known integer scalar.
func (im *importer) whole(d dtype.DType, n int64) *dag.Value {
	v := im.fill(d, float64(n))
	im.known(v, []number{numberOf(n)})
	return v
}

func (im *importer) iota(d dtype.DType, dim int64, to ...shape.Dim) *dag.Value {
	return im.add("iota", op.Attrs{"type": tensor.Type{DType: d, Shape: slices.Clone(shape.Shape(to))}, "dim": dim})
}

func (im *importer) slice(v *dag.Value, start, limit, strides []int64) *dag.Value {
	whole := true
	for i, d := range v.Type.Shape {
		whole = whole && start[i] == 0 && d.Same(shape.N(limit[i])) && strides[i] == 1
	}
	if whole {
		return v
	}
	return im.add("slice", op.Attrs{"start": shape.Of(start...), "limit": shape.Of(limit...), "strides": strides}, v)
}

// part returns elements of one dimension, from start up to limit.
func (im *importer) part(v *dag.Value, dim int, start, limit shape.Dim, by int64) *dag.Value {
	from, to, steps := shape.Shape{}, slices.Clone(v.Type.Shape), []int64{}
	for range v.Type.Shape {
		from, steps = append(from, shape.N(0)), append(steps, 1)
	}
	if from[dim], to[dim], steps[dim] = start, limit, by; start.Same(shape.N(0)) && limit.Same(v.Type.Shape[dim]) && by == 1 {
		return v
	}
	return im.add("slice", op.Attrs{"start": from, "limit": to, "strides": steps}, v)
}

func (im *importer) concat(dim int, parts ...*dag.Value) *dag.Value {
	if len(parts) == 1 {
		return parts[0]
	}
	return im.add("concatenate", op.Attrs{"dim": int64(dim)}, parts...)
}

// together gives operands of an elementwise operation one shape: scalars of a raised region
// spread, and dynamic sizes that differ in name alone are one.
func (im *importer) together(vs ...*dag.Value) []*dag.Value {
	out := slices.Clone(vs)
	widest := vs[0]
	for _, v := range vs {
		if rank(v) > rank(widest) {
			widest = v
		}
	}
	for i, v := range vs {
		if rank(v) == 0 && rank(widest) > 0 {
			out[i] = im.spread(v, widest.Type.Shape)
			continue
		}
		for d := range v.Type.Shape {
			if rank(v) == rank(widest) {
				im.same(v.Type.Shape[d], widest.Type.Shape[d])
			}
		}
	}
	return out
}

// apply applies an elementwise operation to operands of one shape.
func (im *importer) apply(name string, vs ...*dag.Value) *dag.Value {
	return im.add(name, nil, im.together(vs...)...)
}

func (im *importer) compare(direction string, a, b *dag.Value) *dag.Value {
	both := im.together(a, b)
	return im.add("compare", op.Attrs{"direction": direction}, both...)
}

// with applies an operation to v and a number.
func (im *importer) with(name string, v *dag.Value, x float64) *dag.Value {
	return im.add(name, nil, v, im.like(v, x))
}

// span returns the numbers from first up to end.
func span(first, end int64) []int64 {
	out := make([]int64, 0, max(end-first, 0))
	for ; first < end; first++ {
		out = append(out, first)
	}
	return out
}

func repeat(n int, x int64) []int64 { return slices.Repeat([]int64{x}, n) }

// integers returns an attribute that is a list of integers.
func (c *call) integers(keys ...string) []int64 {
	list, ok := c.Attrs.Get(keys...).Ints()
	if !ok {
		c.refuse(CodeForm, hintForm, "%s is not a list of integers", keys[0])
	}
	return list
}

// number returns an attribute that is an integer.
func (c *call) number(usual int64, keys ...string) int64 {
	if a := c.Attrs.Get(keys...); a.Kind == verify.AttrInt {
		return a.N
	}
	return usual
}

// optional returns a list of n integers, or n times usual if there is none.
func (c *call) optional(n int, usual int64, keys ...string) []int64 {
	return c.optionalOf(c.Attrs, n, usual, keys...)
}

type dim = shape.Dim

func shapeOf(sizes ...int64) shape.Shape { return shape.Of(sizes...) }
