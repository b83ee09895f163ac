package fromonnx

import (
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The first layer of BERT as one node: rows of three tables, their sum and its norm.

func init() {
	rules["com.microsoft.EmbedLayerNormalization"] = (*node).embedded
	rules["com.microsoft.QEmbedLayerNormalization"] = (*node).embeddedOfBytes
}

func (n *node) embedded() []*dag.Value {
	row := func(i int, at *dag.Value) *dag.Value { return n.rowsOf(n.in(i), at) }
	beta := n.splat(n.in(5), 0)
	if n.has(6) {
		beta = n.in(6)
	}
	var places *dag.Value
	if n.has(8) {
		places = n.in(8)
	}
	return n.sumOfRows(row, n.in(5), beta, places, 7)
}

// embeddedOfBytes takes tables, weights and bias as bytes, whose scales are inputs 8 to 12 and
// whose zero points are inputs 13 to 17, in their order.
func (n *node) embeddedOfBytes() []*dag.Value {
	real := func(v *dag.Value, i int) *dag.Value {
		zero := n.convert(n.unit(n.in(i+11)), dtype.F32)
		return n.binary("multiply", n.binary("subtract", n.convert(v, dtype.F32), zero), n.unit(n.in(i+6)))
	}
	row := func(i int, at *dag.Value) *dag.Value { return real(n.rowsOf(n.in(i), at), i) }
	return n.sumOfRows(row, real(n.in(5), 5), real(n.in(6), 6), nil, 7)
}

// sumOfRows adds rows of the tables that are inputs 2 to 4, of words, of places and of
// segments, and normalizes the sum. It also returns how many words a mask has, and the sum.
func (n *node) sumOfRows(row func(i int, at *dag.Value) *dag.Value, gamma, beta, places *dag.Value, mask int) []*dag.Value {
	ids := n.in(0) // [B, S]
	if places == nil {
		places = n.iotaTo(dtype.I32, 1, dims(ids)...)
	}
	sum := n.binary("add", row(2, ids), row(3, places))
	if n.has(1) && n.has(4) {
		sum = n.binary("add", sum, row(4, n.in(1)))
	}
	y := n.add("layer_norm", op.Attrs{"epsilon": n.float("epsilon", 1e-12)}, sum, gamma, beta)
	count := n.splatTo(dtype.I32, 0, dims(ids)[0])
	if n.has(mask) {
		count = n.add("reduce_sum", op.Attrs{"dims": []int64{1}}, n.convert(n.in(mask), dtype.I32))
	}
	return []*dag.Value{y, count, sum}
}
