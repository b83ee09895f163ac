package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var normRules = map[string]rule{
	"Softmax":    softmax("softmax"),
	"LogSoftmax": softmax("log_softmax"),
	"LayerNormalization": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", -1), rank(x))
		along, width := all(x)[a:], product(sizesFrom(x, a))
		epsilon := n.float("epsilon", 1e-5)
		keep := op.Attrs{"dims": along, "keepdims": true}
		mean := n.over(n.add("reduce_sum", keep, x), float64(width))
		centred := n.binary("subtract", x, mean)
		variance := n.over(n.add("reduce_sum", keep, n.binary("multiply", centred, centred)), float64(width))
		inverse := n.add("reciprocal", nil, n.add("sqrt", nil, n.plus(variance, epsilon)))
		// The result itself by our own operation, over rows.
		vector := func(i int, usual float64) *dag.Value {
			if n.has(i) {
				return n.reshape(n.spreadTo(n.in(i), dims(x)[a:]), width)
			}
			return n.splatOf(x.Type.DType, usual, width)
		}
		rows := n.reshapeTo(x, dims(x)[:a].Product(), shape.N(width))
		y := n.add("layer_norm", op.Attrs{"epsilon": epsilon}, rows, vector(1, 1), vector(2, 0))
		return []*dag.Value{n.reshapeTo(y, dims(x)...), mean, inverse}
	},
	"RMSNormalization": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", -1), rank(x))
		width := product(sizesFrom(x, a))
		rows := n.reshapeTo(x, dims(x)[:a].Product(), shape.N(width))
		gamma := n.reshape(n.spreadTo(n.in(1), dims(x)[a:]), width)
		return one(n.reshapeTo(n.add("rms_norm", op.Attrs{"epsilon": n.float("epsilon", 1e-5)}, rows, gamma), dims(x)...))
	},
	"InstanceNormalization": func(n *node) []*dag.Value {
		return one(n.add("instance_norm", op.Attrs{"epsilon": n.float("epsilon", 1e-5)}, n.in(0), n.in(1), n.in(2)))
	},
	"GroupNormalization": func(n *node) []*dag.Value {
		x, groups := n.in(0), n.int("num_groups", 1)
		return one(n.add("group_norm", op.Attrs{"epsilon": n.float("epsilon", 1e-5), "groups": groups}, x, n.in(1), n.in(2)))
	},
	"BatchNormalization": func(n *node) []*dag.Value {
		if n.int("training_mode", 0) == 1 {
			return n.trained()
		}
		return one(n.add("batch_norm", op.Attrs{"epsilon": n.float("epsilon", 1e-5)}, n.in(0), n.in(1), n.in(2), n.in(3), n.in(4)))
	},
	"MeanVarianceNormalization": func(n *node) []*dag.Value {
		x := n.in(0)
		axes, ok := n.ints("axes", -1)
		if !ok {
			axes = []int64{0, 2, 3}
		}
		axes = slices.Clone(axes)
		for i, a := range axes {
			axes[i] = n.axis(a, rank(x))
		}
		keep := op.Attrs{"dims": slices.Clone(axes), "keepdims": true}
		count := n.countAlong(x.Type.DType, x, axes...)
		mean := n.binary("divide", n.add("reduce_sum", keep, x), count)
		centred := n.binary("subtract", x, mean)
		variance := n.binary("divide", n.add("reduce_sum", keep, n.binary("multiply", centred, centred)), count)
		return one(n.binary("divide", centred, n.plus(n.add("sqrt", nil, variance), 1e-9)))
	},
	"LpNormalization": func(n *node) []*dag.Value {
		x := n.in(0)
		keep := op.Attrs{"dims": []int64{n.axis(n.int("axis", -1), rank(x))}, "keepdims": true}
		if n.int("p", 2) == 1 {
			return one(n.binary("divide", x, n.add("reduce_sum", keep, n.add("abs", nil, x))))
		}
		return one(n.binary("divide", x, n.add("sqrt", nil, n.add("reduce_sum", keep, n.binary("multiply", x, x)))))
	},
}

// sizesFrom returns the sizes of x from dimension a on as numbers.
func sizesFrom(x *dag.Value, a int64) []int64 {
	list := []int64{}
	for i := a; i < int64(rank(x)); i++ {
		list = append(list, extent(x, i))
	}
	return list
}

func softmax(name string) rule {
	return func(n *node) []*dag.Value {
		x := n.in(0)
		if n.opset >= 13 {
			return one(n.add(name, op.Attrs{"dim": n.axis(n.int("axis", -1), rank(x))}, x))
		}
		// In earlier versions all dimensions starting at the axis were flattened into one.
		a := n.axis(n.int("axis", 1), rank(x))
		rows := n.reshapeTo(x, dims(x)[:a].Product(), dims(x)[a:].Product())
		return one(n.reshapeTo(n.add(name, op.Attrs{"dim": int64(1)}, rows), dims(x)...))
	}
}

// trained normalizes a batch by its own mean and variance, with which it updates
// the running ones.
func (n *node) trained() []*dag.Value {
	x, momentum := n.in(0), n.float("momentum", 0.9)
	dims := append([]int64{0}, all(x)[2:]...)
	wide := make([]int64, rank(x)-1)
	for i := range wide {
		wide[i] = 1
	}
	wide[0] = extent(x, 1)
	mean := n.add("reduce_mean", op.Attrs{"dims": dims}, x)
	centred := n.binary("subtract", x, n.reshape(mean, wide...))
	variance := n.add("reduce_mean", op.Attrs{"dims": dims}, n.binary("multiply", centred, centred))
	mixed := func(i int, now *dag.Value) *dag.Value {
		return n.binary("add", n.scale(n.in(i), momentum), n.scale(now, 1-momentum))
	}
	y := n.add("batch_norm", op.Attrs{"epsilon": n.float("epsilon", 1e-5)}, x, n.in(1), n.in(2), mean, variance)
	return []*dag.Value{y, mixed(3, mean), mixed(4, variance)}
}
