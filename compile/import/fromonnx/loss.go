package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var lossRules = map[string]rule{
	"NegativeLogLikelihoodLoss": func(n *node) []*dag.Value { return one(n.likelihood(n.in(0))) },
	"SoftmaxCrossEntropyLoss": func(n *node) []*dag.Value {
		p := n.add("log_softmax", op.Attrs{"dim": int64(1)}, n.in(0))
		return []*dag.Value{n.likelihood(p), p}
	},
}

// likelihood selects the class of input 1 from p [N, C, ...] with the weights of input
// 2; the mean divides by the sum of the weights.
func (n *node) likelihood(p *dag.Value) *dag.Value {
	target := n.convert(n.in(1), dtype.I64)
	wide := slices.Insert(slices.Clone(sizes(target)), 1, 1)
	hit := n.compare("EQ", n.iota(dtype.I64, 1, sizes(p)...), n.reshape(target, wide...))
	weight := n.splat(p, 1)
	if n.has(2) {
		to := make([]int64, rank(p)-1)
		for i := range to {
			to[i] = 1
		}
		to[0] = sizes(p)[1]
		weight = n.spread(n.reshape(n.in(2), to...), sizes(p))
	}
	weight = n.choose(hit, weight, n.splat(p, 0))
	if _, ok := n.Attributes["ignore_index"]; ok {
		ignored := n.compare("EQ", n.reshape(target, wide...), n.splatOf(dtype.I64, float64(n.int("ignore_index", 0))))
		weight = n.choose(ignored, n.splat(p, 0), weight)
	}
	dims := op.Attrs{"dims": []int64{1}}
	loss := n.add("negate", nil, n.add("reduce_sum", dims, n.choose(hit, n.binary("multiply", p, weight), n.splat(p, 0))))
	switch n.str("reduction", "mean") {
	case "none":
		return loss
	case "sum":
		return n.add("reduce_sum", op.Attrs{"dims": all(loss)}, loss)
	}
	total := n.add("reduce_sum", op.Attrs{"dims": all(weight)}, weight)
	return n.binary("divide", n.add("reduce_sum", op.Attrs{"dims": all(loss)}, loss), total)
}
