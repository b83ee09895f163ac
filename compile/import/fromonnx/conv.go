package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// window of a convolution or pool over the last r dimensions.
type window struct{ kernel, strides, dilation, low, high []int64 }

func (n *node) window2(x *dag.Value, kernel []int64) window {
	r := rank(x) - 2
	n.perDimension("kernel_shape", kernel, r)
	ones := func(name string) []int64 {
		if list, ok := n.ints(name, -1); ok {
			return n.perDimension(name, list, r)
		}
		list := make([]int64, r)
		for i := range list {
			list[i] = 1
		}
		return list
	}
	w := window{kernel: kernel, strides: ones("strides"), dilation: ones("dilations"), low: make([]int64, r), high: make([]int64, r)}
	if pads, ok := n.ints("pads", -1); ok {
		n.perDimension("pads", pads, 2*r)
		copy(w.low, pads[:r])
		copy(w.high, pads[r:])
	}
	for i := range r {
		n.reasonable("kernel_shape", kernel[i], 0)
		n.reasonable("strides", w.strides[i], 1)
		n.reasonable("dilations", w.dilation[i], 1)
		n.reasonable("pads", w.low[i], -farthest)
		n.reasonable("pads", w.high[i], -farthest)
	}
	switch auto := n.str("auto_pad", "NOTSET"); auto {
	case "SAME_UPPER", "SAME_LOWER":
		for i := range r {
			pad := n.samePad(dims(x)[2+i], w.strides[i], (kernel[i]-1)*w.dilation[i]+1)
			w.low[i], w.high[i] = pad/2, pad-pad/2
			if auto == "SAME_LOWER" {
				w.low[i], w.high[i] = w.high[i], w.low[i]
			}
		}
	}
	return w
}

// farthest is more than what a window of a tensor that fits a machine reaches.
const farthest = 1 << 31

// reasonable refuses a number of a window below the least or far above all sizes.
func (n *node) reasonable(name string, x, least int64) {
	if x < least || x > farthest {
		n.malformed("%s with %d in %s: it takes numbers from %d to 2^31", n.Op, x, name, least)
	}
}

// samePad returns by how much a size is padded so that a window of this span gives one
// result for each stride.
func (n *node) samePad(size shape.Dim, stride, span int64) int64 {
	if stride < 1 {
		n.refuse("a stride of %d", stride)
	}
	d := sizeOf(size)
	out := d.dividedBy(integer(stride)).ceil()
	pad := higher(out.minus(integer(1)).times(integer(stride)).plus(integer(span)).minus(d), integer(0))
	c, ok := pad.constant()
	if !ok {
		n.undecided(shape.Shape{size}, "padding of a size %s to whole strides of %d, which is another one in each call", size, stride)
	}
	return c
}

func (w *window) attrs() op.Attrs {
	return op.Attrs{"strides": w.strides, "dilation": w.dilation, "low": w.low, "high": w.high}
}

// bias adds input i to the channels of y.
func (n *node) bias(y *dag.Value, i int) *dag.Value {
	if !n.has(i) {
		return y
	}
	to := make([]int64, rank(y)-1)
	for i := range to {
		to[i] = 1
	}
	to[0] = extent(y, 1)
	return n.binary("add", y, n.reshape(n.in(i), to...))
}

var convRules = map[string]rule{
	"Conv": func(n *node) []*dag.Value {
		x, k := n.in(0), n.in(1)
		w := n.window2(x, sizes(k)[2:])
		attrs := w.attrs()
		attrs["groups"] = n.int("group", 1)
		return one(n.bias(n.add("convolution", attrs, x, k), 2))
	},
	"ConvTranspose": func(n *node) []*dag.Value {
		x, k := n.in(0), n.in(1)
		w := n.window2(x, sizes(k)[2:])
		attrs := w.attrs()
		attrs["groups"] = n.int("group", 1)
		more := make([]int64, len(w.low))
		if list, ok := n.ints("output_padding", -1); ok {
			copy(more, n.perDimension("output_padding", list, len(w.low)))
		}
		to, given := n.ints("output_shape", -1)
		if given {
			n.perDimension("output_shape", to, len(w.low))
		}
		if auto := n.str("auto_pad", "NOTSET"); given || auto == "SAME_UPPER" || auto == "SAME_LOWER" {
			for i := range w.kernel {
				size := extent(x, int64(2+i))
				out := size * w.strides[i]
				if given {
					out = to[i]
				}
				total := (size-1)*w.strides[i] + (w.kernel[i]-1)*w.dilation[i] + 1 + more[i] - out
				more[i], total = more[i]+max(-total, 0), max(total, 0)
				w.low[i], w.high[i] = total-total/2, total/2
				if auto == "SAME_UPPER" {
					w.low[i], w.high[i] = w.high[i], w.low[i]
				}
			}
		}
		attrs["output_padding"] = more
		return one(n.bias(n.add("conv_transpose", attrs, x, k), 2))
	},
	"MaxPool": func(n *node) []*dag.Value {
		attrs := n.pool()
		out := one(n.add("max_pool", attrs, n.in(0)))
		if len(n.Outputs) > 1 && n.Outputs[1] != "" {
			out = append(out, n.greatestAt(attrs, sizes(out[0])))
		}
		return out
	},
	"AveragePool": func(n *node) []*dag.Value {
		attrs := n.pool()
		attrs["count_include_pad"] = n.int("count_include_pad", 0) == 1
		return one(n.add("avg_pool", attrs, n.in(0)))
	},
	"GlobalAveragePool": global("global_avg_pool"),
	"GlobalMaxPool":     global("global_max_pool"),
}

func (n *node) pool() op.Attrs { return n.poolOf(n.in(0)) }

func (n *node) poolOf(x *dag.Value) op.Attrs {
	kernel, _ := n.ints("kernel_shape", -1)
	w := n.window2(x, kernel)
	attrs := w.attrs()
	attrs["kernel"] = kernel
	attrs["ceil"] = n.int("ceil_mode", 0) == 1
	return attrs
}

// global pools keep the pooled dimensions.
func global(name string) rule {
	return func(n *node) []*dag.Value {
		x := n.in(0)
		to := slices.Clone(dims(x)[:2])
		for range dims(x)[2:] {
			to = append(to, shape.N(1))
		}
		return one(n.reshapeTo(n.add(name, nil, x), to...))
	}
}

// greatestAt returns the indices in the operand of the elements that max_pool selects,
// the first among equals.
func (n *node) greatestAt(attrs op.Attrs, out []int64) *dag.Value {
	x := n.in(0)
	low, high, kernel := attrs["low"].([]int64), attrs["high"].([]int64), attrs["kernel"].([]int64)
	strides, dilation := attrs["strides"].([]int64), attrs["dilation"].([]int64)
	if attrs["ceil"].(bool) {
		n.refuse("places of a pool that is rounded up")
	}
	around := func(v *dag.Value, edge float64) *dag.Value {
		return n.add("pad", op.Attrs{"low": append([]int64{0, 0}, low...), "high": append([]int64{0, 0}, high...)}, v, n.splatOf(v.Type.DType, edge))
	}
	// The index of each element is flat, over all dimensions, with the last or the
	// first spatial one fastest.
	places, step := n.splatOf(dtype.I64, 0, sizes(x)...), int64(1)
	order := all(x)
	if n.int("storage_order", 0) == 1 {
		slices.Reverse(order[2:])
	}
	for _, d := range slices.Backward(order) {
		places = n.binary("add", places, n.scale(n.iota(dtype.I64, d, sizes(x)...), float64(step)))
		step *= sizes(x)[d]
	}
	least := math.Inf(-1)
	if x.Type.DType.IsInt() {
		least, _ = limits(x.Type.DType)
	}
	values := around(x, least)
	places = around(places, -1)
	var best, at *dag.Value
	each(kernel, func(tap []int64) {
		v, p := values, places
		for i := range tap {
			first := tap[i] * dilation[i]
			last := first + (out[2+i]-1)*strides[i] + 1
			v, p = n.window(v, int64(2+i), first, last, strides[i]), n.window(p, int64(2+i), first, last, strides[i])
		}
		if best == nil {
			best, at = v, p
			return
		}
		// Padding is not chosen, even among elements that are as small.
		greater := n.add("or", nil, n.compare("GT", v, best), n.compare("LT", at, n.splat(at, 0)))
		best, at = n.choose(greater, v, best), n.choose(greater, p, at)
	})
	return at
}
