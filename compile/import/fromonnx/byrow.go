package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// rowRule reports whether an operator computes each row that a mask chooses of that row
// alone. rows has for each input the dimension of the rows, or -1.
type rowRule func(n *node, rows []int, out []*dag.Value) bool

// rowRules has the operators that may, beside those that compute element by element. What
// is not here is refused.
var rowRules = map[string]rowRule{
	"Shape": always, "Size": always, "Range": always, "NonZero": always, "ConstantOfShape": always,
	"Expand": aligned, "Identity": aligned, "Gemm": leftRows, "MatMul": leftRows,
	"Softmax": alongOthers(-1), "LogSoftmax": alongOthers(-1), "Hardmax": alongOthers(-1), "ArgMax": alongOthers(0), "ArgMin": alongOthers(0),
	"Concat": alongOthers(0), "Split": alongOthers(0), "GatherElements": alongOthers(0), "LayerNormalization": beforeAxis, "RMSNormalization": beforeAxis,
	"ReduceSum": overOthers, "ReduceMean": overOthers, "ReduceMax": overOthers, "ReduceMin": overOthers, "ReduceProd": overOthers,
	"ReduceL1": overOthers, "ReduceL2": overOthers, "ReduceSumSquare": overOthers, "ReduceLogSum": overOthers, "ReduceLogSumExp": overOthers,
	"Reshape": inPlace, "Squeeze": inPlace, "Unsqueeze": inPlace, "Flatten": inPlace,
	"Slice": whole, "Pad": whole,
	"Transpose": always, // each row goes to one place
	"CumSum":    acrossRows, "CumProd": acrossRows,
	"Gather": func(n *node, rows []int, _ []*dag.Value) bool {
		if n.chooserAlong(n.in(1)) != nil {
			return rows[0] < 0
		}
		return rows[0] < 0 || rows[1] < 0 && int(n.axis(n.int("axis", 0), rank(n.in(0)))) != rows[0]
	},
	"GatherND": func(n *node, rows []int, _ []*dag.Value) bool { return rows[0] < 0 && n.chooser(n.in(1)) != nil },
	"ScatterND": func(n *node, rows []int, out []*dag.Value) bool {
		return rows[0] < 0 && n.choices.back[out[0]] || n.windowed(rows)
	},
}

// acrossRows reports whether what a node combines along an axis is in one row.
func acrossRows(n *node, rows []int, _ []*dag.Value) bool {
	return int(n.axis(n.whole(1), rank(n.in(0)))) != rows[0]
}

func init() {
	for _, family := range []map[string]rule{elementwiseRules, comparisonRules} {
		for name := range family {
			rowRules[name] = aligned
		}
	}
}

// counters are operators that count rows, or number them: right where only sizes follow.
// Nothing else may need the nodes that they add: see uncounted.
var counters = map[string]bool{"Shape": true, "Size": true, "Range": true}

// byRow refuses a node that mixes rows that a mask chooses. added are the nodes that it
// became. It returns the results; other sizes of what a mask chooses as constants.
func (n *node) byRow(name string, out []*dag.Value, added []*dag.Node) []*dag.Value {
	if n.choices == nil || len(n.choices.units) == 0 {
		return out
	}
	rows, any := n.rowsIn(name)
	for _, v := range out {
		any = v != nil && n.rowOf(v) >= 0 || any
	}
	for _, a := range added {
		switch {
		case !counters[name]:
		case a.Op.Role == op.Counts && n.rowOf(a.Outputs[0]) >= 0, a.Op.Role == op.Measures && n.choices.has(dims(a.Inputs[0])[a.Attrs.Int("dim")]):
			n.choices.counts[a] = n.at
		}
	}
	if (name == "If" || name == "Loop") && n.follows(n.in(0), map[*dag.Value]bool{}) {
		n.refuse("%s, which the number of elements that a mask chooses decides", n.Op)
	}
	if !any || name == "If" || name == "Loop" { // their nodes are seen one by one
		return n.settled(name, out)
	}
	if r := rowRules[name]; r == nil || !r(n, rows, out) {
		n.mixes()
	}
	return n.settled(name, out)
}

func (n *node) mixes() {
	n.refuse("%s of elements that a mask chooses, whose number follows from values: ours are computed one by one and put back by ScatterND of the same mask", n.Op)
}

// rowsIn returns for each input the dimension of the rows that a mask chooses, or -1. It
// refuses an operator that computes rows of no mask, and those of two masks together.
func (n *node) rowsIn(name string) (rows []int, any bool) {
	rows = make([]int, len(n.Inputs))
	var first shape.Dim
	for i := range n.Inputs {
		rows[i] = -1
		if n.choices == nil || len(n.choices.units) == 0 || !n.has(i) {
			continue
		}
		v := n.find(n.Inputs[i])
		if v == nil {
			continue
		}
		if rows[i] = n.rowOf(v); rows[i] < 0 {
			continue
		}
		if d := dims(v)[rows[i]]; !any {
			first, any = d, true
		} else if !d.Same(first) {
			n.refuse("%s of what two masks choose", n.Op)
		}
	}
	if any && rowRules[name] == nil && name != "If" && name != "Loop" {
		n.mixes()
	}
	return rows, any
}

// picks are operators whose results are some of their elements, or all.
var picks = map[string]bool{"Gather": true, "Slice": true, "Split": true, "Squeeze": true, "Unsqueeze": true, "Reshape": true}

// settled returns values with constants in place of numbers that were picked from others:
// they don't depend on those that were not.
func (n *node) settled(name string, out []*dag.Value) []*dag.Value {
	for i, v := range out {
		if !picks[name] || v == nil || v.Node == nil || v.Node.Op.Role == op.Literal || n.codes[v] != dtype.Invalid {
			continue
		}
		if x, ok := n.session.whole(v); ok {
			out[i] = n.constant(x)
		}
	}
	return out
}

// follows reports whether v is computed from the number of what a mask chooses.
func (n *node) follows(v *dag.Value, seen map[*dag.Value]bool) bool {
	if v == nil || v.Node == nil || seen[v] {
		return false
	}
	seen[v] = true
	return n.choices.counts[v.Node] != "" || slices.ContainsFunc(v.Node.Inputs, func(in *dag.Value) bool { return n.follows(in, seen) })
}

func always(*node, []int, []*dag.Value) bool { return true }

// aligned reports whether operands that broadcast have their rows in one dimension.
func aligned(n *node, rows []int, out []*dag.Value) bool {
	if out[0] == nil || n.rowOf(out[0]) < 0 {
		return false
	}
	end := rank(out[0]) - n.rowOf(out[0])
	for i, r := range rows {
		if r >= 0 && rank(n.in(i))-r != end {
			return false
		}
	}
	return true
}

// alongOthers is for operators along an axis, with its usual value.
func alongOthers(usual int64) rowRule {
	return func(n *node, rows []int, _ []*dag.Value) bool {
		first := slices.IndexFunc(rows, func(r int) bool { return r >= 0 })
		if first < 0 {
			return false
		}
		x := n.in(first)
		axis := int(n.axis(n.int("axis", usual), rank(x)))
		flat := n.opset < 13 && slices.Contains([]string{"Softmax", "LogSoftmax", "Hardmax"}, n.Op) // over all dimensions from the axis on
		if flat {
			axis = int(n.axis(n.int("axis", 1), rank(x)))
		}
		for i, r := range rows {
			if r >= 0 && (r != rows[first] || rank(n.in(i)) != rank(x)) || n.Op != "Split" && r < 0 && rank(n.in(i)) == rank(x) {
				return false
			}
		}
		return rows[first] != axis && !(flat && rows[first] > axis)
	}
}

// beforeAxis is for operators over all dimensions from an axis on.
func beforeAxis(n *node, rows []int, _ []*dag.Value) bool {
	return rows[0] >= 0 && rows[0] < int(n.axis(n.int("axis", -1), rank(n.in(0)))) && !slices.ContainsFunc(rows[1:], func(r int) bool { return r >= 0 })
}

// overOthers is for reductions.
func overOthers(n *node, rows []int, out []*dag.Value) bool {
	axes, given := n.ints("axes", 1)
	if !given || len(axes) == 0 {
		return n.int("noop_with_empty_axes", 0) == 1
	}
	return !slices.ContainsFunc(axes, func(a int64) bool { return int(n.axis(a, rank(n.in(0)))) == rows[0] })
}

// leftRows is for products with a matrix that has no rows of a mask.
func leftRows(n *node, rows []int, _ []*dag.Value) bool {
	others := slices.ContainsFunc(rows[1:], func(r int) bool { return r >= 0 })
	return rows[0] >= 0 && rows[0] != rank(n.in(0))-1 && !others && n.int("transA", 0) == 0 && rank(n.in(1)) <= 2
}

// inPlace reports whether the rows stay a dimension of their own, with as many elements
// before it.
func inPlace(n *node, rows []int, out []*dag.Value) bool {
	if rows[0] < 0 {
		return false
	}
	x, to := n.in(0), n.rowOf(out[0])
	return to >= 0 && dims(x)[rows[0]].Same(dims(out[0])[to]) && dims(x)[:rows[0]].Product().Same(dims(out[0])[:to].Product())
}

// whole reports whether all rows stay, in their places.
func whole(n *node, rows []int, out []*dag.Value) bool {
	if rows[0] < 0 || !dims(n.in(0))[rows[0]].Same(dims(out[0])[rows[0]]) {
		return false
	}
	return n.Op != "Pad" || !slices.ContainsFunc(n.padding(rows[0]), func(x number) bool { c, ok := x.constant(); return !ok || c != 0 })
}

// padding returns what a Pad adds before and after dimension a.
func (n *node) padding(a int) []number {
	pads, _ := n.numbers("pads", 1)
	axes := all(n.in(0))
	if n.has(3) {
		axes, _ = n.ints("axes", 3)
	}
	at := slices.IndexFunc(axes, func(x int64) bool { return int(n.axis(x, rank(n.in(0)))) == a })
	if at < 0 {
		return nil
	}
	return []number{pads[at], pads[at+len(axes)]}
}

// windowed reports whether a ScatterND writes a window of each row to that row.
func (n *node) windowed(rows []int) bool {
	x, updates := n.in(0), n.in(2)
	start := n.corner(x, n.in(1), updates)
	return start != nil && rows[0] >= 0 && start[rows[0]] == 0 && dims(x)[rows[0]].Same(dims(updates)[rows[0]]) && rows[2] == rows[0]
}
