package lang

import (
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A size may be dynamic: known only when the program is called. It has a name, that of
// a dimension of an input, and arithmetic on sizes (shape.Dim) derives others from it;
// equal names are equal sizes. Methods whose names end in Of take such sizes.
//
//	x := f.InputOf("x", dtype.F32, shape.Named("batch"), shape.N(384))
//	y := x.ReshapeOf(x.DimOf(0).Times(shape.N(6)), shape.N(64))
//	mean := x.Sum(false, 0).Div(x.Size(0).Convert(dtype.F32))

// InputOf is Input with sizes that may be dynamic: shape.Named makes one with
// a name, which is the same size in all inputs of a call.
func (f *Func) InputOf(name string, d dtype.DType, dims ...shape.Dim) Tensor {
	f.whole("an input")
	if f.block != f.f.Body {
		panic(f.misuse("input %q is declared inside a loop", name))
	}
	dims = slices.Clone(dims)
	for i, n := range dims {
		if n.IsStatic() {
			continue
		}
		if n.Name == "" { // without a name: that of the argument and the dimension
			dims[i] = shape.Named(name + "_" + strconv.Itoa(i))
		} else if shape.Named(n.Name) != n {
			panic(f.misuse("input %q: %q is not a valid dimension name", name, n.Name))
		}
	}
	f.f.Args = append(f.f.Args, name)
	return Tensor{f, f.block.AddArg(tensor.Type{DType: d, Shape: dims})}
}

// SplatOf is Splat with sizes that may be dynamic.
func (f *Func) SplatOf(d dtype.DType, v float64, dims ...shape.Dim) Tensor {
	return f.add("splat", attrs{"type": tensor.Type{DType: d, Shape: slices.Clone(dims)}, "value": tensor.Round(d, v)})
}

// IotaOf is Iota with sizes that may be dynamic.
func (f *Func) IotaOf(d dtype.DType, dim int, dims ...shape.Dim) Tensor {
	return f.add("iota", attrs{"type": tensor.Type{DType: d, Shape: slices.Clone(dims)}, "dim": int64(dim)})
}

// DimOf returns the size of dimension i, which may be dynamic; a negative i counts
// from the last.
func (t Tensor) DimOf(i int) shape.Dim { return t.v.Type.Shape[t.dim(i)] }

// Dims returns the sizes.
func (t Tensor) Dims() shape.Shape { return slices.Clone(t.v.Type.Shape) }

// Size returns the size of dimension i as an i32 scalar to compute with.
func (t Tensor) Size(i int) Tensor { return t.f.add("dim_size", attrs{"dim": int64(t.dim(i))}, t) }

// ReshapeOf is Reshape with sizes that may be dynamic.
func (t Tensor) ReshapeOf(dims ...shape.Dim) Tensor {
	if slices.Equal(dims, t.v.Type.Shape) && t.v.Type.Shape.IsKnown() {
		return t
	}
	return t.f.add("reshape", attrs{"sizes": shape.Shape(slices.Clone(dims))}, t)
}

// BroadcastOf is BroadcastTo with sizes that may be dynamic.
func (t Tensor) BroadcastOf(dims ...shape.Dim) Tensor {
	if slices.Equal(dims, t.v.Type.Shape) {
		return t
	}
	if len(dims) < t.Rank() {
		panic(t.f.misuse("%s cannot be broadcast to %s", t.Type(), shape.Shape(dims)))
	}
	places := make([]int64, t.Rank())
	for i := range places {
		places[i] = int64(len(dims) - t.Rank() + i)
	}
	return t.f.add("broadcast_in_dim", attrs{"sizes": shape.Shape(slices.Clone(dims)), "dims": places}, t)
}

// SliceOf takes start <= index < limit of dimension dim in steps of by. The
// slice must be in range whatever the dynamic sizes are, each at least 1.
func (t Tensor) SliceOf(dim int, start, limit shape.Dim, by int64) Tensor {
	d := t.dim(dim)
	lo, hi, step := make(shape.Shape, t.Rank()), t.Dims(), make([]int64, t.Rank())
	for i := range step {
		step[i] = 1
	}
	lo[d], hi[d], step[d] = start, limit, by
	return t.f.add("slice", attrs{"start": lo, "limit": hi, "strides": step}, t)
}

// DynamicSliceOf is DynamicSlice with sizes that may be dynamic.
func (t Tensor) DynamicSliceOf(dims []shape.Dim, starts ...Tensor) Tensor {
	return t.f.add("dynamic_slice", attrs{"sizes": shape.Shape(slices.Clone(dims))}, append([]Tensor{t}, starts...)...)
}
