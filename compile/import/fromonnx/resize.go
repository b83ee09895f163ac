package fromonnx

import (
	"math"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var resizeRules = map[string]rule{
	"Upsample": func(n *node) []*dag.Value { // by scales of an attribute before version 9
		scales := n.Attributes["scales"].Floats
		list := make([]float64, len(scales))
		for i, s := range scales {
			list[i] = float64(s)
		}
		if n.has(1) {
			list = n.floats(1)
		}
		return one(n.resized(list, "asymmetric", "floor"))
	},
	"Resize": func(n *node) []*dag.Value {
		if n.opset < 11 {
			return one(n.resized(n.floats(1), "asymmetric", "floor"))
		}
		var scales []float64
		if !n.has(3) {
			scales = n.floats(2)
		}
		return one(n.resized(scales, n.str("coordinate_transformation_mode", "half_pixel"), n.str("nearest_mode", "round_prefer_floor")))
	},
}

// resized resizes input 0 by scales, or without them to the sizes of input 3.
func (n *node) resized(scales []float64, coordinates, rounding string) *dag.Value {
	x := n.in(0)
	axes, ok := n.ints("axes", -1)
	if !ok {
		axes = all(x)
	}
	axes = slices.Clone(axes)
	for i, a := range axes {
		axes[i] = n.axis(a, rank(x))
	}
	mode := n.str("mode", "nearest")
	if mode == "bilinear" { // of version 7
		mode = "linear"
	}
	r := resizing{node: n, to: slices.Clone(dims(x)), scales: slices.Repeat([]float64{1}, rank(x))}
	if scales == nil {
		r.bySizes(x, axes)
	} else {
		r.byScales(x, axes, scales)
	}
	// Whole factors of a size that has a name repeat elements.
	repeats := mode == "nearest" && (coordinates == "asymmetric" && rounding == "floor" || strings.HasSuffix(coordinates, "half_pixel") && strings.HasPrefix(rounding, "round_prefer"))
	for a, to := range r.to {
		if have := dims(x)[a]; !have.IsStatic() && !(r.scales[a] == 1 && to.Same(have)) {
			k := to.Over(have)
			switch {
			case repeats && k.IsStatic():
				x = n.stretched(x, a, k)
			case mode == "linear" && r.scales[a] > 0:
				y := n.blended(x, a, to, r.scales[a], coordinates)
				if y == nil {
					extent(x, int64(a))
				}
				x = y
			default:
				extent(x, int64(a))
			}
			r.scales[a] = 1
		}
	}
	// Modes that our operation lacks are products with a matrix of weights.
	odd := coordinates == "tf_crop_and_resize" || coordinates == "half_pixel_symmetric" || n.int("antialias", 0) == 1 || r.odd && coordinates == "align_corners"
	if odd && mode != "nearest" {
		return n.interpolated(x, axes, r.to, r.scales)
	}
	if coordinates == "half_pixel_symmetric" {
		return n.nearest(x, r.to, r.scales, rounding)
	}
	list, err := tensor.Of(r.scales, int64(len(r.scales)))
	if err != nil {
		panic(refusal{err})
	}
	return n.add("resize", op.Attrs{
		"sizes": r.to, "scales": list, "mode": mode, "coordinates": coordinates, "rounding": rounding,
		"coefficient": n.float("cubic_coeff_a", -0.75), "exclude_outside": n.int("exclude_outside", 0) == 1,
	}, x)
}

// stretched repeats each element of dimension a.
func (n *node) stretched(x *dag.Value, a int, times shape.Dim) *dag.Value {
	to := slices.Clone(dims(x))
	wide := slices.Insert(slices.Clone(to), a+1, times)
	places := append(all(x)[:a+1:a+1], all(x)[a+1:]...)
	for i := a + 1; i < len(places); i++ {
		places[i]++
	}
	to[a] = to[a].Times(times)
	return n.reshapeTo(n.add("broadcast_in_dim", op.Attrs{"sizes": wide, "dims": places}, x), to...)
}

// floats returns the elements of input i, of floats.
func (n *node) floats(i int) []float64 {
	v := n.value(n.in(i))
	count, err := v.Type.Shape.Elements()
	list := make([]float64, count)
	if err == nil {
		err = tensor.Float64s(v.Type.DType, list, v.Bytes)
	}
	if err != nil {
		panic(refusal{err})
	}
	return list
}

// resizing is the sizes of a result, and the scales of coordinates.
type resizing struct {
	*node
	to     shape.Shape
	scales []float64
	odd    bool // a size is not that which its scale gives
}

func (r *resizing) byScales(x *dag.Value, axes []int64, scales []float64) {
	if len(scales) != len(axes) {
		r.refuse("%d scales for %d dimensions", len(scales), len(axes))
	}
	for i, a := range axes {
		r.scales[a] = scales[i]
		have := dims(x)[a]
		if have.IsStatic() {
			size := float64(have.Size) * scales[i]
			if !(size >= 0) || size > most {
				r.malformed("Resize of %s elements by the scale %g", have, scales[i])
			}
			r.to[a] = shape.N(int64(math.Floor(size)))
			r.odd = r.odd || math.Abs(size-math.Round(size)) > 1e-3
			continue
		}
		size := sizeOf(have).times(fraction(scales[i])).floor()
		if by := inverse(scales[i]); by > 1 && have.DivisibleBy(by) {
			size = sizeOf(have.FloorDiv(by))
		}
		if d, ok := size.size(); ok {
			r.to[a] = d
		} else {
			extent(x, a)
		}
	}
}

// inverse returns the integer that a scale, rounded to f32, divides by, or 0.
func inverse(scale float64) int64 {
	if by := math.Round(1 / scale); scale > 0 && scale < 1 && math.Abs(by*scale-1) < 1e-6 {
		return int64(by)
	}
	return 0
}

// bySizes takes sizes and scales from input 3 and the policy.
func (r *resizing) bySizes(x *dag.Value, axes []int64) {
	wanted, _ := r.extents("", 3)
	if len(wanted) != len(axes) {
		r.refuse("%d sizes for %d dimensions", len(wanted), len(axes))
	}
	policy := r.str("keep_aspect_ratio_policy", "stretch")
	common := math.NaN()
	for i, a := range axes {
		have := dims(x)[a]
		if !have.IsStatic() && policy == "stretch" {
			r.to[a] = wanted[i]
			switch up, down := wanted[i].Over(have), have.Over(wanted[i]); {
			case up.IsStatic():
				r.scales[a] = float64(up.Size)
			case down.IsStatic():
				r.scales[a] = 1 / float64(down.Size)
			default:
				r.scales[a] = math.NaN() // another one in each call
			}
			continue
		}
		if !wanted[i].IsStatic() {
			r.undecided(wanted[i:i+1], "a dimension of %s elements resized to %s", have, wanted[i])
		}
		r.scales[a] = float64(wanted[i].Size) / float64(extent(x, a))
		switch {
		case math.IsNaN(common):
			common = r.scales[a]
		case policy == "not_larger":
			common = min(common, r.scales[a])
		default:
			common = max(common, r.scales[a])
		}
	}
	for i, a := range axes {
		if policy == "stretch" {
			r.to[a] = wanted[i]
			continue
		}
		r.scales[a] = common
		r.to[a] = shape.N(int64(math.Floor(common*float64(extent(x, a)) + 0.5)))
	}
}
