package fromonnx

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var resizeRules = map[string]rule{
	"Upsample": func(n *node) []*dag.Value {
		x, scales := n.in(0), n.floats(1)
		to := []int64{}
		for i, s := range sizes(x) {
			to = append(to, int64(math.Floor(float64(s)*scales[i])))
		}
		return one(n.add("resize", op.Attrs{
			"sizes": to, "scales": n.value(n.convert(n.in(1), dtype.F64)), "mode": n.str("mode", "nearest"), "coordinates": "asymmetric", "rounding": "floor",
		}, x))
	},
	"Resize": func(n *node) []*dag.Value {
		x := n.in(0)
		coordinates := n.str("coordinate_transformation_mode", "half_pixel")
		// Modes that our operation lacks are products with a matrix of weights.
		odd := coordinates == "tf_crop_and_resize" || coordinates == "half_pixel_symmetric" || n.int("antialias", 0) == 1
		axes, ok := n.ints("axes", -1)
		if !ok {
			axes = all(x)
		}
		to, scales := slices.Clone(sizes(x)), make([]float64, rank(x))
		for i := range scales {
			scales[i] = 1
		}
		if n.has(3) {
			n.bySizes(axes, to, scales)
		} else {
			v := n.value(n.in(2))
			for i, a := range axes {
				a = n.axis(a, rank(x))
				scales[a] = float64(math.Float32frombits(binary.LittleEndian.Uint32(v.Bytes[4*i:])))
				size := float64(to[a]) * scales[a]
				to[a] = int64(math.Floor(size))
				odd = odd || coordinates == "align_corners" && math.Abs(size-math.Round(size)) > 1e-3
			}
		}
		if odd && n.str("mode", "nearest") != "nearest" {
			return one(n.interpolated(x, axes, to, scales))
		}
		list, err := tensor.Of(scales, int64(len(scales)))
		if err != nil {
			panic(refusal{err})
		}
		return one(n.add("resize", op.Attrs{
			"sizes": to, "scales": list, "mode": n.str("mode", "nearest"), "coordinates": coordinates,
			"rounding": n.str("nearest_mode", "round_prefer_floor"), "coefficient": n.float("cubic_coeff_a", -0.75),
			"exclude_outside": n.int("exclude_outside", 0) == 1,
		}, x))
	},
}

// floats returns the f32 elements of input i.
func (n *node) floats(i int) []float64 {
	var list []float64
	for b := n.value(n.in(i)).Bytes; len(b) >= 4; b = b[4:] {
		list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	return list
}

// bySizes fills in sizes and scales from input 3 and the policy.
func (n *node) bySizes(axes, to []int64, scales []float64) {
	wanted := wholes(n.value(n.in(3)))
	policy := n.str("keep_aspect_ratio_policy", "stretch")
	common := math.NaN()
	for i, a := range axes {
		a = n.axis(a, len(to))
		scales[a] = float64(wanted[i]) / float64(to[a])
		switch {
		case math.IsNaN(common):
			common = scales[a]
		case policy == "not_larger":
			common = min(common, scales[a])
		default:
			common = max(common, scales[a])
		}
	}
	for i, a := range axes {
		a = n.axis(a, len(to))
		if policy == "stretch" {
			to[a] = wanted[i]
			continue
		}
		scales[a] = common
		to[a] = int64(math.Floor(common*float64(to[a]) + 0.5))
	}
}
