package fromonnx

import "github.com/skainet-dev/skainet-go/compile/dag"

var trainingRules = map[string]rule{
	"ai.onnx.preview.training.Adagrad": optimizer(2, func(n *node, rate, t, x, g *dag.Value, state []*dag.Value) []*dag.Value {
		rate = n.binary("divide", rate, n.plus(n.scale(t, n.float("decay_factor", 0)), 1))
		h := n.binary("add", state[0], n.binary("multiply", g, g))
		step := n.binary("divide", g, n.plus(n.add("sqrt", nil, h), n.float("epsilon", 0)))
		return []*dag.Value{n.binary("subtract", x, n.binary("multiply", rate, step)), h}
	}),
	"ai.onnx.preview.training.Adam": optimizer(3, func(n *node, rate, t, x, g *dag.Value, state []*dag.Value) []*dag.Value {
		alpha, beta := n.float("alpha", 0.9), n.float("beta", 0.999)
		v := n.binary("add", n.scale(state[0], alpha), n.scale(g, 1-alpha))
		h := n.binary("add", n.scale(state[1], beta), n.scale(n.binary("multiply", g, g), 1-beta))
		rest := func(base float64) *dag.Value { // 1 - base^t
			return n.binary("subtract", n.splat(t, 1), n.binary("power", n.splat(t, base), t))
		}
		corrected := n.binary("divide", n.binary("multiply", rate, n.add("sqrt", nil, rest(beta))), rest(alpha))
		rate = n.choose(n.compare("GT", t, n.splat(t, 0)), corrected, rate)
		step := n.binary("divide", n.binary("multiply", rate, v), n.plus(n.add("sqrt", nil, h), n.float("epsilon", 0)))
		return []*dag.Value{n.scale(n.binary("subtract", x, step), 1-n.float("norm_coefficient_post", 0)), v, h}
	}),
	"ai.onnx.preview.training.Momentum": optimizer(2, func(n *node, rate, t, x, g *dag.Value, state []*dag.Value) []*dag.Value {
		alpha := n.float("alpha", 0)
		weight := n.choose(n.compare("GT", t, n.splat(t, 0)), n.splat(t, n.float("beta", 0)), n.splat(t, 1))
		v := n.binary("add", n.scale(state[0], alpha), n.binary("multiply", weight, g))
		step := v
		if n.str("mode", "") == "nesterov" {
			step = n.binary("add", g, n.scale(v, alpha))
		}
		return []*dag.Value{n.binary("subtract", x, n.binary("multiply", rate, step)), v}
	}),
}

// optimizer is for operators that take a learning rate, a step count, and lists of
// tensors, of gradients and of states; each tensor has these outputs, which the
// operator lists kind by kind.
func optimizer(outputs int, step func(n *node, rate, t, x, g *dag.Value, state []*dag.Value) []*dag.Value) rule {
	return func(n *node) []*dag.Value {
		count := (len(n.Inputs) - 2) / (outputs + 1)
		made := make([]*dag.Value, outputs*count)
		for i := range count {
			kind := func(k int) *dag.Value { return n.in(2 + k*count + i) }
			x, rate := kind(0), n.in(0)
			g := n.binary("add", n.scale(x, n.float("norm_coefficient", 0)), kind(1))
			var state []*dag.Value
			for k := range outputs - 1 {
				state = append(state, kind(2+k))
			}
			for k, v := range step(n, rate, n.convert(n.in(1), rate.Type.DType), x, g, state) {
				made[k*count+i] = v
			}
		}
		return made
	}
}
