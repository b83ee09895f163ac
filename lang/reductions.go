package lang

// Prod returns the product over dims.
func (t Tensor) Prod(keepdims bool, dims ...int) Tensor {
	return t.reduce("reduce_prod", keepdims, dims)
}

// Any reports whether any of the bools over dims is true.
func (t Tensor) Any(keepdims bool, dims ...int) Tensor {
	return t.reduce("reduce_any", keepdims, dims)
}

// All reports whether all of the bools over dims are true.
func (t Tensor) All(keepdims bool, dims ...int) Tensor {
	return t.reduce("reduce_all", keepdims, dims)
}

// Mean returns the mean over dims.
func (t Tensor) Mean(keepdims bool, dims ...int) Tensor {
	return t.reduce("reduce_mean", keepdims, dims)
}

// LogSumExp returns log sum e^t over dims.
func (t Tensor) LogSumExp(keepdims bool, dims ...int) Tensor {
	return t.reduce("reduce_log_sum_exp", keepdims, dims)
}

// Variance returns the mean squared distance from the mean over dims; correction
// is 0 for a population and 1 for a sample.
func (t Tensor) Variance(correction int64, keepdims bool, dims ...int) Tensor {
	return t.f.add("reduce_variance", attrs{"dims": t.dims(dims), "keepdims": keepdims, "correction": correction}, t)
}

// ArgMin returns the index (i32) of the first smallest element along dim.
func (t Tensor) ArgMin(dim int) Tensor {
	return t.f.add("argmin", attrs{"dim": int64(t.dim(dim))}, t)
}
