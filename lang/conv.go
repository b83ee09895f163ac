package lang

// WindowOptions configures how windows slide over the spatial dimensions of a
// tensor [N, C, S...]. A nil list means ones, or no padding.
type WindowOptions struct {
	Strides   []int64
	Low, High []int64 // padding before and after
	Dilation  []int64
	Groups    int64 // of convolutions; 0 means 1
	// OutputPadding is for ConvTranspose alone.
	OutputPadding []int64
	// Ceil is for pools alone: see the operation max_pool.
	Ceil bool
	// CountIncludePad is for AvgPool alone: padding counts as elements.
	CountIncludePad bool
}

func (w WindowOptions) attrs() attrs {
	a := attrs{}
	for name, v := range map[string][]int64{"strides": w.Strides, "low": w.Low, "high": w.High, "dilation": w.Dilation} {
		if v != nil {
			a[name] = v
		}
	}
	return a
}

func (w WindowOptions) convAttrs() attrs {
	a := w.attrs()
	a["groups"] = max(w.Groups, 1)
	if w.Groups < 0 {
		a["groups"] = w.Groups
	}
	return a
}

// SamePadding returns the padding for which a window of size kernel has
// ceil(size/stride) results: the SAME padding of TensorFlow and ONNX. Where the padding is odd, the
// odd element is after (SAME_UPPER), or before if lower holds (SAME_LOWER).
func SamePadding(size, kernel, stride, dilation int64, lower bool) (low, high int64) {
	if stride < 1 {
		return 0, 0 // the operation refuses such a stride
	}
	out := (size + stride - 1) / stride
	total := max((out-1)*stride+dilation*(kernel-1)+1-size, 0)
	low, high = total/2, total-total/2
	if lower {
		low, high = high, low
	}
	return low, high
}

// WithSamePadding returns w with SAME padding for t [N, C, S...] and windows of
// these sizes.
func (t Tensor) WithSamePadding(w WindowOptions, kernel []int64, lower bool) WindowOptions {
	if len(kernel) != t.Rank()-2 {
		panic(t.f.misuse("SAME padding of %s for a window of %v", t.Type(), kernel))
	}
	at := func(v []int64, i int) int64 {
		if i < len(v) {
			return v[i]
		}
		return 1
	}
	w.Low, w.High = make([]int64, len(kernel)), make([]int64, len(kernel))
	for i, k := range kernel {
		w.Low[i], w.High[i] = SamePadding(t.Dim(2+i), k, at(w.Strides, i), at(w.Dilation, i), lower)
	}
	return w
}

// Conv correlates t [N, C, S...] with kernel [O, C/groups, K...].
func (t Tensor) Conv(kernel Tensor, w WindowOptions) Tensor {
	return t.f.add("convolution", w.convAttrs(), t, kernel)
}

// ConvTranspose is the transposed convolution of t [N, C, S...] with kernel [C,
// O/groups, K...].
func (t Tensor) ConvTranspose(kernel Tensor, w WindowOptions) Tensor {
	a := w.convAttrs()
	if w.OutputPadding != nil {
		a["output_padding"] = w.OutputPadding
	}
	return t.f.add("conv_transpose", a, t, kernel)
}

// MaxPool returns the maximum of each window of t [N, C, S...].
func (t Tensor) MaxPool(kernel []int64, w WindowOptions) Tensor {
	a := w.attrs()
	a["kernel"], a["ceil"] = kernel, w.Ceil
	return t.f.add("max_pool", a, t)
}

// AvgPool returns the mean of each window of t [N, C, S...].
func (t Tensor) AvgPool(kernel []int64, w WindowOptions) Tensor {
	a := w.attrs()
	a["kernel"], a["ceil"], a["count_include_pad"] = kernel, w.Ceil, w.CountIncludePad
	return t.f.add("avg_pool", a, t)
}

// AdaptiveMaxPool pools t [N, C, S...] to the given spatial sizes by maxima.
func (t Tensor) AdaptiveMaxPool(sizes ...int64) Tensor {
	return t.f.add("adaptive_max_pool", attrs{"sizes": sizes}, t)
}

// AdaptiveAvgPool pools t [N, C, S...] to the given spatial sizes by means.
func (t Tensor) AdaptiveAvgPool(sizes ...int64) Tensor {
	return t.f.add("adaptive_avg_pool", attrs{"sizes": sizes}, t)
}

// GlobalMaxPool returns the maximum of each channel: [N, C, 1...].
func (t Tensor) GlobalMaxPool() Tensor { return t.unary("global_max_pool") }

// GlobalAvgPool returns the mean of each channel: [N, C, 1...].
func (t Tensor) GlobalAvgPool() Tensor { return t.unary("global_avg_pool") }
