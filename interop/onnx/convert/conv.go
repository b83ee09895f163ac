package convert

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/op"
)

// window of a convolution or pool over the last r dimensions.
type window struct{ kernel, strides, dilation, low, high []int64 }

func (n *node) window2(x *dag.Value, kernel []int64) window {
	r := rank(x) - 2
	ones := func(name string) []int64 {
		if list, ok := n.ints(name, -1); ok {
			return list
		}
		list := make([]int64, r)
		for i := range list {
			list[i] = 1
		}
		return list
	}
	w := window{kernel: kernel, strides: ones("strides"), dilation: ones("dilations"), low: make([]int64, r), high: make([]int64, r)}
	if pads, ok := n.ints("pads", -1); ok {
		copy(w.low, pads[:r])
		copy(w.high, pads[r:])
	}
	switch auto := n.str("auto_pad", "NOTSET"); auto {
	case "SAME_UPPER", "SAME_LOWER":
		for i := range r {
			size := sizes(x)[2+i]
			out := (size + w.strides[i] - 1) / w.strides[i]
			pad := max((out-1)*w.strides[i]+(kernel[i]-1)*w.dilation[i]+1-size, 0)
			w.low[i], w.high[i] = pad/2, pad-pad/2
			if auto == "SAME_LOWER" {
				w.low[i], w.high[i] = w.high[i], w.low[i]
			}
		}
	}
	return w
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
	to[0] = sizes(y)[1]
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
		if n.str("auto_pad", "NOTSET") != "NOTSET" {
			n.refuse("a transposed convolution whose padding follows from its result")
		}
		if _, ok := n.ints("output_shape", -1); ok {
			n.refuse("a transposed convolution whose padding follows from its result")
		}
		w := n.window2(x, sizes(k)[2:])
		attrs := w.attrs()
		attrs["groups"] = n.int("group", 1)
		if list, ok := n.ints("output_padding", -1); ok {
			attrs["output_padding"] = list
		}
		return one(n.bias(n.add("conv_transpose", attrs, x, k), 2))
	},
	"MaxPool": func(n *node) []*dag.Value {
		attrs := n.pool()
		return one(n.add("max_pool", attrs, n.in(0)))
	},
	"AveragePool": func(n *node) []*dag.Value {
		attrs := n.pool()
		attrs["count_include_pad"] = n.int("count_include_pad", 0) == 1
		return one(n.add("avg_pool", attrs, n.in(0)))
	},
	"GlobalAveragePool": global("global_avg_pool"),
	"GlobalMaxPool":     global("global_max_pool"),
}

func (n *node) pool() op.Attrs {
	kernel, _ := n.ints("kernel_shape", -1)
	w := n.window2(n.in(0), kernel)
	attrs := w.attrs()
	attrs["kernel"] = kernel
	attrs["ceil"] = n.int("ceil_mode", 0) == 1
	return attrs
}

// global pools keep the pooled dimensions.
func global(name string) rule {
	return func(n *node) []*dag.Value {
		x := n.in(0)
		to := make([]int64, rank(x))
		for i := range to {
			to[i] = 1
		}
		copy(to, sizes(x)[:2])
		return one(n.reshape(n.add(name, nil, x), to...))
	}
}
