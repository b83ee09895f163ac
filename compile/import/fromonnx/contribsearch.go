package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// What ONNX Runtime's exporters put round a model: windows of a dimension, scores without
// repeated words, and hashes of features.

// unfolded appends a dimension with the elements of each window of one of x.
func (n *node) unfolded() []*dag.Value {
	x := n.in(0)
	a, size, step := n.axis(n.int("dim", -1), rank(x)), n.int("size", 0), n.int("step", 1)
	if d := dims(x)[a]; size < 1 || step < 1 || !d.AtLeast(size) {
		n.malformed("UnfoldTensor of [%s] into windows of %d elements by steps of %d", dims(x), size, step)
	}
	n.bounded(size)
	to := []shape.Dim{dims(x)[a].Minus(shape.N(size)).FloorDiv(step).Plus(shape.N(1)), shape.N(size)}
	at := n.binary("add", n.scale(n.iotaTo(dtype.I64, 0, to...), float64(step)), n.iotaTo(dtype.I64, 1, to...))
	y := n.takeAlong(x, at, a) // the window's elements behind its place
	order := all(y)
	return one(n.transpose(y, append(slices.Delete(order, int(a)+1, int(a)+2), a+1)...))
}

// withoutRepeats hides the scores [B, V] of words that would end a run of words that the
// sequence [B, S] has already.
func (n *node) withoutRepeats() []*dag.Value {
	ids, scores, size := n.in(0), n.in(1), n.int("ngram_size", 0)
	length := dims(ids)[1]
	if size < 1 {
		n.malformed("NGramRepeatBlock with ngram_size=%d", size)
	}
	n.bounded(size)
	if length.AtMost(shape.N(size - 1)) {
		return one(scores)
	}
	if !length.AtLeast(size) {
		n.refuse("runs of %d words in a sequence of %s", size, length)
	}
	runs := length.Minus(shape.N(size - 1)) // that are complete
	from := func(i int64) *dag.Value { return n.windowTo(ids, 1, shape.N(i), runs.Plus(shape.N(i)), 1) }
	last := from(size - 1)
	again := n.compare(op.EQ, last, last)
	for i := range size - 1 {
		at := runs.Plus(shape.N(i))
		again = n.binary("and", again, n.compare(op.EQ, from(i), n.windowTo(ids, 1, at, at.Plus(shape.N(1)), 1)))
	}
	rows, words := dims(scores)[0], dims(scores)[1]
	word := n.iotaTo(ids.Type.DType, 2, shape.N(1), shape.N(1), words)
	tall := []shape.Dim{rows, runs, shape.N(1)}
	hidden := n.binary("and", n.compare(op.EQ, n.reshapeTo(last, tall...), word), n.reshapeTo(again, tall...))
	any := n.add("reduce_any", op.Attrs{"dims": []int64{1}}, hidden)
	return one(n.choose(any, n.splat(scores, math.Inf(-1)), scores))
}

// hashed is MurmurHash3_x86_32 (Appleby) of the bytes of each number.
func (n *node) hashed() []*dag.Value {
	x := n.in(0)
	var words []*dag.Value
	switch x.Type.DType.Bits() {
	case 32:
		words = one(n.add("bitcast", op.Attrs{"dtype": dtype.U32}, x))
	case 64:
		x = n.add("bitcast", op.Attrs{"dtype": dtype.U64}, x)
		low := n.binary("and", x, n.splatOf(dtype.U64, math.MaxUint32))
		words = []*dag.Value{n.convert(low, dtype.U32), n.convert(n.binary("shift_right", x, n.splatOf(dtype.U64, 32)), dtype.U32)}
	default:
		n.refuse("the hash of elements of %s", x.Type.DType)
	}
	splat := func(v uint32) *dag.Value { return n.splatOf(dtype.U32, float64(v)) }
	times := func(v *dag.Value, by uint32) *dag.Value { return n.binary("multiply", v, splat(by)) }
	turned := func(v *dag.Value, by uint32) *dag.Value {
		return n.binary("or", n.binary("shift_left", v, splat(by)), n.binary("shift_right", v, splat(32-by)))
	}
	h := n.splatTo(dtype.U32, float64(uint32(n.int("seed", 0))), dims(x)...)
	for _, w := range words {
		h = n.binary("xor", h, times(turned(times(w, 0xcc9e2d51), 15), 0x1b873593))
		h = n.binary("add", times(turned(h, 13), 5), splat(0xe6546b64))
	}
	h = n.binary("xor", h, splat(uint32(4*len(words))))
	for _, by := range []struct{ shift, factor uint32 }{{16, 0x85ebca6b}, {13, 0xc2b2ae35}, {16, 1}} {
		h = times(n.binary("xor", h, n.binary("shift_right", h, splat(by.shift))), by.factor)
	}
	if n.int("positive", 1) != 1 {
		h = n.add("bitcast", op.Attrs{"dtype": dtype.I32}, h)
	}
	return one(h)
}
