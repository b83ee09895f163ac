package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// meanInOrder is an avg_pool whose sums are those of ONNX Runtime: of f32, from a window's
// first element to its last. Where a mean lies at the border between two of a quantized
// result's numbers, any other order gives the next one.
func (n *node) meanInOrder(x *dag.Value, attrs op.Attrs) *dag.Value {
	if !dims(x)[2:].IsStatic() {
		return n.add("avg_pool", attrs, x)
	}
	image := append(shape.Shape{shape.N(1), shape.N(1)}, dims(x)[2:]...)
	ones := n.splatTo(dtype.F32, 1, image...)
	share := n.add("avg_pool", attrs, ones) // of a window's divisor, its elements
	kernel, strides, dilation := attrs["kernel"].([]int64), attrs["strides"].([]int64), attrs["dilation"].([]int64)
	low, out := attrs["low"].([]int64), sizes(share)[2:]
	high := make([]int64, len(kernel))
	for i := range kernel {
		high[i] = max(0, (out[i]-1)*strides[i]+(kernel[i]-1)*dilation[i]+1-low[i]-image[2+i].Size)
	}
	sum := func(v *dag.Value) (total *dag.Value) {
		v = n.add("pad", op.Attrs{"low": append([]int64{0, 0}, low...), "high": append([]int64{0, 0}, high...)}, v, n.splatOf(v.Type.DType, 0))
		each(kernel, func(tap []int64) {
			part := v
			for i, t := range tap {
				first := t * dilation[i]
				part = n.window(part, int64(2+i), first, first+(out[i]-1)*strides[i]+1, strides[i])
			}
			if total == nil {
				total = part
			} else {
				total = n.binary("add", total, part)
			}
		})
		return total
	}
	if slices.Contains(kernel, 0) || slices.Contains(out, 0) {
		return n.add("avg_pool", attrs, x)
	}
	divisor := n.add("round", nil, n.binary("divide", sum(ones), share))
	return n.binary("divide", sum(x), divisor)
}
