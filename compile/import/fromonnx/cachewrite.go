package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// written is TensorScatter: a cache [B, ..., T, ...] with steps [B, ..., S, ...] in it from a
// place on that each sequence has, or from the start. In a circular cache they go on at its
// start behind its end.
func (n *node) written() []*dag.Value {
	cache, steps := n.in(0), n.in(1)
	a := n.axis(n.int("axis", -2), rank(cache))
	if a == 0 {
		n.malformed("TensorScatter along the axis 0, which is that of the sequences")
	}
	thin := slices.Repeat(shape.Shape{shape.N(1)}, rank(cache))
	along := slices.Clone(thin)
	along[a] = dims(cache)[a]
	at := n.iotaTo(dtype.I64, a, along...)
	if n.has(2) {
		to := slices.Clone(thin)
		to[0] = dims(cache)[0]
		at = n.binary("subtract", at, n.reshapeTo(n.convert(n.in(2), dtype.I64), to...)) // which step is there
		if n.str("mode", "linear") == "circular" {
			at = n.choose(n.compare(op.LT, at, n.splat(at, 0)), n.binary("add", at, n.sizeValue(dtype.I64, cache, a)), at)
		}
	}
	count := n.sizeValue(dtype.I64, steps, a)
	is := n.binary("and", n.compare(op.GE, at, n.splat(at, 0)), n.compare(op.LT, at, count))
	from := n.binary("minimum", n.binary("maximum", at, n.splat(at, 0)), n.plus(count, -1))
	put := n.add("take_along", op.Attrs{"dim": a}, steps, n.spreadTo(from, dims(cache)))
	return one(n.choose(is, put, cache))
}
