package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var gridRules = map[string]rule{
	"AffineGrid": func(n *node) []*dag.Value {
		theta := n.in(0) // [N, r, r + 1]
		to, _ := n.ints("size", 1)
		if len(to) != rank(theta)+1 && len(to) != 5 || slices.Min(to) < 1 {
			n.malformed("AffineGrid of the sizes %v: they are those of [N, C, H, W] or [N, C, D, H, W]", to)
		}
		to = slices.Clone(to[2:])
		r := int64(len(to))
		var parts []*dag.Value
		for i := r - 1; i >= 0; i-- { // x comes first
			at := n.iota(theta.Type.DType, i, append(slices.Clone(to), 1)...)
			if n.int("align_corners", 0) == 1 {
				at = n.plus(n.scale(at, 2/float64(max(to[i]-1, 1))), -1)
			} else {
				at = n.plus(n.scale(at, 2/float64(to[i])), 1/float64(to[i])-1)
			}
			parts = append(parts, at)
		}
		parts = append(parts, n.splat(parts[0], 1))
		base := n.add("concatenate", op.Attrs{"dim": r}, parts...) // [O..., r + 1]
		grid := n.add("dot_general", op.Attrs{"lhs_contracting": []int64{2}, "rhs_contracting": []int64{r}}, theta, base)
		back := []int64{0}
		for i := range r {
			back = append(back, 2+i)
		}
		return one(n.transpose(grid, append(back, 1)...))
	},
	"GridSample": func(n *node) []*dag.Value {
		x, grid := n.in(0), n.in(1) // [N, C, S...] and [N, O..., r]
		s, o := sizesFrom(x, 2), dims(grid)[:rank(grid)-1]
		if extent(grid, int64(rank(grid)-1)) != int64(len(s)) {
			n.malformed("GridSample of a tensor [%s] with coordinates [%s]: their last size is the number of dimensions, %d", dims(x), dims(grid), len(s))
		}
		at := make([]*dag.Value, len(s)) // [N, O...] for each spatial dimension
		for i := range s {
			c := int64(len(s) - 1 - i)
			at[i] = n.place(n.reshapeTo(n.window(grid, int64(len(o)), c, c+1, 1), o...), s[i])
		}
		return one(n.sampled(x, at))
	},
	"RoiAlign": func(n *node) []*dag.Value {
		ratio := n.int("sampling_ratio", 0)
		if ratio == 0 {
			n.refuse("regions whose number of samples depends on values")
		}
		x := n.takeAlong(n.in(0), n.in(2), 0) // one picture a region
		rois := n.scale(n.in(1), n.float("spatial_scale", 1))
		half := n.str("coordinate_transformation_mode", "half_pixel") == "half_pixel"
		thin := shape.N(1)
		high, wide := n.int("output_height", 1), n.int("output_width", 1)
		n.bounded(high, wide, ratio, ratio)
		out := shape.Shape{dims(rois)[0], shape.N(high * ratio), shape.N(wide * ratio)}
		var at []*dag.Value
		weight := n.splatTo(x.Type.DType, 1, out...)
		for i := range int64(2) {
			edge := func(c int64) *dag.Value { return n.reshapeTo(n.window(rois, 1, c, c+1, 1), out[0], thin, thin) }
			start, span := edge(1-i), n.binary("subtract", edge(3-i), edge(1-i))
			if half {
				start = n.plus(start, -0.5)
			} else {
				span = n.binary("maximum", span, n.splat(span, 1))
			}
			step := n.plus(n.iotaTo(x.Type.DType, i+1, out...), 0.5)
			place := n.binary("add", start, n.binary("multiply", n.scale(span, 1/float64(out[i+1].Size)), step))
			last := float64(extent(x, 2+i) - 1)
			seen := n.compare("EQ", place, n.between(place, -1, last+1))
			weight = n.binary("multiply", weight, n.convert(seen, x.Type.DType))
			at = append(at, n.between(place, 0, last))
		}
		samples := n.sampled
		if n.str("mode", "avg") == "max" {
			samples = n.greatestCorners
		}
		y := n.binary("multiply", samples(x, at), n.reshapeTo(weight, out[0], thin, out[1], out[2]))
		y = n.reshapeTo(y, out[0], dims(x)[1], shape.N(high), shape.N(ratio), shape.N(wide), shape.N(ratio))
		if n.str("mode", "avg") == "max" {
			return one(n.add("reduce_max", op.Attrs{"dims": []int64{3, 5}}, y))
		}
		return one(n.over(n.add("reduce_sum", op.Attrs{"dims": []int64{3, 5}}, y), float64(ratio*ratio)))
	},
	"DeformConv": func(n *node) []*dag.Value {
		x, k, offset := n.in(0), n.in(1), n.in(2)
		w := n.window2(x, sizes(k)[2:])
		groups, own := n.int("group", 1), n.int("offset_group", 1)
		s, o := sizes(x), sizes(offset)[2:]
		if own < 1 || own > s[1] {
			n.malformed("DeformConv with the attribute offset_group=%d, of %d channels", own, s[1])
		}
		taps, part := product(w.kernel), s[1]/own
		var columns []*dag.Value // [N, C, 1, L] of each tap
		tap := int64(0)
		each(w.kernel, func(which []int64) {
			var channels []*dag.Value
			for g := range own {
				var at []*dag.Value
				for i := range int64(2) {
					c := 2*(g*taps+tap) + i
					base := n.plus(n.scale(n.iota(x.Type.DType, i+1, s[0], o[0], o[1]), float64(w.strides[i])), float64(which[i]*w.dilation[i]-w.low[i]))
					at = append(at, n.binary("add", base, n.reshape(n.window(offset, 1, c, c+1, 1), s[0], o[0], o[1])))
				}
				y := n.sampled(n.window(x, 1, g*part, (g+1)*part, 1), at)
				if n.has(4) {
					y = n.binary("multiply", y, n.window(n.in(4), 1, g*taps+tap, g*taps+tap+1, 1))
				}
				channels = append(channels, y)
			}
			column := n.add("concatenate", op.Attrs{"dim": int64(1)}, channels...)
			columns = append(columns, n.reshape(column, s[0], s[1], 1, product(o)))
			tap++
		})
		// A convolution whose window covers all taps of a position.
		y := n.reshape(n.add("concatenate", op.Attrs{"dim": int64(2)}, columns...), s[0], s[1]*taps, product(o))
		kernel := n.reshape(k, sizes(k)[0], sizes(k)[1]*taps, 1)
		y = n.add("convolution", op.Attrs{"groups": groups}, y, kernel)
		return one(n.bias(n.reshape(y, s[0], sizes(k)[0], o[0], o[1]), 3))
	},
}

// sampled interpolates x [N, C, S...] at coordinates [N, O...], one for each spatial
// dimension: [N, C, O...].
func (n *node) sampled(x *dag.Value, at []*dag.Value) *dag.Value {
	s, o, channels := sizesFrom(x, 2), dims(at[0]), dims(x)[1]
	back := append([]int64{0}, all(x)[2:]...)
	rows := n.reshapeTo(n.transpose(x, append(back, 1)...), o[0].Times(shape.N(product(s))), channels)
	r := len(s)
	place := n.iotaTo(dtype.I64, 0, o...) // [taps..., N, O...], a dimension of taps for each spatial one
	weight := n.splatTo(dtype.F32, 1, o...)
	for i := range r {
		var places, weights []*dag.Value
		tapped := slices.Concat(slices.Repeat(shape.Shape{shape.N(1)}, r), o)
		for _, tap := range n.taps() {
			p, w := n.inside(n.plus(n.base(at[i]), tap), s[i])
			places = append(places, n.reshapeTo(n.convert(p, dtype.I64), tapped...))
			weights = append(weights, n.reshapeTo(n.binary("multiply", w, n.weight(at[i], tap)), tapped...))
		}
		join := func(v []*dag.Value) *dag.Value { return n.add("concatenate", op.Attrs{"dim": int64(i)}, v...) }
		place = n.binary("add", n.scale(place, float64(s[i])), join(places))
		weight = n.binary("multiply", weight, join(weights))
	}
	values := n.add("take", nil, rows, place) // [taps..., N, O..., C]
	values = n.binary("multiply", values, n.reshapeTo(weight, append(slices.Clone(dims(weight)), shape.N(1))...))
	sum := n.add("reduce_sum", op.Attrs{"dims": all(values)[:r]}, values)
	return n.transpose(sum, append([]int64{0, int64(len(o))}, all(sum)[1:len(o)]...)...)
}

// greatestCorners is the greatest of the four weighted elements round each coordinate of x
// [N, C, H, W], in place of their sum.
func (n *node) greatestCorners(x *dag.Value, at []*dag.Value) *dag.Value {
	s, o := dims(x), dims(at[0])
	rows := n.reshapeTo(n.transpose(x, 0, 2, 3, 1), s[0].Times(s[2]).Times(s[3]), s[1])
	var best *dag.Value
	each([]int64{2, 2}, func(tap []int64) {
		place, weight := n.iotaTo(dtype.I64, 0, o...), n.splat(at[0], 1)
		for i, a := range at {
			low := n.add("floor", nil, a)
			away := n.binary("subtract", a, low)
			if tap[i] == 0 {
				away = n.plus(n.scale(away, -1), 1)
			}
			weight = n.binary("multiply", weight, away)
			size := extent(x, int64(2+i))
			corner := n.between(n.plus(low, float64(tap[i])), 0, float64(size-1))
			place = n.binary("add", n.scale(place, float64(size)), n.convert(corner, dtype.I64))
		}
		v := n.rowsOf(rows, place) // [N, OH, OW, C]
		v = n.binary("multiply", v, n.reshapeTo(weight, append(slices.Clone(o), shape.N(1))...))
		if best == nil {
			best = v
		} else {
			best = n.binary("maximum", best, v)
		}
	})
	return n.transpose(best, 0, 3, 1, 2)
}

// place maps coordinates in [-1, 1] to elements of a dimension.
func (n *node) place(g *dag.Value, size int64) *dag.Value {
	low, high := -0.5, float64(size)-0.5
	if n.int("align_corners", 0) == 1 {
		low, high = 0, float64(size-1)
	}
	g = n.plus(n.scale(n.plus(g, 1), (high-low)/2), low)
	switch mode := n.str("padding_mode", "zeros"); {
	case mode == "border" && len(n.taps()) < 4: // a cubic's taps are at the border, each by itself
		return n.between(g, 0, float64(size-1))
	case mode == "reflection":
		return n.reflected(g, low, high)
	}
	return g
}

func (n *node) between(x *dag.Value, low, high float64) *dag.Value {
	return n.binary("minimum", n.binary("maximum", x, n.splat(x, low)), n.splat(x, high))
}

// reflected reflects x into [low, high].
func (n *node) reflected(x *dag.Value, low, high float64) *dag.Value {
	width := high - low
	if width == 0 {
		return n.splat(x, low)
	}
	away := n.add("abs", nil, n.plus(x, -low))
	turns := n.binary("remainder", away, n.splat(away, 2*width))
	return n.plus(n.binary("minimum", turns, n.plus(n.scale(turns, -1), 2*width)), low)
}

// taps are the offsets of the elements that an interpolation reads.
func (n *node) taps() []float64 {
	switch n.str("mode", "linear") {
	case "nearest":
		return []float64{0}
	case "cubic", "bicubic":
		return []float64{-1, 0, 1, 2}
	}
	return []float64{0, 1}
}

// base is the element to which the taps are relative.
func (n *node) base(at *dag.Value) *dag.Value {
	if len(n.taps()) == 1 {
		return n.add("round", nil, at)
	}
	return n.add("floor", nil, at)
}

// weight of a tap: 1, linear, or cubic after Keys with -0.75.
func (n *node) weight(at *dag.Value, tap float64) *dag.Value {
	if len(n.taps()) == 1 {
		return n.splat(at, 1)
	}
	away := n.add("abs", nil, n.plus(n.binary("subtract", at, n.base(at)), -tap))
	if len(n.taps()) == 2 {
		return n.plus(n.scale(away, -1), 1)
	}
	const a = -0.75
	horner := func(c ...float64) *dag.Value {
		y := n.splat(away, c[0])
		for _, x := range c[1:] {
			y = n.plus(n.binary("multiply", y, away), x)
		}
		return y
	}
	if tap == 0 || tap == 1 {
		return horner(a+2, -(a + 3), 0, 1)
	}
	return horner(a, -5*a, 8*a, -4*a)
}

// inside maps elements outside back by the padding mode; with zeros their weight
// is zero.
func (n *node) inside(at *dag.Value, size int64) (place, weight *dag.Value) {
	last := float64(size - 1)
	bounded := n.between(at, 0, last)
	switch n.str("padding_mode", "zeros") {
	case "border":
		return bounded, n.splat(at, 1)
	case "reflection":
		low, high := -0.5, last+0.5
		if n.int("align_corners", 0) == 1 {
			low, high = 0, last
		}
		return n.between(n.add("round", nil, n.reflected(at, low, high)), 0, last), n.splat(at, 1)
	}
	return bounded, n.convert(n.compare("EQ", at, bounded), at.Type.DType)
}
