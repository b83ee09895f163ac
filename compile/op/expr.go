package op

import (
	"slices"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Shape helpers of decompositions; sizes may be dynamic.

// spread broadcasts x to dims, aligned at the last dimension.
func (x expr) spread(dims ...shape.Dim) expr {
	places := make([]int64, x.rank())
	for i := range places {
		places[i] = int64(len(dims) - x.rank() + i)
	}
	return x.spreadOver(places, dims...)
}

// spreadOver broadcasts x to dims; places are its dimensions in the result.
func (x expr) spreadOver(places []int64, dims ...shape.Dim) expr {
	if slices.Equal(dims, x.Type.Shape) {
		return x
	}
	return apply(x.add, "broadcast_in_dim", Attrs{"sizes": append(shape.Shape{}, dims...), "dims": places}, x)
}

func (x expr) reshape(dims ...shape.Dim) expr {
	if slices.Equal(dims, x.Type.Shape) {
		return x
	}
	return apply(x.add, "reshape", Attrs{"sizes": append(shape.Shape{}, dims...)}, x)
}

func (x expr) transpose(perm ...int64) expr {
	return apply(x.add, "transpose", Attrs{"permutation": perm}, x)
}

func (x expr) to(d dtype.DType) expr {
	if x.d() == d {
		return x
	}
	return apply(x.add, "convert", Attrs{"dtype": d}, x)
}

// wide converts narrow floats to f32, the type that composite operations compute in.
func (x expr) wide() expr { return x.to(wide(x.d())) }

func wide(d dtype.DType) dtype.DType {
	if d.IsFloat() && d.Bits() < 32 {
		return dtype.F32
	}
	return d
}

// slice returns count elements first, first+step, ... of dimension dim.
func (x expr) slice(dim int, first, count, step int64) expr {
	return x.part(dim, shape.N(first), shape.N(count), step)
}

// part is like slice for sizes that may be dynamic.
func (x expr) part(dim int, first, count shape.Dim, step int64) expr {
	start, limit, strides := make(shape.Shape, x.rank()), x.dims(), make([]int64, x.rank())
	for i := range strides {
		strides[i] = 1
	}
	start[dim], strides[dim] = first, step
	if limit[dim] = first; count.Size != 0 {
		limit[dim] = count.Minus(one).Times(shape.N(step)).Plus(first).Plus(one)
	}
	if first.Size == 0 && step == 1 && count == x.dim(dim) {
		return x
	}
	return apply(x.add, "slice", Attrs{"start": start, "limit": limit, "strides": strides}, x)
}

// one is the size 1.
var one = shape.N(1)

// ones returns a shape of ones.
func ones(rank int) shape.Shape {
	dims := make(shape.Shape, rank)
	for i := range dims {
		dims[i] = one
	}
	return dims
}

// pad adds elements of value v around dimensions from first on; a negative
// number removes elements.
func (x expr) pad(first int, low, high []int64, v float64) expr {
	lo, hi, any := make([]int64, x.rank()), make([]int64, x.rank()), false
	for i := range low {
		if l, h := min(low[i], 0), min(high[i], 0); l < 0 || h < 0 {
			x = x.part(first+i, shape.N(-l), x.dim(first+i).Minus(shape.N(-l)).Minus(shape.N(-h)), 1)
		}
		lo[first+i], hi[first+i] = max(low[i], 0), max(high[i], 0)
		any = any || low[i] > 0 || high[i] > 0
	}
	if !any {
		return x
	}
	return apply(x.add, "pad", Attrs{"low": lo, "high": hi}, x, (&builder{x.add}).splat(x.d(), v))
}

// reduce applies reduce_sum, reduce_max or reduce_min with keepdims.
func (x expr) reduce(op string, dims ...int64) expr {
	return apply(x.add, op, Attrs{"dims": dims, "keepdims": true}, x)
}

// mean averages over dims with keepdims.
func (x expr) mean(dims ...int64) expr {
	return x.reduce("reduce_sum", dims...).overCount(x, 0, dims...)
}

// overCount divides x by the number of elements of y over dims minus taken.
func (x expr) overCount(y expr, taken int64, dims ...int64) expr {
	n, known := int64(1), true
	for _, d := range dims {
		n *= y.dim(int(d)).Size
		known = known && y.dim(int(d)).IsStatic()
	}
	if known {
		return x.with("divide", float64(n)-float64(taken))
	}
	var count expr
	for i, d := range dims {
		if size := y.size(int(d)).to(x.d()); i == 0 {
			count = size
		} else {
			count = count.times(size)
		}
	}
	if taken != 0 {
		count = count.with("subtract", float64(taken))
	}
	return x.over(count)
}

// size returns a size as an i32 scalar.
func (x expr) size(dim int) expr {
	if d := x.dim(dim); d.IsStatic() {
		return (&builder{x.add}).splat(dtype.I32, float64(d.Size))
	}
	return apply(x.add, "dim_size", Attrs{"dim": int64(dim)}, x)
}
