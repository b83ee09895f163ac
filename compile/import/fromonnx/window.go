package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var windowRules = map[string]rule{
	"LpPool": func(n *node) []*dag.Value {
		x, p := n.in(0), float64(n.int("p", 2))
		attrs := n.pool()
		attrs["count_include_pad"] = true // then the divisor is the window's size
		to := n.roundedUp(x, attrs)
		power := n.binary("power", n.add("abs", nil, x), n.splatOf(x.Type.DType, p))
		sum := n.scale(n.add("avg_pool", attrs, power), float64(product(attrs["kernel"].([]int64))))
		for i, size := range to {
			sum = n.windowTo(sum, int64(2+i), shape.N(0), size, 1)
		}
		return one(n.binary("power", sum, n.splatOf(x.Type.DType, 1/p)))
	},
	"LRN": func(n *node) []*dag.Value {
		x, size := n.in(0), n.int("size", 1)
		s := sizes(x)
		rows := n.reshape(n.binary("multiply", x, x), s[0], 1, s[1], product(s[2:])) // channels are a spatial dimension
		mean := n.reshape(n.add("avg_pool", op.Attrs{
			"kernel": []int64{size, 1}, "low": []int64{(size - 1) / 2, 0}, "high": []int64{size / 2, 0}, "count_include_pad": true,
		}, rows), s...)
		base := n.plus(n.scale(mean, n.float("alpha", 1e-4)), n.float("bias", 1))
		return one(n.binary("divide", x, n.binary("power", base, n.splat(base, n.float("beta", 0.75)))))
	},
	"Col2Im": func(n *node) []*dag.Value {
		image, _ := n.ints("image_shape", 1)
		block, _ := n.ints("block_shape", 2)
		w := n.window2(n.splatOf(n.in(0).Type.DType, 0, append([]int64{1, 1}, image...)...), block)
		attrs := w.attrs()
		attrs["kernel"], attrs["sizes"] = block, image
		return one(n.add("col2im", attrs, n.in(0)))
	},
	"CenterCropPad": func(n *node) []*dag.Value {
		x := n.in(0)
		to, _ := n.ints("shape", 1)
		axes, ok := n.ints("axes", -1)
		if !ok {
			axes = all(x)
		}
		n.perDimension("the input 1, shape,", to, len(axes))
		low, high := make([]int64, rank(x)), make([]int64, rank(x))
		for i, a := range axes {
			a = n.axis(a, rank(x))
			if more := to[i] - sizes(x)[a]; more >= 0 {
				low[a], high[a] = more/2, more-more/2
			} else {
				x = n.window(x, a, -more/2, -more/2+to[i], 1)
			}
		}
		return one(n.add("pad", op.Attrs{"low": low, "high": high}, x, n.splatOf(x.Type.DType, 0)))
	},
}

// roundedUp makes whole windows of those that a pool with ceil_mode has past the edge, by
// zeros there, and returns the sizes of the result: a window that would begin past the edge
// is none.
func (n *node) roundedUp(x *dag.Value, attrs op.Attrs) shape.Shape {
	if !attrs["ceil"].(bool) {
		return nil
	}
	attrs["ceil"] = false
	kernel, strides, dilation := attrs["kernel"].([]int64), attrs["strides"].([]int64), attrs["dilation"].([]int64)
	low, high := attrs["low"].([]int64), slices.Clone(attrs["high"].([]int64))
	attrs["high"] = high
	to := shape.Shape{}
	for i, stride := range strides {
		span := (kernel[i]-1)*dilation[i] + 1
		whole := high[i]+stride <= span // no window begins past the edge
		high[i] += stride - 1
		out := dims(x)[2+i].Plus(shape.N(low[i] + high[i])).Minus(shape.N(span)).FloorDiv(stride).Plus(shape.N(1))
		if !whole {
			have := extent(x, int64(2+i))
			out = shape.N(min(out.Size, max((have+low[i]-1)/stride+1, 1)))
		}
		to = append(to, out)
	}
	return to
}

// each calls visit with all indices below these limits, in row-major order.
func each(limits []int64, visit func(at []int64)) {
	at := make([]int64, len(limits))
	for range product(limits) {
		visit(slices.Clone(at))
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < limits[i] {
				break
			}
			at[i] = 0
		}
	}
}
