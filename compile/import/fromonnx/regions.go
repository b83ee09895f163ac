package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Pooling and crops of regions of pictures, of which a call may give any number.

func init() {
	rules["MaxRoiPool"] = (*node).greatestOfRegions
	rules["com.microsoft.CropAndResize"] = (*node).crops
}

// greatestOfRegions is the greatest element of each bin of regions [R, 5] of pictures: the
// picture's place, x1, y1, x2 and y2. A dimension is reduced after the other, a bin at a time.
func (n *node) greatestOfRegions() []*dag.Value {
	bins, ok := n.ints("pooled_shape", -1)
	if !ok || len(bins) != 2 || bins[0] < 1 || bins[1] < 1 {
		n.malformed("MaxRoiPool with pooled_shape=%d", bins)
	}
	rois := n.in(1)
	if extent(rois, 1) != 5 {
		n.malformed("MaxRoiPool of regions [%s]: each has five numbers", dims(rois))
	}
	column := func(i int64) *dag.Value { return n.reshapeTo(n.window(rois, 1, i, i+1, 1), dims(rois)[0]) }
	x := n.takeAlong(n.in(0), n.convert(column(0), dtype.I32), 0) // one picture a region
	scale, none := n.float("spatial_scale", 1), math.Inf(-1)
	for _, side := range []struct{ dim, low, high int64 }{{3, 1, 3}, {2, 2, 4}} {
		edge := func(i int64) *dag.Value { return n.halfAway(n.scale(column(i), scale)) }
		low := edge(side.low)
		size := n.plus(n.binary("subtract", edge(side.high), low), 1)
		size = n.binary("maximum", size, n.splat(size, 1))
		count := bins[side.dim-2]
		bin := n.over(size, float64(count))
		thin := []shape.Dim{dims(rois)[0], shape.N(1), shape.N(1), shape.N(1)}
		place := []shape.Dim{shape.N(1), shape.N(1), shape.N(1), shape.N(1)}
		place[side.dim] = dims(x)[side.dim]
		at := n.iotaTo(x.Type.DType, side.dim, place...)
		var parts []*dag.Value
		for i := range count {
			from := n.binary("add", n.add("floor", nil, n.scale(bin, float64(i))), low)
			to := n.binary("add", n.add("ceil", nil, n.scale(bin, float64(i+1))), low)
			in := n.binary("and", n.compare(op.GE, at, n.reshapeTo(from, thin...)), n.compare(op.LT, at, n.reshapeTo(to, thin...)))
			seen := n.choose(in, x, n.splatOf(x.Type.DType, none))
			parts = append(parts, n.add("reduce_max", op.Attrs{"dims": []int64{side.dim}, "keepdims": true}, seen))
		}
		x = n.add("concatenate", op.Attrs{"dim": side.dim}, parts...)
	}
	return one(n.choose(n.compare(op.EQ, x, n.splat(x, none)), n.splat(x, 0), x)) // a bin may be empty
}

// halfAway rounds to the nearest integer, halves away from zero.
func (n *node) halfAway(x *dag.Value) *dag.Value {
	return n.binary("multiply", n.add("sign", nil, x), n.add("floor", nil, n.plus(n.add("abs", nil, x), 0.5)))
}

// crops cuts boxes [R, 4] out of pictures, y1, x1, y2 and x2 from 0 to 1, and resizes them to
// one size.
func (n *node) crops() []*dag.Value {
	to, ok := n.ints("", 3)
	if !ok || len(to) != 2 || to[0] < 1 || to[1] < 1 {
		n.malformed("CropAndResize to the sizes %d", to)
	}
	boxes := n.in(1)
	if extent(boxes, 1) != 4 {
		n.malformed("CropAndResize of boxes [%s]: each has four numbers", dims(boxes))
	}
	n.bounded(to...)
	x := n.takeAlong(n.in(0), n.in(2), 0) // one picture a box
	thin := shape.N(1)
	out := shape.Shape{dims(boxes)[0], shape.N(to[0]), shape.N(to[1])}
	seen := n.compare(op.EQ, n.iotaTo(dtype.I32, 0, out...), n.iotaTo(dtype.I32, 0, out...))
	var at []*dag.Value
	for i := range int64(2) {
		last := float64(extent(x, 2+i) - 1)
		edge := func(c int64) *dag.Value { return n.reshapeTo(n.window(boxes, 1, c, c+1, 1), out[0], thin, thin) }
		low, high := edge(i), edge(i+2)
		var place *dag.Value
		if to[i] == 1 {
			place = n.spreadTo(n.scale(n.binary("add", low, high), 0.5*last), out)
		} else {
			step := n.over(n.scale(n.binary("subtract", high, low), last), float64(to[i]-1))
			turn := n.iotaTo(x.Type.DType, i+1, out...)
			place = n.binary("add", n.scale(low, last), n.binary("multiply", turn, step))
			end := n.compare(op.EQ, turn, n.splat(turn, float64(to[i]-1)))
			place = n.choose(end, n.scale(high, last), place)
		}
		within := n.between(place, 0, last)
		seen = n.binary("and", seen, n.compare(op.EQ, place, within))
		if n.str("mode", "bilinear") == "nearest" {
			within = n.halfAway(within)
		}
		at = append(at, within)
	}
	y := n.sampled(x, at)
	outside := n.splatOf(y.Type.DType, n.float("extrapolation_value", 0))
	return one(n.choose(n.reshapeTo(seen, out[0], thin, out[1], out[2]), y, outside))
}
