package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// beyond is the least of the bounds that exporters write for the end of a dimension.
const beyond = 1_000_000_000

// sliced takes the elements from first to before last of dimension a, by step. Negative
// bounds count from the end, and bounds outside the dimension are its ends.
func (n *node) sliced(x *dag.Value, a int64, first, last number, step int64) *dag.Value {
	size := sizeOf(dims(x)[a])
	if step < 0 { // those of the reversed dimension, from its start
		mirrored := func(b number) number {
			c, number := b.constant()
			switch {
			case number && c >= beyond:
				return integer(0)
			case number && c <= -beyond:
				return size
			case b.atLeast(0):
				return size.minus(integer(1)).minus(b)
			}
			return b.times(integer(-1)).minus(integer(1))
		}
		return n.sliced(n.reverse(x, a), a, higher(lower(mirrored(first), size.minus(integer(1))), integer(0)), within(mirrored(last), size), -max(step, -math.MaxInt32))
	}
	from, to := fromStart(first, size), fromStart(last, size)
	low := within(from, size)
	if s, ok := to.size(); ok && to.isNamed() && !to.notBelow(size) && !size.notBelow(to) && !size.isNamed() && step == 1 {
		if !low.known && from.isNamed() && from.atLeast(0) {
			low = from
		}
		return n.prefix(x, a, low, s, to)
	}
	high := within(to, size)
	if !low.known || !high.known {
		n.undecided(shape.Shape{dims(x)[a]}, "the part from %s to %s of a dimension of %s elements, which is another part if it has fewer", first, last, dims(x)[a])
	}
	if !high.notBelow(low) {
		if !low.notBelow(high) {
			n.undecided(shape.Shape{dims(x)[a]}, "the part from %s to %s of a dimension of %s elements, which is empty in some calls", low, high, dims(x)[a])
		}
		high = low
	}
	start, _ := low.size()
	limit, _ := high.size()
	if c, number := size.constant(); number {
		step = min(step, c+1)
	}
	return n.windowTo(x, a, start, limit, step)
}

// fromStart returns a bound that is counted from the start; unknown if its sign depends on
// the call.
func fromStart(b, size number) number {
	c, number := b.constant()
	switch {
	case number && c >= beyond:
		return size
	case number && c <= -beyond:
		return integer(0)
	case b.atLeast(0):
		return b
	case integer(-1).notBelow(b):
		return b.plus(size)
	}
	return unknown
}

// within returns a bound within 0 and size; unknown if the call decides which it is.
func within(b, size number) number { return lower(higher(b, integer(0)), size) }

var unknown number

// prefix takes the elements from low, which may be a named size too, to before a named size of
// a dimension of fewer or more elements than that may be: of positions, or of GPT-2's causal
// mask. A call whose size is greater than the dimension gets its last element again: ONNX has
// no such call, since the sizes then do not fit.
func (n *node) prefix(x *dag.Value, a int64, low number, to shape.Dim, limit number) *dag.Value {
	count, ok := limit.minus(low).size()
	start, fixed := low.constant()
	first, named := low.size()
	if !ok || !fixed && !(named && count.AtLeast(0)) {
		n.undecided(shape.Shape{to}, "the part from %s to %s of a dimension of %s elements", low, limit, dims(x)[a])
	}
	at := n.iotaTo(dtype.I64, 0, count)
	if !fixed { // as many as a list of that many elements has
		at = n.binary("add", at, n.sizeValue(dtype.I64, n.splatTo(dtype.U8, 0, first), 0))
	} else if start > 0 {
		at = n.plus(at, float64(start))
	}
	return n.takeAlong(x, at, a)
}

// counted returns indices into dimension a of x as i64, negative ones counted from the end.
func (n *node) counted(at, x *dag.Value, a int64) *dag.Value {
	list := n.session.numbers(at)
	positive := list != nil
	for _, i := range list {
		positive = positive && i.atLeast(0)
		n.within(i, dims(x)[a])
	}
	at = n.convert(at, dtype.I64)
	if positive {
		return at
	}
	return n.choose(n.compare("LT", at, n.splat(at, 0)), n.binary("add", at, n.sizeValue(dtype.I64, x, a)), at)
}

// within refuses an index that is known to lie outside a dimension.
func (n *node) within(i number, size shape.Dim) {
	if at, ok := i.constant(); ok && size.IsStatic() && (at < -size.Size || at >= size.Size) {
		n.refuse("the index %d into %d elements", at, size.Size)
	}
}
