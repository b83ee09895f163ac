package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Operators that ONNX Runtime adds to ONNX, as its optimizer and its tools write them:
// norms, activations and products that are several operators in one.

// In init, since some are other rules in another domain.
func init() {
	for name, r := range contribRules {
		rules["com.microsoft."+name] = r
	}
	for _, name := range []string{"DequantizeLinear", "GatherND", "GridSample", "Pad", "QLinearConv", "QuantizeLinear", "Range", "Trilu"} {
		if r := rules[name]; r != nil {
			rules["com.microsoft."+name] = r
		}
	}
	// This one is of ONNX's own domain in ONNX Runtime's files.
	rules["SimplifiedLayerNormalization"] = func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.int("axis", -1), rank(x))
		if int(a) != rank(x)-1 {
			n.refuse("a norm over several dimensions")
		}
		return n.rms(x, n.in(1), n.float("epsilon", 1e-5), 1)
	}
}

var contribRules = map[string]rule{
	"SkipLayerNormalization": func(n *node) []*dag.Value {
		x := n.skipped(4)
		return append(n.layerNorm(x, n.in(2), n.optional(3), n.float("epsilon", 1e-12)), x)
	},
	"SkipSimplifiedLayerNormalization": func(n *node) []*dag.Value {
		x := n.skipped(3)
		y := n.rms(x, n.in(2), n.float("epsilon", 1e-12), 2)
		return []*dag.Value{y[0], nil, y[1], x}
	},
	"FusedMatMul": fusedMatMul, "TransposeMatMul": fusedMatMul,
	"FusedGemm": func(n *node) []*dag.Value { return one(n.activated(rules["Gemm"](n)[0])) },
	"FusedConv": func(n *node) []*dag.Value {
		y := rules["Conv"](n)[0]
		if n.has(3) {
			y = n.binary("add", y, n.in(3))
		}
		return one(n.activated(y))
	},
	"Gelu":     func(n *node) []*dag.Value { return one(n.add("gelu", nil, n.in(0))) },
	"BiasGelu": func(n *node) []*dag.Value { return one(n.add("gelu", nil, n.binary("add", n.in(0), n.in(1)))) },
	"FastGelu": func(n *node) []*dag.Value {
		x := n.in(0)
		if n.has(1) {
			x = n.binary("add", x, n.in(1))
		}
		return one(n.add("gelu_tanh", nil, x))
	},
	"QuickGelu": func(n *node) []*dag.Value {
		x := n.in(0)
		return one(n.binary("multiply", x, n.add("logistic", nil, n.scale(x, n.float("alpha", 1.702)))))
	},
	"BiasAdd": func(n *node) []*dag.Value {
		return one(n.binary("add", n.binary("add", n.in(0), n.in(1)), n.in(2)))
	},
	"BiasSoftmax": func(n *node) []*dag.Value {
		x := n.binary("add", n.in(0), n.in(1))
		if a := n.axis(n.int("axis", 1), rank(x)); int(a) != rank(x)-1 {
			n.refuse("a softmax over several dimensions")
		}
		return one(n.add("softmax", op.Attrs{"dim": int64(rank(x) - 1)}, x))
	},
	"BiasSplitGelu": func(n *node) []*dag.Value {
		x := n.binary("add", n.in(0), n.in(1))
		last := int64(rank(x) - 1)
		half := extent(x, last) / 2
		return one(n.binary("multiply", n.window(x, last, 0, half, 1), n.add("gelu", nil, n.window(x, last, half, 2*half, 1))))
	},
	"GroupNorm": func(n *node) []*dag.Value { return one(n.groupNorm(n.in(0))) },
	"ExpandDims": func(n *node) []*dag.Value {
		x := n.in(0)
		a := n.axis(n.whole(1), rank(x)+1)
		return one(n.reshapeTo(x, slices.Insert(slices.Clone(dims(x)), int(a), shape.N(1))...))
	},
	"CDist": func(n *node) []*dag.Value {
		a, b := n.in(0), n.in(1)
		d := n.binary("subtract", n.reshapeTo(a, dims(a)[0], shape.N(1), dims(a)[1]), b)
		y := n.add("reduce_sum", op.Attrs{"dims": []int64{2}}, n.binary("multiply", d, d))
		if n.str("metric", "sqeuclidean") == "euclidean" {
			y = n.add("sqrt", nil, y)
		}
		return one(y)
	},
}

// optional is input i, or nil.
func (n *node) optional(i int) *dag.Value {
	if !n.has(i) {
		return nil
	}
	return n.in(i)
}

// rowsOf takes rows of a table at indices of any shape.
func (n *node) rowsOf(table, at *dag.Value) *dag.Value { return n.add("take", nil, table, at) }

// skipped is the sum of inputs 0 and 1, and of a bias that is input i.
func (n *node) skipped(i int) *dag.Value {
	x := n.binary("add", n.in(0), n.in(1))
	if n.has(i) {
		x = n.binary("add", x, n.in(i))
	}
	return x
}

// wants reports whether output i has a name.
func (n *node) wants(i int) bool { return i < len(n.Outputs) && n.Outputs[i] != "" }

// layerNorm normalizes the last dimension. It also returns the mean and the inverse of
// the deviation, if the node has these outputs 1 and 2.
func (n *node) layerNorm(x, gamma, beta *dag.Value, epsilon float64) []*dag.Value {
	if beta == nil {
		beta = n.splat(gamma, 0)
	}
	y := []*dag.Value{n.add("layer_norm", op.Attrs{"epsilon": epsilon}, x, gamma, beta), nil, nil}
	if n.wants(1) || n.wants(2) {
		keep := op.Attrs{"dims": []int64{int64(rank(x) - 1)}, "keepdims": true}
		y[1] = n.add("reduce_mean", keep, x)
		centred := n.binary("subtract", x, y[1])
		y[2] = n.add("rsqrt", nil, n.plus(n.add("reduce_mean", keep, n.binary("multiply", centred, centred)), epsilon))
	}
	return y
}

// rms divides the last dimension by its root mean square, whose inverse it also returns if
// it is output i of the node.
func (n *node) rms(x, gamma *dag.Value, epsilon float64, i int) []*dag.Value {
	y := []*dag.Value{n.add("rms_norm", op.Attrs{"epsilon": epsilon}, x, n.convert(gamma, x.Type.DType)), nil}
	if n.wants(i) {
		keep := op.Attrs{"dims": []int64{int64(rank(x) - 1)}, "keepdims": true}
		y[1] = n.add("rsqrt", nil, n.plus(n.add("reduce_mean", keep, n.binary("multiply", x, x)), epsilon))
	}
	return y
}

// fusedMatMul is a product of transposed matrices, times a number. With transBatch the
// first of the batching dimensions is the one before the last.
func fusedMatMul(n *node) []*dag.Value {
	operand := func(i int, name, batch string) *dag.Value {
		x := n.in(i)
		perm, r := all(x), rank(x)
		if n.int(batch, 0) == 1 && r > 2 { // [M, B..., K] is [B..., M, K]
			perm = append(append(slices.Clone(perm[1:r-1]), perm[0]), perm[r-1])
		}
		if n.int(name, 0) == 1 && r > 1 {
			perm[r-2], perm[r-1] = perm[r-1], perm[r-2]
		}
		if slices.Equal(perm, all(x)) {
			return x
		}
		return n.transpose(x, perm...)
	}
	y := n.matmul(operand(0, "transA", "transBatchA"), operand(1, "transB", "transBatchB"))
	if alpha := n.float("alpha", 1); alpha != 1 {
		y = n.scale(y, alpha)
	}
	return one(y)
}

// activated applies the function that a fused node names.
func (n *node) activated(y *dag.Value) *dag.Value {
	parameter := func(i int, name string, usual float64) float64 {
		if list := n.Attributes["activation_params"].Floats; i < len(list) {
			return float64(list[i])
		}
		return n.float(name, usual)
	}
	alpha := func(usual float64) float64 { return parameter(0, "activation_alpha", usual) }
	beta := func(usual float64) float64 { return parameter(1, "activation_beta", usual) }
	switch name := n.str("activation", ""); name {
	case "":
		return y
	case "Relu":
		return n.add("relu", nil, y)
	case "Tanh":
		return n.add("tanh", nil, y)
	case "Sigmoid":
		return n.add("logistic", nil, y)
	case "LeakyRelu":
		return n.add("leaky_relu", op.Attrs{"slope": alpha(0.01)}, y)
	case "Clip":
		return n.between(y, alpha(0), beta(6))
	case "HardSigmoid":
		return n.between(n.plus(n.scale(y, alpha(0.2)), beta(0.5)), 0, 1)
	default:
		n.refuse("the activation %q", name)
	}
	return nil
}

// channelsFirst moves the last dimension behind the first; channelsLast moves it back.
func (n *node) channelsFirst(x *dag.Value) *dag.Value {
	r := int64(rank(x))
	return n.transpose(x, append([]int64{0, r - 1}, all(x)[1:r-1]...)...)
}

func (n *node) channelsLast(x *dag.Value) *dag.Value {
	return n.transpose(x, append(append([]int64{0}, all(x)[2:]...), 1)...)
}
