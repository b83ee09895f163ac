package passes

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A rule is one row of Simplify: for nodes of some operations, what may
// replace them, and why the result is the same in every case. Numbers are those
// of IEEE 754; no operation specifies which NaN a result is.
type rule struct {
	of    func(o *op.Op) bool
	why   string
	apply func(e *editor, n *dag.Node) []*dag.Value
}

// Simplify replaces computations by shorter ones with the same results,
// including signed zeros, infinities and NaN. So x + 0 stays for floats, since -0
// + 0 is 0, as do x*0 and x - x. The rules are a table.
func Simplify(g *dag.Graph) { fixpoint(g, simplify) }

var simplify = table(arithmeticRules, choiceRules)

// table returns a visit that tries the rules of a node's operation in order.
func table(lists ...[]rule) visit {
	byOp := make([][]rule, id.Count())
	for _, o := range op.BuiltIn() {
		for _, r := range slices.Concat(lists...) {
			if r.of(o) {
				byOp[o.ID] = append(byOp[o.ID], r)
			}
		}
	}
	return func(e *editor, n *dag.Node) []*dag.Value {
		if n.Op.Custom != nil {
			return nil // it states no law
		}
		for _, r := range byOp[n.Op.ID] {
			if with := r.apply(e, n); with != nil && with[0] != nil {
				return with
			}
		}
		return nil
	}
}

// on matches one operation.
func on(i op.ID) func(o *op.Op) bool { return func(o *op.Op) bool { return o.ID == i } }

// obeying matches operations with the given laws.
func obeying(a op.Algebra) func(o *op.Op) bool {
	return func(o *op.Op) bool { return o.Algebra&a == a }
}

var arithmeticRules = []rule{
	{on(id.Multiply), "x*1 = 1*x = x for every x; IEEE 754 products are exact here, also for zeros and infinities", func(e *editor, n *dag.Node) []*dag.Value {
		return besides(n, func(c float64) bool { return c == 1 })
	}},
	{on(id.Multiply), "of integers only: x*0 = 0. A float may be an infinity or NaN, or give -0", func(e *editor, n *dag.Node) []*dag.Value {
		if x := besides(n, isZero); x != nil && isInt(n) {
			return one(e.splat(n, 0))
		}
		return nil
	}},
	{on(id.Add), "x + -0 = x for every float, -0 included; x + 0 = x for integers only, since -0 + 0 = 0", func(e *editor, n *dag.Node) []*dag.Value {
		return besides(n, func(c float64) bool { return c == 0 && (isInt(n) || math.Signbit(c)) })
	}},
	{on(id.Subtract), "x - 0 = x for every float, -0 included; x - -0 is x + 0", func(e *editor, n *dag.Node) []*dag.Value {
		if c, ok := splatOf(n.Inputs[1]); ok && c == 0 && !math.Signbit(c) {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.Subtract), "of integers only: x - x = 0. A float may be an infinity or NaN", func(e *editor, n *dag.Node) []*dag.Value {
		if n.Inputs[0] == n.Inputs[1] && isInt(n) {
			return one(e.splat(n, 0))
		}
		return nil
	}},
	{on(id.Subtract), "x - (-y) = x + y: IEEE 754 defines the difference so; integers wrap the same way", func(e *editor, n *dag.Node) []*dag.Value {
		if y := made(n.Inputs[1], id.Negate); y != nil {
			return one(e.add("add", n.Origin, nil, n.Inputs[0], y.Inputs[0]))
		}
		return nil
	}},
	{on(id.Add), "x + (-y) = x - y, and (-y) + x = x - y since sums commute", func(e *editor, n *dag.Node) []*dag.Value {
		for i, v := range n.Inputs {
			if y := made(v, id.Negate); y != nil {
				return one(e.add("subtract", n.Origin, nil, n.Inputs[1-i], y.Inputs[0]))
			}
		}
		return nil
	}},
	{on(id.Divide), "x/1 = x for every x", func(e *editor, n *dag.Node) []*dag.Value {
		if c, ok := splatOf(n.Inputs[1]); ok && c == 1 {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.Divide), "x/2^k = x*2^-k where both powers are normal numbers of the type: the same real number, rounded once", func(e *editor, n *dag.Node) []*dag.Value {
		c, ok := splatOf(n.Inputs[1])
		if fraction, exponent := math.Frexp(c); !ok || math.Abs(fraction) != 0.5 || !normal(n.Outputs[0].Type.DType, exponent-1) {
			return nil
		}
		inverse := e.add("splat", n.Origin, op.Attrs{"type": n.Outputs[0].Type, "value": 1 / c})
		return one(e.add("multiply", n.Origin, nil, n.Inputs[0], inverse))
	}},
	{obeying(op.Involution), "the operation is its own inverse: it flips signs, or bits", func(e *editor, n *dag.Node) []*dag.Value {
		if inner := made(n.Inputs[0], n.Op.ID); inner != nil {
			return one(inner.Inputs[0])
		}
		return nil
	}},
	{obeying(op.Idempotent), "f(f(x)) = f(x)", func(e *editor, n *dag.Node) []*dag.Value {
		if made(n.Inputs[0], n.Op.ID) != nil {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{obeying(op.Integral), "a whole number is what each of these four makes of it", func(e *editor, n *dag.Node) []*dag.Value {
		if inner := n.Inputs[0].Node; inner != nil && inner.Op.Algebra&op.Integral != 0 {
			return one(n.Inputs[0])
		}
		return nil
	}},
	{on(id.Abs), "|-x| = |x|", func(e *editor, n *dag.Node) []*dag.Value {
		if inner := made(n.Inputs[0], id.Negate); inner != nil {
			return one(e.add("abs", n.Origin, nil, inner.Inputs[0]))
		}
		return nil
	}},
}

func isZero(c float64) bool { return c == 0 }

func isInt(n *dag.Node) bool { return n.Outputs[0].Type.DType.IsInt() }

// besides returns the operand of a commutative operation whose other operand is
// a splat of a value that ok accepts.
func besides(n *dag.Node, ok func(c float64) bool) []*dag.Value {
	for i, v := range n.Inputs {
		if c, is := splatOf(v); is && ok(c) {
			return one(n.Inputs[1-i])
		}
	}
	return nil
}

// splatOf returns the value of a splat. Integers that a float64 cannot represent
// are not splats (see Splat).
func splatOf(v *dag.Value) (float64, bool) {
	if n := made(v, id.Splat); n != nil {
		return n.Attrs.Float("value"), true
	}
	return 0, false
}

// normal reports whether 2^k and 2^-k are normal numbers of a float type.
func normal(d dtype.DType, k int) bool {
	least := map[dtype.DType]int{dtype.F16: -14, dtype.BF16: -126, dtype.F32: -126, dtype.F64: -1022}[d]
	return least != 0 && k >= least && -k >= least
}
