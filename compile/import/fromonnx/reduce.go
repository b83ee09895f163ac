package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var reduceRules = map[string]rule{
	"ReduceSum":  reduction(func(n *node, x *dag.Value, r reducer) *dag.Value { return r("reduce_sum", x) }),
	"ReduceProd": reduction(func(n *node, x *dag.Value, r reducer) *dag.Value { return r("reduce_prod", x) }),
	"ReduceMax":  reduction(extremum("reduce_max")),
	"ReduceMin":  reduction(extremum("reduce_min")),
	"ReduceMean": reduction(func(n *node, x *dag.Value, r reducer) *dag.Value {
		if x.Type.DType.IsInt() {
			return n.wholeMean(x, r)
		}
		if !dims(x).IsStatic() {
			return r("reduce_mean", x)
		}
		sum := r("reduce_sum", x)
		return n.scale(sum, elements(sum)/elements(x))
	}),
	"ReduceL1":        reduction(func(n *node, x *dag.Value, r reducer) *dag.Value { return r("reduce_sum", n.add("abs", nil, x)) }),
	"ReduceSumSquare": reduction(func(n *node, x *dag.Value, r reducer) *dag.Value { return r("reduce_sum", n.binary("multiply", x, x)) }),
	"ReduceL2": reduction(func(n *node, x *dag.Value, r reducer) *dag.Value {
		y := n.wide(x)
		return n.convert(n.add("sqrt", nil, r("reduce_sum", n.binary("multiply", y, y))), x.Type.DType)
	}),
	"ReduceLogSum": reduction(func(n *node, x *dag.Value, r reducer) *dag.Value {
		return n.convert(n.add("log", nil, n.wide(r("reduce_sum", x))), x.Type.DType)
	}),
	"ReduceLogSumExp": reduction(func(n *node, x *dag.Value, r reducer) *dag.Value {
		if x.Type.DType.IsInt() {
			return n.wholeLogSumExp(x, r)
		}
		if dims(x).Product().Size == 0 {
			return n.add("log", nil, r("reduce_sum", x)) // no risk of overflow
		}
		top := n.add("reduce_max", op.Attrs{"dims": all(x), "keepdims": true}, x)
		rest := r("reduce_sum", n.add("exp", nil, n.binary("subtract", x, top)))
		return n.binary("add", n.add("log", nil, rest), n.reshape(top))
	}),
	"ArgMax": arg("reduce_max"),
	"ArgMin": arg("reduce_min"),
	"Hardmax": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", -1), rank(x))
		at := n.position(x, a, "reduce_max", false)
		return one(n.convert(n.compare("EQ", n.iotaTo(dtype.I64, a, dims(x)...), at), x.Type.DType))
	},
}

func elements(v *dag.Value) float64 {
	n := 1.0
	for _, s := range sizes(v) {
		n *= float64(s)
	}
	return n
}

func all(v *dag.Value) []int64 {
	dims := []int64{}
	for i := range rank(v) {
		dims = append(dims, int64(i))
	}
	return dims
}

// reducer applies a reduction over the node's axes.
type reducer func(name string, x *dag.Value) *dag.Value

func reduction(body func(n *node, x *dag.Value, r reducer) *dag.Value) rule {
	return func(n *node) []*dag.Value {
		x := n.in(0)
		dims := n.reducedDims(x)
		keep := n.int("keepdims", 1) == 1
		return one(body(n, x, func(name string, x *dag.Value) *dag.Value {
			return n.add(name, op.Attrs{"dims": dims, "keepdims": keep}, x)
		}))
	}
}

// reducedDims returns the dimensions that a node reduces.
func (n *node) reducedDims(x *dag.Value) []int64 {
	axes, given := n.ints("axes", 1)
	if (!given || len(axes) == 0) && n.int("noop_with_empty_axes", 0) == 0 {
		return all(x)
	}
	list := []int64{}
	for _, a := range axes {
		list = append(list, n.axis(a, rank(x)))
	}
	return list
}

// wide returns integers as f64, and floats as they are.
func (n *node) wide(x *dag.Value) *dag.Value {
	if x.Type.DType.IsInt() {
		return n.convert(x, dtype.F64)
	}
	return x
}

// wholeMean divides the sums of integers by how many they are, towards zero.
func (n *node) wholeMean(x *dag.Value, r reducer) *dag.Value {
	d := x.Type.DType
	count := n.splatOf(d, 1)
	for _, a := range n.reducedDims(x) {
		count = n.binary("multiply", count, n.sizeValue(d, x, a))
	}
	return n.binary("divide", r("reduce_sum", x), n.binary("maximum", count, n.splatOf(d, 1)))
}

// wholeLogSumExp is the greatest of the integers x plus the logarithm of how often it is
// there: ONNX Runtime rounds each power of e in the sum, and the logarithm, towards zero.
func (n *node) wholeLogSumExp(x *dag.Value, r reducer) *dag.Value {
	d := x.Type.DType
	top := n.add("reduce_max", op.Attrs{"dims": n.reducedDims(x), "keepdims": true}, x)
	often := r("reduce_sum", n.convert(n.compare("EQ", x, top), d))
	return n.binary("add", n.convert(n.add("log", nil, n.convert(often, dtype.F64)), d), r("reduce_max", x))
}

// extremum reduces bools as numbers.
func extremum(name string) func(n *node, x *dag.Value, r reducer) *dag.Value {
	return func(n *node, x *dag.Value, r reducer) *dag.Value {
		if x.Type.DType != dtype.Bool {
			return r(name, x)
		}
		return n.cast(r(name, n.convert(x, dtype.I32)), dtype.Bool)
	}
}

func arg(name string) rule {
	return func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", 0), rank(x))
		y := n.position(x, a, name, n.int("select_last_index", 0) == 1)
		if n.int("keepdims", 1) == 0 {
			y = n.reshapeTo(y, slices.Delete(slices.Clone(dims(y)), int(a), int(a)+1)...)
		}
		return one(y)
	}
}

// position returns the first or last index of the extremum along a, keeping a.
func (n *node) position(x *dag.Value, a int64, name string, last bool) *dag.Value {
	if dims(x)[a].Size == 0 {
		n.refuse("the place of the extremum among no elements: axis %d of %s", a, x.Type)
	}
	attrs := op.Attrs{"dims": []int64{a}, "keepdims": true}
	hit := n.compare("EQ", x, n.add(name, attrs, x))
	at := n.iotaTo(dtype.I64, a, dims(x)...)
	if last {
		return n.add("reduce_max", attrs, n.choose(hit, at, n.splat(at, -1)))
	}
	return n.add("reduce_min", attrs, n.choose(hit, at, n.sizeValue(dtype.I64, x, a)))
}
