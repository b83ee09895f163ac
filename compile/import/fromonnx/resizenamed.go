package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// blended resizes dimension a, whose size has a name, linearly by a scale: each element is
// a mean of the two around its coordinate. It returns nil for coordinates that depend on
// both sizes.
func (n *node) blended(x *dag.Value, a int, to shape.Dim, scale float64, coordinates string) *dag.Value {
	half := coordinates == "half_pixel" || coordinates == "pytorch_half_pixel" && to.AtLeast(2)
	if !half && coordinates != "asymmetric" || n.int("antialias", 0) == 1 || !(scale > 0) {
		return nil
	}
	d := x.Type.DType
	at := n.convert(n.iotaTo(dtype.I32, 0, to), dtype.F32)
	if half {
		at = n.plus(at, 0.5)
	}
	// A division is exact where the quotient is.
	if by := inverse(scale); by > 1 {
		at = n.scale(at, float64(by))
	} else {
		at = n.over(at, scale)
	}
	if half {
		at = n.plus(at, -0.5)
	}
	last := n.plus(n.sizeValue(dtype.F32, x, int64(a)), -1)
	at = n.binary("minimum", n.binary("maximum", at, n.splat(at, 0)), last)
	below := n.add("floor", nil, at)
	place := n.convert(below, dtype.I64)
	share := make(shape.Shape, rank(x))
	for i := range share {
		share[i] = shape.N(1)
	}
	share[a] = to
	more := n.reshapeTo(n.convert(n.binary("subtract", at, below), d), share...)
	low, high := n.takeAlong(x, place, int64(a)), n.takeAlong(x, n.plus(place, 1), int64(a)) // clamped to the last
	return n.binary("add", n.binary("multiply", low, n.binary("subtract", n.splat(more, 1), more)), n.binary("multiply", high, more))
}
