package lang

// LogSoftmax returns the logarithm of Softmax along dim.
func (t Tensor) LogSoftmax(dim int) Tensor {
	return t.f.add("log_softmax", attrs{"dim": int64(t.dim(dim))}, t)
}

// RMSNorm divides by the root mean square over the last dimension D and
// multiplies by gamma [D] + offset.
func (t Tensor) RMSNorm(gamma Tensor, epsilon, offset float64) Tensor {
	return t.f.add("rms_norm", attrs{"epsilon": epsilon, "offset": offset}, t, gamma)
}

// L2Normalize divides t by its Euclidean norm along dim, or by epsilon where that is
// larger.
func (t Tensor) L2Normalize(dim int, epsilon float64) Tensor {
	return t.f.add("l2_normalize", attrs{"dim": int64(t.dim(dim)), "epsilon": epsilon}, t)
}

// BatchNorm normalizes t [N, C, ...] with given statistics; the others are [C].
func (t Tensor) BatchNorm(gamma, beta, mean, variance Tensor, epsilon float64) Tensor {
	return t.f.add("batch_norm", attrs{"epsilon": epsilon}, t, gamma, beta, mean, variance)
}

// InstanceNorm normalizes t [N, C, ...] over the dimensions after C.
func (t Tensor) InstanceNorm(gamma, beta Tensor, epsilon float64) Tensor {
	return t.f.add("instance_norm", attrs{"epsilon": epsilon}, t, gamma, beta)
}

// GroupNorm normalizes t [N, C, ...] over each of groups groups of channels.
func (t Tensor) GroupNorm(groups int64, gamma, beta Tensor, epsilon float64) Tensor {
	return t.f.add("group_norm", attrs{"groups": groups, "epsilon": epsilon}, t, gamma, beta)
}
