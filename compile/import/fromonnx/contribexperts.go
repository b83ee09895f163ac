package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Feed-forward layers of which a router takes a few for each token (Shazeer et al. 2017). As
// those of language models here, a token reads the matrices of its own experts alone:
// several tokens are computed one after another.

func init() {
	rules["com.microsoft.MoE"] = func(n *node) []*dag.Value {
		weights := func(i int) *layerOf {
			if i == 2 && !n.has(2*i+2) {
				return nil
			}
			return &layerOf{weights: n.in(2*i + 2), bias: n.optional(2*i + 3)}
		}
		return n.experts(weights(0), weights(1), weights(2), nil)
	}
	rules["com.microsoft.QMoE"] = (*node).expertsOfCodes
}

// layerOf has the matrices [E, N, K] of a layer of all experts.
type layerOf struct {
	weights *dag.Value // of numbers, or codes of some bits in bytes
	bias    *dag.Value // [E, N], or nil

	// Of codes.
	bits, block  int64 // elements of a row that share a scale, 0 for all
	scale, zeros *dag.Value
}

// expertsOfCodes reads the layers of a QMoE.
func (n *node) expertsOfCodes() []*dag.Value {
	if kind := n.str("quant_type", "int"); kind != "int" {
		n.refuse("experts of quant_type=%s", kind)
	}
	if n.int("weights_prepacked", -1) == 1 {
		n.refuse("weights in the order of one device: QMoE with weights_prepacked=1")
	}
	for i := 15; i <= 20; i++ {
		if n.has(i) {
			n.refuse("experts whose inputs have scales: the input %d of QMoE", i)
		}
	}
	usual := n.int("expert_weight_bits", 4)
	layer := func(i int, bits string) *layerOf {
		if i == 2 && !n.has(8) {
			return nil
		}
		l := &layerOf{weights: n.in(3*i + 2), scale: n.in(3*i + 3), bias: n.optional(3*i + 4), zeros: n.optional(i + 11), bits: n.int(bits, usual), block: n.int("block_size", 0)}
		if k := extent(l.weights, 2); k < 1 || l.bits < 1 || 8%l.bits != 0 || l.block < 0 || l.block > 0 && k*8/l.bits%l.block != 0 {
			n.refuse("experts of %d bytes with codes of %d bits in blocks of %d", k, l.bits, l.block)
		}
		return l
	}
	return n.experts(layer(0, "fc1_expert_weight_bits"), layer(1, "fc2_expert_weight_bits"), layer(2, "fc3_expert_weight_bits"), n.optional(14))
}

// of returns the matrices [U, N, K] and biases [U, N] of the experts ids [U].
func (l *layerOf) of(n *node, ids *dag.Value) (w, bias *dag.Value) {
	if l.bias != nil {
		bias = n.convert(n.rowsOf(l.bias, ids), dtype.F32)
	}
	w = n.rowsOf(l.weights, ids)
	if l.scale == nil {
		return n.convert(w, dtype.F32), bias
	}
	w = n.convert(n.unpacked(w, l.bits), dtype.F32)
	used, rows, k := extent(w, 0), extent(w, 1), extent(w, 2)
	block := l.block
	if block == 0 {
		block = k
	}
	blocks := k / block
	zero := n.splatOf(dtype.F32, float64(int64(1)<<(l.bits-1)))
	if l.zeros != nil { // each row of blocks, or all rows together, begin with a byte of their own
		zero = n.unpacked(n.rowsOf(l.zeros, ids), l.bits)
		last := int64(rank(zero) - 1)
		count := blocks
		if last == 1 {
			count = rows
		}
		zero = n.reshape(n.convert(n.window(zero, last, 0, count, 1), dtype.F32), used, rows, blocks, 1)
	}
	scale := n.reshape(n.convert(n.rowsOf(l.scale, ids), dtype.F32), used, rows, blocks, 1)
	w = n.binary("multiply", n.binary("subtract", n.reshape(w, used, rows, blocks, block), zero), scale)
	return n.reshape(w, used, rows, k), bias
}

// apply multiplies by the matrices of experts: a vector [K] by all, or a row of x [U, K] by
// that of each.
func (l *layerOf) apply(n *node, x, ids *dag.Value) *dag.Value {
	w, bias := l.of(n, ids)
	attrs := op.Attrs{"lhs_contracting": []int64{2}, "rhs_contracting": []int64{int64(rank(x) - 1)}}
	if rank(x) == 2 {
		attrs["lhs_batching"], attrs["rhs_batching"] = []int64{0}, []int64{0}
	}
	y := n.add("dot_general", attrs, w, x)
	if bias != nil {
		y = n.binary("add", y, bias)
	}
	return y
}

// experts computes input 0 [T, D] or [B, T, D] by the router's numbers, input 1 [T, E]; mixing
// has the weights of experts in place of the router's, or is nil.
func (n *node) experts(first, second, third *layerOf, mixing *dag.Value) []*dag.Value {
	if n.int("use_sparse_mixer", 0) != 0 || n.int("swiglu_limit_after_activation", 0) != 0 {
		n.refuse("experts with use_sparse_mixer or swiglu_limit_after_activation")
	}
	x, used := n.in(0), n.int("k", 1)
	width := extent(x, int64(rank(x)-1))
	count := extent(n.in(1), 1)
	for _, l := range []*layerOf{first, second, third} {
		if used < 1 || used > count || l != nil && extent(l.weights, 0) != count {
			n.malformed("%s of k=%d of %d experts, with weights [%s]", n.Op, used, count, dims(n.in(2)))
		}
	}
	rows := dims(x)[:rank(x)-1].Product()
	h := n.convert(n.reshapeTo(x, rows, shape.N(width)), dtype.F32)
	probabilities := n.add("softmax", op.Attrs{"dim": int64(1)}, n.convert(n.in(1), dtype.F32))
	top := n.outputs("top_k", op.Attrs{"dim": int64(1), "k": used, "largest": true}, probabilities)
	weights, chosen := top[0], n.convert(top[1], dtype.I32)
	if mixing != nil {
		weights = n.add("take_along", op.Attrs{"dim": int64(1)}, n.convert(mixing, dtype.F32), chosen)
	}
	// ONNX Runtime's QMoE takes the softmax of the experts that are used.
	if n.int("normalize_routing_weights", 0) == 1 || first.scale != nil && mixing == nil {
		weights = n.binary("divide", weights, n.add("reduce_sum", op.Attrs{"dims": []int64{1}, "keepdims": true}, weights))
	}
	token := func(n *node, row ...*dag.Value) *dag.Value { // a row of h, of weights and of chosen
		h, weights, chosen := row[0], row[1], row[2]
		ids := n.reshape(chosen, used)
		h = n.reshape(h, width)
		g := first.apply(n, h, ids) // [U, F]
		var beside *dag.Value
		if third != nil {
			beside = third.apply(n, h, ids)
		}
		each := second.apply(n, n.ofExperts(g, beside), ids) // [U, D]
		each = n.binary("multiply", each, n.reshape(weights, used, 1))
		return n.reshape(n.add("reduce_sum", op.Attrs{"dims": []int64{0}}, each), 1, width)
	}
	var y *dag.Value
	if rows == shape.N(1) {
		y = token(n, h, weights, chosen)
	} else {
		y = n.rowByRow(h, token, h, weights, chosen)
	}
	return one(n.convert(n.reshapeTo(y, dims(x)...), x.Type.DType))
}

// rowByRow computes each row of tensors of as many rows in a loop. Results have the type of
// like.
func (n *node) rowByRow(like *dag.Value, row func(n *node, rows ...*dag.Value) *dag.Value, in ...*dag.Value) *dag.Value {
	count := n.sizeValue(dtype.I32, like, 0)
	initial := []*dag.Value{n.splatOf(dtype.I32, 0), n.splat(like, 0)}
	test, body := &dag.Block{}, &dag.Block{}
	for _, v := range initial {
		test.AddArg(v.Type)
		body.AddArg(v.Type)
	}
	test.Results = one(n.inner(test, n.env).compare(op.LT, test.Args[0], count))
	e := &node{env: n.inner(body, n.env), Node: n.Node}
	t, zero := body.Args[0], e.splatOf(dtype.I32, 0)
	var rows []*dag.Value
	for _, v := range in {
		rows = append(rows, e.add("dynamic_slice", op.Attrs{"sizes": shape.Of(1, extent(v, 1))}, v, t, zero))
	}
	body.Results = []*dag.Value{e.plus(t, 1), e.add("dynamic_update_slice", nil, body.Args[1], row(e, rows...), t, zero)}
	w, err := n.b.AddWhile(n.at, test, body, initial...)
	if err != nil {
		panic(refusal{err})
	}
	return w.Outputs[1]
}

// ofExperts activates g [U, F] as the node says, and multiplies it by what is beside it; nil is
// nothing.
func (n *node) ofExperts(g, beside *dag.Value) *dag.Value {
	kind := n.str("activation_type", "relu")
	if kind == "swiglu" || kind == "geglu" {
		g, beside = n.halves(g, beside)
	}
	switch kind {
	case "identity":
	case "relu":
		g = n.add("relu", nil, g)
	case "relu2":
		g = n.add("relu", nil, g)
		g = n.binary("multiply", g, g)
	case "gelu", "geglu":
		g = n.add("gelu_tanh", nil, g)
	case "silu":
		g = n.add("silu", nil, g)
	case "swiglu":
		limit := n.float("swiglu_limit", math.Inf(1))
		if !math.IsInf(limit, 1) {
			g = n.binary("minimum", g, n.splat(g, limit))
			beside = n.between(beside, -limit, limit)
		}
		g = n.binary("multiply", g, n.add("logistic", nil, n.scale(g, n.float("activation_alpha", 1))))
		beside = n.plus(beside, n.float("activation_beta", 0))
	default:
		n.refuse("the activation %q", kind)
	}
	if beside != nil {
		g = n.binary("multiply", g, beside)
	}
	return g
}

// halves takes apart what is gated and its factors, which lie in turns or one behind the
// other where they are not in two tensors.
func (n *node) halves(g, beside *dag.Value) (gate, factor *dag.Value) {
	width := extent(g, 1)
	switch way := n.int("swiglu_fusion", 0); {
	case way == 0 && beside != nil:
		return g, beside
	case way == 1 && beside == nil && width%2 == 0:
		return n.window(g, 1, 0, width, 2), n.window(g, 1, 1, width, 2)
	case way == 2 && beside == nil && width%2 == 0:
		return n.window(g, 1, 0, width/2, 1), n.window(g, 1, width/2, width, 1)
	}
	n.malformed("%s of %d elements with swiglu_fusion=%d", n.Op, width, n.int("swiglu_fusion", 0))
	return nil, nil
}
