package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// forest is decision trees as lists: a node is followed by one of two others. A leaf is
// followed by itself, and votes for targets.
type forest struct {
	nodes []branch
	roots []int64
	votes []vote
}

type branch struct {
	feature, yes, no int64
	split            float64
	mode             string // a direction of compare; "" of a leaf
	missing          bool   // whether NaN goes the way of yes
}

type vote struct {
	leaf, target int64
	weight       float64
}

// directions of the branches of ensembles, by number and by name.
var (
	branchNumbers = []string{op.LE, op.LT, op.GE, op.GT, op.EQ, op.NE, memberMode}
	branchNames   = map[string]string{
		"BRANCH_LEQ": op.LE, "BRANCH_LT": op.LT, "BRANCH_GTE": op.GE, "BRANCH_GT": op.GT, "BRANCH_EQ": op.EQ, "BRANCH_NEQ": op.NE, "LEAF": "",
	}
)

const memberMode = "MEMBER"

// floatList returns the numbers of an attribute: floats, or a tensor with or without the
// suffix _as_tensor.
func (n *node) floatList(name string) []float64 {
	for _, key := range []string{name, name + "_as_tensor"} {
		a, ok := n.Attributes[key]
		switch {
		case !ok:
			continue
		case a.Tensor != nil:
			return n.tensorList(a.Tensor)
		}
		list := make([]float64, len(a.Floats))
		for i, f := range a.Floats {
			list[i] = float64(f)
		}
		return list
	}
	return nil
}

// tensorList returns the elements of a tensor of floats or bytes.
func (n *node) tensorList(t *onnx.Tensor) []float64 {
	v, err := t.Value()
	if err != nil {
		panic(refusal{err})
	}
	var list []float64
	size := v.Type.DType.Bits() / 8
	for b := v.Bytes; size > 0 && len(b) >= size; b = b[size:] {
		list = append(list, elementOf(tensor.Value{Type: tensor.TypeOf(v.Type.DType), Bytes: b[:size]}))
	}
	return list
}

// newEnsemble reads a TreeEnsemble, whose leaves are a list of their own.
func (n *node) newEnsemble() *forest {
	ints := func(name string) []int64 { return n.Attributes[name].Ints }
	modes, splits, features := n.floatList("nodes_modes"), n.floatList("nodes_splits"), ints("nodes_featureids")
	missing, members := ints("nodes_missing_value_tracks_true"), n.floatList("membership_values")
	yes, no, yesLeaf, noLeaf := ints("nodes_truenodeids"), ints("nodes_falsenodeids"), ints("nodes_trueleafs"), ints("nodes_falseleafs")
	weights, targets := n.floatList("leaf_weights"), ints("leaf_targetids")
	count := len(modes)
	for _, l := range [][]int64{features, yes, no, yesLeaf, noLeaf} {
		if len(l) != count || len(splits) != count || len(weights) != len(targets) {
			n.refuse("an ensemble of trees whose lists have different lengths")
		}
	}
	f := &forest{}
	leaf := func(i int64) int64 { return int64(count) + i }
	to := func(i, isLeaf int64) int64 {
		if isLeaf != 0 {
			return leaf(i)
		}
		return i
	}
	var sets [][]float64 // of the nodes that look for membership
	for i := range count {
		if modes[i] < 0 || int(modes[i]) >= len(branchNumbers) {
			n.refuse("a tree with a node of mode %g", modes[i])
		}
		b := branch{features[i], to(yes[i], yesLeaf[i]), to(no[i], noLeaf[i]), splits[i], branchNumbers[int(modes[i])], i < len(missing) && missing[i] != 0}
		f.nodes = append(f.nodes, b)
		sets = append(sets, nil)
	}
	for i, w := range weights {
		f.nodes = append(f.nodes, branch{yes: leaf(int64(i)), no: leaf(int64(i))})
		f.votes = append(f.votes, vote{leaf(int64(i)), targets[i], w})
	}
	for i := range count {
		if f.nodes[i].mode != memberMode {
			continue
		}
		end := slices.IndexFunc(members, math.IsNaN)
		if end < 1 {
			n.refuse("a tree that looks for a member of no set")
		}
		sets[i], members = members[:end], members[end+1:]
		f.chain(int64(i), sets[i])
	}
	for _, r := range ints("tree_roots") {
		if r < 0 || r >= int64(count) {
			n.refuse("a tree whose root is no node")
		}
		f.roots = append(f.roots, to(r, 0))
	}
	return f
}

// chain makes a node that looks for members of a set to one node for each of them.
func (f *forest) chain(i int64, set []float64) {
	last := f.nodes[i].no
	for k, x := range set {
		b := f.nodes[i]
		b.mode, b.split, b.no = op.EQ, x, last
		if k < len(set)-1 {
			b.no = int64(len(f.nodes))
			f.nodes = append(f.nodes, f.nodes[i])
		}
		f.nodes[i] = b
		i = b.no
	}
}

// newForest reads the trees of a TreeEnsembleRegressor or TreeEnsembleClassifier, whose
// votes are named after targets or classes.
func (n *node) newForest(votes string) *forest {
	ints := func(name string) []int64 { return n.Attributes[name].Ints }
	ids, trees, modes, values := ints("nodes_nodeids"), ints("nodes_treeids"), n.Attributes["nodes_modes"].Strings, n.floatList("nodes_values")
	features, missing := ints("nodes_featureids"), ints("nodes_missing_value_tracks_true")
	yes, no := ints("nodes_truenodeids"), ints("nodes_falsenodeids")
	for _, l := range [][]int64{trees, features, yes, no} {
		if len(l) != len(ids) || len(modes) != len(ids) || len(values) != len(ids) {
			n.refuse("an ensemble of trees whose lists have different lengths")
		}
	}
	f, places := &forest{}, map[[2]int64]int64{}
	for i := range ids {
		places[[2]int64{trees[i], ids[i]}] = int64(i)
	}
	place := func(tree, id int64) int64 {
		i, ok := places[[2]int64{tree, id}]
		if !ok {
			n.refuse("tree %d has no node %d", tree, id)
		}
		return i
	}
	seen := map[int64]bool{}
	for i := range ids {
		mode, ok := branchNames[modes[i]]
		if !ok {
			n.refuse("a tree with a node of mode %q", modes[i])
		}
		b := branch{features[i], int64(i), int64(i), values[i], mode, i < len(missing) && missing[i] != 0}
		if mode != "" {
			b.yes, b.no = place(trees[i], yes[i]), place(trees[i], no[i])
		}
		f.nodes = append(f.nodes, b)
		if !seen[trees[i]] { // the root comes first
			seen[trees[i]] = true
			f.roots = append(f.roots, int64(i))
		}
	}
	targets, inTrees, leaves, weights := ints(votes+"_ids"), ints(votes+"_treeids"), ints(votes+"_nodeids"), n.floatList(votes+"_weights")
	if len(inTrees) != len(targets) || len(leaves) != len(targets) || len(weights) != len(targets) {
		n.refuse("votes of trees whose lists have different lengths")
	}
	for i, t := range targets {
		f.votes = append(f.votes, vote{place(inTrees[i], leaves[i]), t, weights[i]})
	}
	return f
}

// depth returns the number of branches on the longest way, and whether there is no circle.
func (f *forest) depth() (int, bool) {
	now, most := slices.Clone(f.roots), 0
	for ; most <= len(f.nodes); most++ {
		var next []int64
		seen := map[int64]bool{}
		for _, i := range now {
			for _, to := range []int64{f.nodes[i].yes, f.nodes[i].no} {
				if f.nodes[i].mode != "" && !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		if len(next) == 0 {
			return most, true
		}
		now = next
	}
	return 0, false
}

// mostVotes bounds the table of votes, of one row for each node.
const mostVotes = 1 << 24

// leavesOf returns the leaf [N, T] of each tree for each row of x [N, F]. All trees go
// down one branch at a time.
func (n *node) leavesOf(f *forest, x *dag.Value) *dag.Value {
	for _, b := range f.nodes {
		limit := int64(len(f.nodes))
		if b.yes < 0 || b.yes >= limit || b.no < 0 || b.no >= limit || b.mode != "" && (b.feature < 0 || b.feature >= extent(x, 1)) {
			n.refuse("a tree with a node or a feature that does not exist")
		}
	}
	depth, ok := f.depth()
	if !ok || len(f.roots) == 0 {
		n.refuse("trees in a circle, or none")
	}
	whole := func(of func(b branch) int64) *dag.Value {
		list := make([]int32, len(f.nodes))
		for i, b := range f.nodes {
			list[i] = int32(of(b))
		}
		return constantOf(n, list, int64(len(list)))
	}
	splits := make([]float64, len(f.nodes))
	modes, missing := map[string]bool{}, false
	for i, b := range f.nodes {
		splits[i] = b.split
		modes[b.mode] = true
		missing = missing || b.missing
	}
	delete(modes, "")
	split := n.reals(x.Type.DType, splits, int64(len(splits)))
	feature, yes, no := whole(func(b branch) int64 { return b.feature }), whole(func(b branch) int64 { return b.yes }), whole(func(b branch) int64 { return b.no })
	roots := make([]int32, len(f.roots))
	for i, r := range f.roots {
		roots[i] = int32(r)
	}
	at := constantOf(n, roots, 1, int64(len(roots)))
	at = n.binary("add", at, n.splatTo(dtype.I32, 0, dims(x)[0], dims(at)[1]))
	for range depth {
		have := n.add("take_along", op.Attrs{"dim": int64(1)}, x, n.rowsOf(feature, at))
		limit := n.rowsOf(split, at)
		var goes *dag.Value
		for _, mode := range branchNumbers {
			if !modes[mode] {
				continue
			}
			hit := n.compare(mode, have, limit)
			if len(modes) > 1 {
				of := n.rowsOf(whole(func(b branch) int64 { return flag(b.mode == mode) }), at)
				hit = n.binary("and", hit, n.compare(op.NE, of, n.splat(of, 0)))
			}
			if goes == nil {
				goes = hit
			} else {
				goes = n.binary("or", goes, hit)
			}
		}
		if missing {
			of := n.rowsOf(whole(func(b branch) int64 { return flag(b.missing) }), at)
			goes = n.binary("or", goes, n.binary("and", n.compare(op.NE, of, n.splat(of, 0)), n.compare(op.NE, have, have)))
		}
		at = n.choose(goes, n.rowsOf(yes, at), n.rowsOf(no, at))
	}
	return at
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func constantOf[T tensor.Element](n *node, list []T, sizes ...int64) *dag.Value {
	v, err := tensor.Of(list, sizes...)
	if err != nil {
		panic(refusal{err})
	}
	return n.constant(v)
}

// reals is a constant of floats of an element type.
func (n *node) reals(d dtype.DType, list []float64, sizes ...int64) *dag.Value {
	if d == dtype.F64 {
		return constantOf(n, list, sizes...)
	}
	narrow := make([]float32, len(list))
	for i, x := range list {
		narrow[i] = float32(x)
	}
	return n.convert(constantOf(n, narrow, sizes...), d)
}

// tally aggregates the votes of all trees for each target: [N, targets].
func (n *node) tally(f *forest, x *dag.Value, targets int64, aggregate string) *dag.Value {
	rows := int64(len(f.nodes))
	if targets < 1 || targets > mostVotes/rows {
		n.refuse("votes of %d nodes for %d targets", rows, targets)
	}
	none := map[string]float64{"MIN": math.Inf(1), "MAX": math.Inf(-1)}[aggregate]
	table := slices.Repeat([]float64{none}, int(rows*targets))
	for _, v := range f.votes {
		if v.target < 0 || v.target >= targets {
			n.refuse("a vote for target %d of %d", v.target, targets)
		}
		if i := v.leaf*targets + v.target; none == 0 {
			table[i] += v.weight
		} else {
			table[i] = v.weight
		}
	}
	votes := n.rowsOf(n.reals(x.Type.DType, table, rows, targets), n.leavesOf(f, x))
	along := op.Attrs{"dims": []int64{1}}
	switch aggregate {
	case "SUM":
		return n.add("reduce_sum", along, votes)
	case "AVERAGE":
		return n.over(n.add("reduce_sum", along, votes), float64(len(f.roots)))
	case "MIN":
		return n.add("reduce_min", along, votes)
	case "MAX":
		return n.add("reduce_max", along, votes)
	}
	n.refuse("votes aggregated by %q", aggregate)
	return nil
}
