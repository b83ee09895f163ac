package lang

import "github.com/skainet-dev/skainet-go/tensor/dtype"

// Gather returns the slices of t [A..., D, B...] across dim at indices [I...]:
// [A..., I..., B...].
func (t Tensor) Gather(indices Tensor, dim int) Tensor {
	return t.f.add("gather", attrs{"dim": int64(t.dim(dim))}, t, indices)
}

// TakeAlong returns one element along dim for each index, as numpy.take_along_axis does.
func (t Tensor) TakeAlong(indices Tensor, dim int) Tensor {
	return t.f.add("take_along", attrs{"dim": int64(t.dim(dim))}, t, indices)
}

// GatherND returns the slices at the coordinates indices [I..., K], as ONNX's GatherND.
func (t Tensor) GatherND(indices Tensor) Tensor { return t.f.add("gather_nd", nil, t, indices) }

// Scatter combines updates [I..., B...] into the rows of t [V, B...] at indices
// I....
func (t Tensor) Scatter(mode ScatterMode, indices, updates Tensor) Tensor {
	return t.f.add("scatter", attrs{"mode": string(mode)}, t, indices, updates)
}

// ScatterAlong combines each update into the element along dim that its index names.
func (t Tensor) ScatterAlong(mode ScatterMode, dim int, indices, updates Tensor) Tensor {
	return t.f.add("scatter_along", attrs{"mode": string(mode), "dim": int64(t.dim(dim))}, t, indices, updates)
}

// ScatterND combines updates into the elements at the coordinates indices [I..., K].
func (t Tensor) ScatterND(mode ScatterMode, indices, updates Tensor) Tensor {
	return t.f.add("scatter_nd", attrs{"mode": string(mode)}, t, indices, updates)
}

// ArgSort returns the indices (i32) that sort t along dim.
func (t Tensor) ArgSort(dim int, descending bool) Tensor {
	return t.f.add("argsort", attrs{"dim": int64(t.dim(dim)), "descending": descending}, t)
}

// Sort sorts the elements along dim.
func (t Tensor) Sort(dim int, descending bool) Tensor {
	return t.f.add("sort", attrs{"dim": int64(t.dim(dim)), "descending": descending}, t)
}

// TopK returns the k largest elements along dim in descending order and their indices
// (i32); with largest false the k smallest in ascending order.
func (t Tensor) TopK(k int64, dim int, largest bool) (values, indices Tensor) {
	out := t.f.outputs(t.f.node("top_k", attrs{"dim": int64(t.dim(dim)), "k": k, "largest": largest}, t))
	return out[0], out[1]
}

// OneHot returns one-hot vectors of the indices t in a new last dimension of size
// depth.
func (t Tensor) OneHot(depth int64, d dtype.DType) Tensor {
	return t.f.add("one_hot", attrs{"depth": depth, "dtype": d}, t)
}
