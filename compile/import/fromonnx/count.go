package fromonnx

import (
	"github.com/skainet-dev/skainet-go/errs"
	"math"

	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// most is the greatest number of elements that a rule counts or lists: 2 GiB of
// i64, which is the most that a file of ONNX can hold.
const most = 1 << 28

// bounded refuses a list of as many elements as the product of the counts, if they are
// too many to be listed. It comes before any work on the list.
func (n *node) bounded(counts ...int64) {
	product := int64(1)
	for _, c := range counts {
		if c > 0 && product > most/c {
			n.refuse("sizes of which a list would have more than 2^28 elements")
		}
		product *= c
	}
	if product > (n.limit-n.computed)/8 {
		n.tooMuch = errs.New(CodeMemory, "a list of %d elements takes more than what is left of %d bytes", product, n.limit).On(nameOf(n.Node)).Hint("allow more with --max-memory, or make the model's sizes smaller")
		panic(refusal{n.tooMuch})
	}
}

// whole returns the only element of input i, rounded towards zero if it is a float.
func (n *node) whole(i int) int64 {
	if n.in(i).Type.DType.IsFloat() {
		return int64(n.number(i))
	}
	return wholes(n.single(i))[0]
}

// depth returns input 1, a number of elements.
func (n *node) depth() shape.Dim {
	if list := n.session.numbers(n.in(1)); len(list) == 1 {
		if d, ok := list[0].floor().size(); ok {
			return d
		}
	}
	return shape.N(n.whole(1))
}

// count returns the number of elements of a range, which may have a name if the step is
// a number: (limit - start)/step, rounded up.
func (n *node) count() shape.Dim {
	var list []number
	for i := range 3 {
		of := n.session.numbers(n.in(i))
		if len(of) != 1 || !of[0].known {
			return shape.N(n.steps())
		}
		list = append(list, of[0])
	}
	start, limit, step := list[0], list[1], list[2]
	if !start.isNamed() && !limit.isNamed() {
		return shape.N(n.steps())
	}
	if count := limit.minus(start).dividedBy(step).ceil(); count.atLeast(0) {
		if d, ok := count.size(); ok {
			return d
		}
	}
	n.undecided(shape.Shape{start.d, limit.d}, "a range from %s to %s by steps of %s, which is empty in some calls", start, limit, step)
	return shape.Dim{}
}

// steps returns the number of elements of a range from input 0 to below input 1 by
// steps of input 2: max(ceil((limit - start) / step), 0). Of floats it is computed in
// f64, as ONNX Runtime does; integers are counted as integers.
func (n *node) steps() int64 {
	var count float64
	if n.in(0).Type.DType.IsInt() {
		count = stepsOfIntegers(n.whole(0), n.whole(1), n.whole(2))
	} else {
		count = math.Ceil((n.number(1) - n.number(0)) / n.number(2))
	}
	if math.IsNaN(count) || math.IsInf(count, 0) {
		n.refuse("a range whose number of elements is not finite")
	}
	if count > most {
		n.refuse("a range of more than 2^28 elements")
	}
	return int64(max(count, 0))
}

// stepsOfIntegers returns the number of elements of a range, exact up to 2^53. A step
// of zero takes infinitely many.
func stepsOfIntegers(start, limit, step int64) float64 {
	span, size := uint64(limit)-uint64(start), uint64(step)
	if step < 0 {
		start, limit = limit, start
		span, size = -span, -size
	}
	switch {
	case step == 0:
		return math.Inf(1)
	case limit <= start:
		return 0
	}
	return float64((span-1)/size + 1)
}
