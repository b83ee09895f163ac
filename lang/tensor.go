package lang

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Tensor is a value of the function being captured. Binary operations broadcast
// as in NumPy: shapes are aligned at their last dimension, and sizes must be equal
// or one of them 1.
type Tensor struct {
	f *Func
	v *dag.Value
}

// Type returns the element type and shape.
func (t Tensor) Type() tensor.Type { return t.v.Type }

// DType returns the element type.
func (t Tensor) DType() dtype.DType { return t.v.Type.DType }

// Dim returns the size of dimension i, which must be static (see DimOf); a negative i
// counts from the last.
func (t Tensor) Dim(i int) int64 {
	d := t.DimOf(i)
	if !d.IsStatic() {
		panic(t.f.misuse("dimension %d of %s has no fixed size", i, t.Type()).
			Hint("use DimOf for a symbolic size, or Size for its run-time value"))
	}
	return d.Size
}

// Rank returns the number of dimensions.
func (t Tensor) Rank() int { return t.v.Type.Shape.Rank() }

// Func returns the function that t belongs to.
func (t Tensor) Func() *Func { return t.f }

func (t Tensor) dim(i int) int {
	r := t.Rank()
	if i < -r || i >= r {
		panic(t.f.misuse("dimension %d of a tensor of rank %d", i, r))
	}
	return (i + r) % r
}

func (t Tensor) unary(name string) Tensor { return t.f.add(name, nil, t) }

// Negate returns -t.
func (t Tensor) Negate() Tensor { return t.unary("negate") }

// Exp returns e^t.
func (t Tensor) Exp() Tensor { return t.unary("exp") }

// Log returns the natural logarithm.
func (t Tensor) Log() Tensor { return t.unary("log") }

// Sqrt returns the square root.
func (t Tensor) Sqrt() Tensor { return t.unary("sqrt") }

// Tanh returns the hyperbolic tangent.
func (t Tensor) Tanh() Tensor { return t.unary("tanh") }

// GELU returns the exact Gaussian error linear unit.
func (t Tensor) GELU() Tensor { return t.unary("gelu") }

// Not returns the logical not of bools.
func (t Tensor) Not() Tensor { return t.unary("not") }

func (t Tensor) binary(name string, o Tensor, a attrs) Tensor {
	x, y := broadcast(name, t, o)
	return t.f.add(name, a, x, y)
}

// Add returns t + o.
func (t Tensor) Add(o Tensor) Tensor { return t.binary("add", o, nil) }

// Sub returns t - o.
func (t Tensor) Sub(o Tensor) Tensor { return t.binary("subtract", o, nil) }

// Mul returns t times o, element by element.
func (t Tensor) Mul(o Tensor) Tensor { return t.binary("multiply", o, nil) }

// Div returns t / o.
func (t Tensor) Div(o Tensor) Tensor { return t.binary("divide", o, nil) }

// Max returns the larger of t and o, element by element.
func (t Tensor) Max(o Tensor) Tensor { return t.binary("maximum", o, nil) }

// Min returns the smaller of t and o, element by element.
func (t Tensor) Min(o Tensor) Tensor { return t.binary("minimum", o, nil) }

// And returns the logical and of bools.
func (t Tensor) And(o Tensor) Tensor { return t.binary("and", o, nil) }

// Or returns the logical or of bools.
func (t Tensor) Or(o Tensor) Tensor { return t.binary("or", o, nil) }

// AddScalar returns t + v, where v is rounded to the element type of t.
func (t Tensor) AddScalar(v float64) Tensor { return t.Add(t.f.Splat(t.DType(), v)) }

// MulScalar returns t times v, where v is rounded to the element type of t.
func (t Tensor) MulScalar(v float64) Tensor { return t.Mul(t.f.Splat(t.DType(), v)) }

// Select returns a where t (bools) is true, and b elsewhere.
func (t Tensor) Select(a, b Tensor) Tensor {
	a, b = broadcast("select", a, b)
	c := t
	if c.Rank() != 0 {
		c, a = broadcast("select", c, a)
		_, b = broadcast("select", c, b)
	}
	return t.f.add("select", nil, c, a, b)
}

// Convert returns t in another element type; t itself if it has that type.
func (t Tensor) Convert(d dtype.DType) Tensor {
	if t.DType() == d {
		return t
	}
	return t.f.add("convert", attrs{"dtype": d}, t)
}

// Reshape returns the same elements in another shape; one size may be -1 and is
// inferred from the others, also where t has dynamic ones.
func (t Tensor) Reshape(sizes ...int64) Tensor {
	dims := shape.Of(sizes...)
	if i := slices.Index(sizes, -1); i >= 0 {
		n := t.v.Type.Shape.Product()
		rest := int64(1)
		for j, s := range sizes {
			if j != i {
				rest *= s
			}
		}
		if rest <= 0 || !n.DivisibleBy(rest) {
			panic(t.f.misuse("no size fits for -1 in a reshape of %s to %v", t.v.Type, sizes))
		}
		dims[i] = n.FloorDiv(rest)
	}
	return t.ReshapeOf(dims...)
}

// Transpose permutes dimensions: result dimension i is dimension perm[i] of t.
func (t Tensor) Transpose(perm ...int) Tensor {
	return t.f.add("transpose", attrs{"permutation": t.dims(perm)}, t)
}

func (t Tensor) dims(ds []int) []int64 {
	out := make([]int64, len(ds))
	for i, d := range ds {
		out[i] = int64(t.dim(d))
	}
	return out
}

// Slice returns the elements with start <= index < limit of dimension dim.
func (t Tensor) Slice(dim int, start, limit int64) Tensor { return t.SliceBy(dim, start, limit, 1) }

// SliceBy is Slice with a stride.
func (t Tensor) SliceBy(dim int, start, limit, by int64) Tensor {
	return t.SliceOf(dim, shape.N(start), shape.N(limit), by)
}

// Pad puts low elements of the given value before dimension dim, and high after.
func (t Tensor) Pad(dim int, low, high int64, value float64) Tensor {
	d := t.dim(dim)
	lo, hi := make([]int64, t.Rank()), make([]int64, t.Rank())
	lo[d], hi[d] = low, high
	return t.f.add("pad", attrs{"low": lo, "high": hi}, t, t.f.Splat(t.DType(), value))
}

// Barrier returns t, computed once and stored; see the operation barrier.
func (t Tensor) Barrier() Tensor { return t.unary("barrier") }

// DynamicSlice returns the window of the given sizes whose first element is at the
// scalar indices starts, one per dimension.
func (t Tensor) DynamicSlice(sizes []int64, starts ...Tensor) Tensor {
	return t.f.add("dynamic_slice", attrs{"sizes": sizes}, append([]Tensor{t}, starts...)...)
}

// Update returns t with the window at the scalar indices starts replaced by u.
func (t Tensor) Update(u Tensor, starts ...Tensor) Tensor {
	return t.f.add("dynamic_update_slice", nil, append([]Tensor{t, u}, starts...)...)
}

// Take returns the rows of t at indices.
func (t Tensor) Take(indices Tensor) Tensor { return t.f.add("take", nil, t, indices) }

// Sum returns the sum over dims.
func (t Tensor) Sum(keepdims bool, dims ...int) Tensor { return t.reduce("reduce_sum", keepdims, dims) }

// ReduceMax returns the largest element over dims.
func (t Tensor) ReduceMax(keepdims bool, dims ...int) Tensor {
	return t.reduce("reduce_max", keepdims, dims)
}

func (t Tensor) reduce(name string, keep bool, dims []int) Tensor {
	return t.f.add(name, attrs{"dims": t.dims(dims), "keepdims": keep}, t)
}

// ArgMax returns the index (i32) of the first largest element along dim.
func (t Tensor) ArgMax(dim int) Tensor {
	return t.f.add("argmax", attrs{"dim": int64(t.dim(dim))}, t)
}

// Softmax returns the softmax along dim.
func (t Tensor) Softmax(dim int) Tensor {
	return t.f.add("softmax", attrs{"dim": int64(t.dim(dim))}, t)
}

// LayerNorm normalizes over the last dimension, then scales by gamma and shifts by
// beta.
func (t Tensor) LayerNorm(gamma, beta Tensor, epsilon float64) Tensor {
	return t.f.add("layer_norm", attrs{"epsilon": epsilon}, t, gamma, beta)
}

// Conv1D correlates t [N, C, W] with kernel [O, C, K]; padding is on both sides. Conv
// is the general form.
func (t Tensor) Conv1D(kernel Tensor, stride, padding int64) Tensor {
	return t.f.add("conv1d", attrs{"stride": stride, "padding": padding}, t, kernel)
}

// BroadcastTo repeats t to the given sizes, aligned at the last dimension.
func (t Tensor) BroadcastTo(sizes ...int64) Tensor {
	return t.BroadcastOf(shape.Of(sizes...)...)
}

// broadcast repeats two operands of the named operation over common sizes.
func broadcast(name string, a, b Tensor) (Tensor, Tensor) {
	as, bs := a.v.Type.Shape, b.v.Type.Shape
	if len(as) == len(bs) && a.v == b.v {
		return a, b
	}
	sizes := broadcastDims(name, a, b, as, bs)
	return a.BroadcastOf(sizes...), b.BroadcastOf(sizes...)
}

// broadcastDims returns the common sizes of dimensions of a and b, aligned at the last
// one, or panics with a mistake in the named operation of a and b.
func broadcastDims(name string, a, b Tensor, as, bs shape.Shape) shape.Shape {
	sizes := make(shape.Shape, max(len(as), len(bs)))
	for i := range sizes {
		x, y := shape.N(1), shape.N(1)
		if j := i - len(sizes) + len(as); j >= 0 {
			x = as[j]
		}
		if j := i - len(sizes) + len(bs); j >= 0 {
			y = bs[j]
		}
		if !x.Same(y) && x.Size != 1 && y.Size != 1 {
			err := a.f.misuse("%s of %s and %s: the shapes do not broadcast", name, a.Type(), b.Type()).
				Hint("sizes must be equal or one of them 1, counted from the last dimension")
			if !x.IsStatic() || !y.IsStatic() {
				err.Hint("%s and %s are equal in some calls only: give the dimensions of the inputs the same name, or the same size", x, y)
			}
			panic(err)
		}
		sizes[i] = x
		if x.Size == 1 {
			sizes[i] = y
		}
	}
	return sizes
}
