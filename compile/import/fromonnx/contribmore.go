package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Less common operators of ONNX Runtime and of ONNX's classic models.
var moreRules = map[string]rule{
	"GlobalLpPool": func(n *node) []*dag.Value {
		x, p := n.in(0), float64(n.int("p", 2))
		keep := op.Attrs{"dims": all(x)[2:], "keepdims": true}
		power := n.binary("power", n.add("abs", nil, x), n.splatOf(x.Type.DType, p))
		return one(n.binary("power", n.add("reduce_sum", keep, power), n.splatOf(x.Type.DType, 1/p)))
	},
	"com.microsoft.QLinearWhere": func(n *node) []*dag.Value {
		y := n.choose(n.in(0), n.dequantizedAt(1), n.dequantizedAt(4))
		return one(n.add("quantize_linear", nil, y, n.reshape(n.in(7)), n.reshape(n.in(8))))
	},
	"com.microsoft.QLinearReduceMean": func(n *node) []*dag.Value {
		axes, ok := n.ints("axes", -1)
		if !ok {
			axes = all(n.in(0))
		}
		places := []int64{}
		for _, a := range axes {
			places = append(places, n.axis(a, rank(n.in(0))))
		}
		mean := n.add("reduce_mean", op.Attrs{"dims": places, "keepdims": n.int("keepdims", 1) == 1}, n.dequantizedAt(0))
		return one(n.requantizedTo(mean, 3))
	},
	"com.microsoft.BiasDropout": func(n *node) []*dag.Value {
		if n.has(4) && n.number(4) != 0 && !(n.has(3) && n.number(3) == 0) {
			n.refuse(chance)
		}
		y := n.binary("add", n.in(0), n.in(1))
		if n.has(2) {
			y = n.binary("add", y, n.in(2))
		}
		return []*dag.Value{y, n.compare(op.EQ, n.splat(y, 0), n.splat(y, 0))}
	},
	"com.microsoft.MatMulInteger16": func(n *node) []*dag.Value {
		return one(n.matmul(n.convert(n.in(0), dtype.I32), n.convert(n.in(1), dtype.I32)))
	},
	"com.microsoft.UnfoldTensor":     (*node).unfolded,
	"com.microsoft.NGramRepeatBlock": (*node).withoutRepeats,
	"com.microsoft.MurmurHash3":      (*node).hashed,
	"com.microsoft.Inverse":          func(n *node) []*dag.Value { return one(n.inverse(n.in(0))) },
	"ai.onnx.ml.SVMClassifier":       (*node).supportClasses,
	"ai.onnx.ml.SVMRegressor":        (*node).supportVectors,
}

// mostRows bounds the size of matrices that are inverted row by row.
const mostRows = 32

// inverse inverts matrices [..., N, N] by Gauss and Jordan's elimination, with the greatest
// element of each column as its pivot.
func (n *node) inverse(x *dag.Value) *dag.Value {
	r := rank(x)
	if r < 2 || extent(x, int64(r-1)) != extent(x, int64(r-2)) || extent(x, int64(r-1)) > mostRows {
		n.refuse("the inverse of what is no square matrix of up to %d rows", mostRows)
	}
	size, d := extent(x, int64(r-1)), dims(x)
	batch := d[:r-2].Product()
	x = n.reshapeTo(x, batch, shape.N(size), shape.N(size))
	kind := x.Type.DType
	unit := n.convert(n.compare(op.EQ, n.iota(dtype.I32, 0, size, size), n.iota(dtype.I32, 1, size, size)), kind)
	a := n.add("concatenate", op.Attrs{"dim": int64(2)}, x, n.spreadTo(unit, dims(x))) // [B, N, 2 N]
	rows := n.iota(dtype.I64, 1, 1, size, 1)
	for k := range size {
		column := n.add("abs", nil, n.window(a, 2, k, k+1, 1))
		column = n.choose(n.compare(op.LT, rows, n.splatOf(dtype.I64, float64(k))), n.splat(column, -1), column)
		pivot := n.position(column, 1, "reduce_max", false) // [B, 1, 1]
		// Row k and that of the pivot change places.
		own := n.splatOf(dtype.I64, float64(k))
		from := n.choose(n.compare(op.EQ, rows, own), pivot, n.choose(n.compare(op.EQ, rows, pivot), own, rows))
		wide := append(shape.Shape{}, dims(a)...)
		a = n.add("take_along", op.Attrs{"dim": int64(1)}, a, n.spreadTo(from, wide))
		row := n.window(a, 1, k, k+1, 1)
		row = n.binary("divide", row, n.window(row, 2, k, k+1, 1))
		rest := n.binary("subtract", a, n.binary("multiply", n.window(a, 2, k, k+1, 1), row))
		a = n.choose(n.compare(op.EQ, rows, own), row, rest)
	}
	return n.reshapeTo(n.window(a, 2, size, 2*size, 1), d...)
}
