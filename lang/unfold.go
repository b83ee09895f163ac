package lang

import "slices"

// Unfold cuts t along dim into windows of size elements, one every step: dim holds
// the windows, and a last dimension the elements of each.
func (t Tensor) Unfold(dim int, size, step int64) Tensor {
	return t.f.add("unfold", attrs{"dim": int64(t.dim(dim)), "size": size, "step": step}, t)
}

// Im2Col returns the windows of t [N, C, S...] as columns: [N, C prod K, prod L].
func (t Tensor) Im2Col(kernel []int64, w WindowOptions) Tensor {
	a := w.attrs()
	a["kernel"] = kernel
	return t.f.add("im2col", a, t)
}

// Col2Im adds columns [N, C prod K, prod L] into [N, C, sizes...], where Im2Col
// takes them from.
func (t Tensor) Col2Im(sizes, kernel []int64, w WindowOptions) Tensor {
	a := w.attrs()
	a["sizes"], a["kernel"] = sizes, kernel
	return t.f.add("col2im", a, t)
}

// PadInterior surrounds t by v, and puts interior[i] elements of v between
// neighbours along dimension i; low, high and interior have one number a dimension.
func (t Tensor) PadInterior(v float64, low, high, interior []int64) Tensor {
	return t.f.add("pad_interior", attrs{"low": slices.Clone(low), "high": slices.Clone(high), "interior": slices.Clone(interior)},
		t, t.f.Splat(t.DType(), v))
}
