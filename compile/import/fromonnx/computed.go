package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// computed are the operations on numbers, element by element. A result that the element
// type does not hold exactly is unknown.
var computed = map[id.ID]func(n *dag.Node, in []number) number{
	id.Add:      held(func(x, y number) number { return x.plus(y) }),
	id.Subtract: held(func(x, y number) number { return x.minus(y) }),
	id.Multiply: held(func(x, y number) number { return x.times(y) }),
	id.Divide: func(n *dag.Node, in []number) number {
		q := in[0].dividedBy(in[1])
		if n.Outputs[0].Type.DType.IsInt() { // rounds towards zero
			switch {
			case q.atLeast(0):
				q = q.floor()
			case q.times(integer(-1)).atLeast(0):
				q = q.ceil()
			default:
				return number{}
			}
		}
		return fitting(n, q)
	},
	id.Remainder: func(n *dag.Node, in []number) number {
		q := in[0].dividedBy(in[1])
		if !in[0].atLeast(0) || !in[1].atLeast(1) {
			return number{}
		}
		return fitting(n, in[0].minus(q.floor().times(in[1])))
	},
	id.Modulo: func(n *dag.Node, in []number) number {
		return fitting(n, in[0].minus(in[0].dividedBy(in[1]).floor().times(in[1])))
	},
	id.Negate: func(n *dag.Node, in []number) number { return fitting(n, in[0].times(integer(-1))) },
	id.Abs: func(n *dag.Node, in []number) number {
		switch {
		case in[0].atLeast(0):
			return in[0]
		case in[0].times(integer(-1)).atLeast(0):
			return fitting(n, in[0].times(integer(-1)))
		}
		return number{}
	},
	id.Floor:   func(_ *dag.Node, in []number) number { return in[0].floor() },
	id.Ceil:    func(_ *dag.Node, in []number) number { return in[0].ceil() },
	id.Minimum: func(_ *dag.Node, in []number) number { return lower(in[0], in[1]) },
	id.Maximum: func(_ *dag.Node, in []number) number { return higher(in[0], in[1]) },
	id.Convert: func(n *dag.Node, in []number) number {
		x := in[0]
		if n.Outputs[0].Type.DType.IsInt() && x.known && x.over != 1 { // rounds towards zero
			switch {
			case x.atLeast(0):
				x = x.floor()
			case x.times(integer(-1)).atLeast(0):
				x = x.ceil()
			default:
				return number{}
			}
		}
		return fitting(n, x)
	},
	id.Compare: func(n *dag.Node, in []number) number {
		direction := n.Attrs.String("direction")
		order, ok := in[0].order(in[1])
		switch {
		case ok:
			return truth(holds(direction, order))
		case (direction == op.GE || direction == op.LT) && in[0].notBelow(in[1]):
			return truth(direction == op.GE)
		case (direction == op.LE || direction == op.GT) && in[1].notBelow(in[0]):
			return truth(direction == op.LE)
		}
		return number{}
	},
	id.Select: func(_ *dag.Node, in []number) number {
		c, ok := in[0].constant()
		switch {
		case ok && c != 0:
			return in[1]
		case ok:
			return in[2]
		}
		return number{}
	},
	id.And: logic(0, func(x, y int64) int64 { return x & y }),
	id.Or:  logic(1, func(x, y int64) int64 { return x | y }),
	id.Not: func(n *dag.Node, in []number) number {
		if c, ok := in[0].constant(); ok && n.Outputs[0].Type.DType == dtype.Bool {
			return truth(c == 0)
		}
		return number{}
	},
}

func held(f func(x, y number) number) func(n *dag.Node, in []number) number {
	return func(n *dag.Node, in []number) number { return fitting(n, f(in[0], in[1])) }
}

// fitting returns x if the element type of n's result holds it exactly. Of a fraction of
// a name it is not known; what is rounded down next is right up to 2^24.
func fitting(n *dag.Node, x number) number {
	d := n.Outputs[0].Type.DType
	limit := int64(math.MaxInt64)
	switch {
	case !x.known:
		return number{}
	case !x.isNamed() && x.over&(x.over-1) != 0: // rounded: the backend's business
		return number{}
	case d == dtype.Bool:
		if c, ok := x.constant(); ok && (c == 0 || c == 1) {
			return x
		}
		return number{}
	case d == dtype.F32:
		limit = 1 << 24
	case d == dtype.F64:
		limit = 1 << 53
	case !d.IsInt():
		return number{}
	case d.Bits() < 64 && d.IsSigned():
		limit = 1<<(d.Bits()-1) - 1
	case d.Bits() < 64:
		limit = 1<<d.Bits() - 1
	}
	if !x.isNamed() && (x.n > limit || x.n < -limit || x.n < 0 && d.IsInt() && !d.IsSigned()) {
		return number{}
	}
	return x
}

func truth(b bool) number {
	if b {
		return integer(1)
	}
	return integer(0)
}

// holds reports whether a comparison is true for numbers of this order.
func holds(direction string, order int) bool {
	switch direction {
	case op.EQ:
		return order == 0
	case op.NE:
		return order != 0
	case op.LT:
		return order < 0
	case op.LE:
		return order <= 0
	case op.GT:
		return order > 0
	}
	return order >= 0
}

// lower returns the lower of two numbers where it is the same one in every call.
func lower(x, y number) number {
	switch {
	case y.notBelow(x):
		return x
	case x.notBelow(y):
		return y
	}
	return number{}
}

// higher returns the higher one.
func higher(x, y number) number {
	switch {
	case x.notBelow(y):
		return x
	case y.notBelow(x):
		return y
	}
	return number{}
}

// gathered are the reductions, from the result over nothing.
var gathered = map[id.ID]struct {
	of   int64
	with func(x, y number) number
}{
	id.ReduceSum: {0, number.plus}, id.ReduceProd: {1, number.times},
	id.ReduceMin: {math.MaxInt64, lower}, id.ReduceMax: {math.MinInt64, higher},
}

// reduced applies a reduction of gathered.
func reduced(n *dag.Node, in []number) []number {
	r, have := gathered[n.Op.ID], n.Inputs[0].Type.Shape
	over := map[int64]bool{}
	for _, d := range n.Attrs.Ints("dims") {
		over[d] = true
	}
	out := n.Outputs[0]
	count, _ := countOf(out)
	list, i := make([]number, count), 0
	for k := range list {
		list[k] = integer(r.of)
	}
	each(have.Sizes(), func(at []int64) {
		place := int64(0)
		for d, a := range at {
			if !over[int64(d)] {
				place = place*have[d].Size + a
			}
		}
		list[place] = fitting(n, r.with(list[place], in[i]))
		i++
	})
	return list
}

// logic is an operation on bools that an operand of one value decides.
func logic(decides int64, f func(x, y int64) int64) func(n *dag.Node, in []number) number {
	return func(n *dag.Node, in []number) number {
		x, ok := in[0].constant()
		y, also := in[1].constant()
		switch {
		case n.Outputs[0].Type.DType != dtype.Bool:
			return number{}
		case ok && also:
			return integer(f(x, y))
		case ok && x == decides || also && y == decides:
			return integer(decides)
		}
		return number{}
	}
}
