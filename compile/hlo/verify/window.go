package verify

// window describes how a kernel moves over the spatial dimensions.
type window struct {
	stride, base, dilation []int64
	pads                   [][2]int64
}

// extent returns the size of a result's dimension for a window over a dimension
// of n elements.
func (w window) extent(i int, n, size int64) int64 {
	if n == dynamic || size == dynamic {
		return dynamic
	}
	if n > 0 {
		n = (n-1)*w.base[i] + 1
	}
	n += w.pads[i][0] + w.pads[i][1]
	reach := int64(0)
	if size > 0 {
		reach = (size-1)*w.dilation[i] + 1
	}
	if n <= 0 || reach > n {
		return 0
	}
	return (n-reach)/w.stride[i] + 1
}

// window returns the window of a convolution.
func (c *checker) window(o *op, rank int) (window, bool) {
	of := attr{kind: aDict}
	if a, ok := o.attrs.get("window"); ok {
		of = a
	} else if o.generic {
		of = o.attrs
	}
	names := &op{named: o.named, attrs: of}
	var w window
	var ok [4]bool
	w.stride, ok[0] = c.repeated(names, rank, 1, "stride", "window_strides")
	w.base, ok[1] = c.repeated(names, rank, 1, "lhs_dilate", "lhs_dilation")
	w.dilation, ok[2] = c.repeated(names, rank, 1, "rhs_dilate", "rhs_dilation")
	w.pads, ok[3] = c.pads(names, rank, "pad", "padding")
	return w, ok == [4]bool{true, true, true, true} && c.positive(o, w)
}

// windowOf returns the window of a windowed reduction.
func (c *checker) windowOf(o *op, rank int) (window, bool) {
	var w window
	var ok [4]bool
	w.stride, ok[0] = c.repeated(o, rank, 1, "window_strides")
	w.base, ok[1] = c.repeated(o, rank, 1, "base_dilations")
	w.dilation, ok[2] = c.repeated(o, rank, 1, "window_dilations")
	w.pads, ok[3] = c.pads(o, rank, "padding")
	return w, ok == [4]bool{true, true, true, true} && c.positive(o, w)
}

// positive checks steps, and that sizes computed from them cannot overflow.
func (c *checker) positive(o *op, w window) bool {
	const most = 1 << 20
	for i := range w.stride {
		low, high := w.pads[i][0], w.pads[i][1]
		if min(w.stride[i], w.base[i], w.dilation[i]) < 1 || max(w.stride[i], w.base[i], w.dilation[i], low, high, -low, -high) > most {
			c.fault(o.pos, CodeAttribute, "%s with stride %d, dilations %d and %d, padding %d and %d", o.name, w.stride[i], w.base[i], w.dilation[i], low, high)
			return false
		}
	}
	return true
}

// pads parses [[low, high], ...], dense<[[low, high], ...]> or dense<n>.
func (c *checker) pads(o *op, rank int, keys ...string) ([][2]int64, bool) {
	out := make([][2]int64, rank)
	a, ok := o.find(keys...)
	if !ok {
		return out, true
	}
	if a.kind == aDense && len(a.items) == 1 {
		a = a.items[0]
	}
	if a.kind == aInt {
		for i := range out {
			out[i] = [2]int64{a.n, a.n}
		}
		return out, true
	}
	good := a.kind == aList && len(a.items) == rank
	for i := 0; good && i < rank; i++ {
		v, isList := a.items[i].ints()
		if good = isList && len(v) == 2; good {
			out[i] = [2]int64{v[0], v[1]}
		}
	}
	if !good {
		c.fault(a.pos, CodeAttribute, "%s: %s is not a pair for each of %d dimensions", o.name, keys[0], rank)
	}
	return out, good
}
