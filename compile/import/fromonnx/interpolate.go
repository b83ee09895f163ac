package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// interpolated resizes x, linearly or cubically, with one matrix of weights per axis.
func (n *node) interpolated(x *dag.Value, axes []int64, to shape.Shape, scales []float64) *dag.Value {
	var roi []float64
	if n.has(1) && n.str("coordinate_transformation_mode", "") == "tf_crop_and_resize" {
		roi = n.floats(1)
		if len(roi) != 2*len(axes) {
			n.malformed("%s with %d numbers in its input 1, roi: it takes %d, a start and an end for each axis", n.Op, len(roi), 2*len(axes))
		}
	}
	beyond := n.float("extrapolation_value", 0)
	for i, a := range axes {
		in, out := extent(x, a), to[a].Size
		if in < 1 || out < 0 {
			n.refuse("%d elements that are resized to %d", in, out)
		}
		n.bounded(in+1, out)
		weights := make([]float64, out*in)
		outside := make([]float64, out)
		for o := range out {
			at := n.original(float64(o), float64(in), float64(out), scales[a])
			if roi != nil {
				start, end := roi[i], roi[len(axes)+i]
				at = (start + end) / 2 * float64(in-1)
				if out > 1 {
					at = (start + float64(o)*(end-start)/float64(out-1)) * float64(in-1)
				}
				if at < 0 || at > float64(in-1) {
					outside[o] = beyond
					continue
				}
			}
			n.weigh(weights[o*in:(o+1)*in], at, scales[a])
		}
		x = n.project(x, n.matrix(x.Type.DType, weights, out, in), a)
		if roi != nil {
			flat := make([]int64, rank(x))
			for d := range flat {
				flat[d] = 1
			}
			flat[a] = out
			x = n.binary("add", x, n.matrix(x.Type.DType, outside, flat...))
		}
	}
	return x
}

// original is the coordinate in the operand of element o of the result.
func (n *node) original(o, in, out, scale float64) float64 {
	switch n.str("coordinate_transformation_mode", "half_pixel") {
	case "align_corners":
		if in*scale == 1 {
			return 0
		}
		return o * (in - 1) / (in*scale - 1)
	case "asymmetric":
		return o / scale
	case "pytorch_half_pixel":
		if out == 1 {
			return 0
		}
	case "half_pixel_symmetric":
		return in/2*(1-out/(in*scale)) + (o+0.5)/scale - 0.5
	}
	return (o+0.5)/scale - 0.5
}

// weigh adds the weights of the elements around at; weights outside go to the edge, or to
// all others with exclude_outside.
// With antialias the filter is as wide as what one element of the result covers.
func (n *node) weigh(row []float64, at, scale float64) {
	reach, filter := 1.0, func(d float64) float64 { return max(1-d, 0) }
	if n.str("mode", "") == "cubic" {
		a := n.float("cubic_coeff_a", -0.75)
		reach, filter = 2, func(d float64) float64 {
			switch {
			case d <= 1:
				return ((a+2)*d-(a+3))*d*d + 1
			case d < 2:
				return ((a*d-5*a)*d+8*a)*d - 4*a
			}
			return 0
		}
	}
	narrow := 1.0
	if n.int("antialias", 0) == 1 {
		narrow = min(scale, 1)
	}
	sum := 0.0
	first, last := math.Floor(at-reach/narrow), math.Ceil(at+reach/narrow)
	if n.int("exclude_outside", 0) == 1 {
		first, last = max(first, 0), min(last, float64(len(row)-1))
	}
	for i := first; i <= last; i++ {
		sum += filter(math.Abs(i-at) * narrow)
	}
	for i := first; i <= last; i++ {
		edge := min(max(int(i), 0), len(row)-1)
		row[edge] += filter(math.Abs(i-at)*narrow) / sum
	}
}

// nearest resizes x by the elements that are nearest to coordinates, in f32 as ONNX Runtime
// computes them.
func (n *node) nearest(x *dag.Value, to shape.Shape, scales []float64, rounding string) *dag.Value {
	for a, size := range to {
		if scales[a] == 1 && size.Same(dims(x)[a]) {
			continue
		}
		x = n.along(x, int64(a), func(in int64) []int64 {
			if size.Size < 0 || in < 1 {
				n.refuse("%d elements that are resized to %s", in, size)
			}
			n.bounded(size.Size)
			list := make([]int64, size.Size)
			scale := float32(scales[a])
			offset := float32(in) / 2 * (1 - float32(len(list))/(scale*float32(in)))
			for o := range list {
				at := float64(offset + (float32(o)+0.5)/scale - 0.5)
				switch rounding {
				case "floor":
					at = math.Floor(at)
				case "ceil":
					at = math.Ceil(at)
				case "round_prefer_ceil":
					at = math.Floor(at + 0.5)
				default:
					at = math.Ceil(at - 0.5)
				}
				list[o] = min(max(int64(at), 0), in-1)
			}
			return list
		})
	}
	return x
}
