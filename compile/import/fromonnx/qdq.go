package fromonnx

import (
	"bytes"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Files of quantized models say in f32 what is meant in integers: operands behind
// DequantizeLinear, an operator of floats, and QuantizeLinear behind it. Such a group is
// the operator of integers that ONNX Runtime runs for it, under the conditions of its
// selectors: products take u8, or i8 on both sides, and what uses the result in f32, or is
// an output of the model, leaves the group as it stands. What is no product is computed
// in f32 between the scales, as the operators of integers are here too.

// moves are the operators that only move elements of their first input or select some of
// them: what they do to integers needs no scale.
var moves = map[string]bool{
	"DepthToSpace": true, "Expand": true, "Flatten": true, "Gather": true, "Identity": true, "MaxPool": true, "Reshape": true, "Slice": true,
	"SpaceToDepth": true, "Squeeze": true, "Tile": true, "Transpose": true, "Unsqueeze": true,
}

// In init, since a group is converted by rules.
func init() {
	for name, group := range map[string]func(n *node) *dag.Value{
		"QuantizeLinear": (*node).grouped, "MatMul": (*node).integerProduct, "Gemm": (*node).integerProduct,
	} {
		plain := rules[name]
		rules[name] = func(n *node) []*dag.Value {
			if y := group(n); y != nil {
				return one(y)
			}
			return plain(n)
		}
	}
}

// bytesOf are the element types of products of integers.
var bytesOf = []dtype.DType{dtype.U8, dtype.I8}

// rulesView is a node of the file as rules see it.
func (e *env) rulesView(n *onnx.Node) *node { return &node{env: e, Node: e.resolved(n)} }

// maker returns the node of this graph, or of one around it, that makes a value.
func (e *env) maker(name string) *onnx.Node {
	for at := e; at != nil; at = at.outer {
		if m := at.makers[name]; m != nil {
			return m
		}
		if at.values[name] != nil {
			return nil
		}
	}
	return nil
}

// read notes which nodes of a graph read a value, and what the graph returns.
func (e *env) read(g *onnx.Graph) {
	e.readers, e.returned = map[string][]*onnx.Node{}, map[string]bool{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		live := map[string]bool{}
		reads(n, live)
		for name := range live {
			e.readers[name] = append(e.readers[name], n)
		}
	}
	for _, name := range outputsOf(g) {
		e.returned[name] = true
	}
}

// only reports whether one node alone takes a value.
func (e *env) only(name string) bool { return len(e.readers[name]) == 1 && !e.returned[name] }

// quantizes reports whether a node is a QuantizeLinear or, with back, a DequantizeLinear,
// without blocks.
func quantizes(n *onnx.Node, back bool) bool {
	name := "QuantizeLinear"
	if back {
		name = "DequantizeLinear"
	}
	if n == nil || n.Op != name || n.Domain != "" && n.Domain != "ai.onnx" && n.Domain != "com.microsoft" {
		return false
	}
	return n.Attributes["block_size"].Int == 0
}

// dequantized returns the node that makes a value of integers of one of these types. Its
// scale is one number or, unless axis is negative, a list along that axis.
func (n *node) dequantized(name string, axis int64, of ...dtype.DType) *node {
	m := n.maker(name)
	if !quantizes(m, true) {
		return nil
	}
	d := n.rulesView(m)
	x, scale := n.find(d.Inputs[0]), n.find(d.Inputs[1])
	if x == nil || scale == nil || !slices.Contains(of, n.kind(x)) || scale.Type.DType != dtype.F32 || !scale.Type.Shape.IsStatic() {
		return nil
	}
	if product(sizes(scale)) != 1 && (axis < 0 || rank(scale) != 1 || d.axis(d.int("axis", 1), rank(x)) != axis) {
		return nil
	}
	return d
}

// operands returns what a node that quantizes or dequantizes takes, by name: a tensor, its
// scale and its zero point, which may be missing.
func (n *node) operands() []string {
	list := append(slices.Clone(n.Inputs), "", "")[:3]
	if !n.has(2) {
		list[2] = ""
	}
	return list
}

// integers adds the node of integers that stands for a group.
func (n *node) integers(domain, name string, attributes map[string]onnx.Attribute, inputs ...string) *dag.Value {
	made := &onnx.Node{Op: name, Domain: domain, Name: n.Name, Inputs: inputs, Outputs: []string{""}, Attributes: attributes}
	return rules[operator(made)](&node{env: n.env, Node: made})[0]
}

// grouped returns what a QuantizeLinear makes where the nodes before it are a group of
// integers, else nil.
func (n *node) grouped() *dag.Value {
	if n.dequantize || n.int("block_size", 0) != 0 {
		return nil
	}
	scale := n.in(1)
	result := append(n.operands()[1:], "")[:2]
	kind := dtype.U8
	if n.has(2) {
		kind = n.kind(n.in(2))
	} else if to := n.int("output_dtype", 0); to != 0 {
		kind = n.dtypeOf(to)
	}
	if !slices.Contains(bytesOf, kind) || scale.Type.DType != dtype.F32 || !scale.Type.Shape.IsStatic() || product(sizes(scale)) != 1 {
		return nil
	}
	of := n.Inputs[0]
	m := n.maker(of)
	for m != nil && n.only(of) && n.clamps(m, kind) {
		of = m.Inputs[0]
		m = n.maker(of)
	}
	if m == nil || !n.only(of) || len(m.Inputs) == 0 || len(m.Outputs) == 0 || m.Outputs[0] != of {
		return nil
	}
	f := n.rulesView(m)
	x := n.dequantized(f.Inputs[0], -1, bytesOf...)
	if x == nil || n.kind(x.in(0)) != kind {
		return nil
	}
	if result[1] == "" {
		result[1] = n.zeroOf(kind)
	}
	switch name := operator(m); {
	case name == "Conv":
		return f.quantizedConv(x, result)
	case name == "MatMul" || name == "Gemm":
		return f.quantizedProduct(x, result)
	case moves[name] && x.sameScale(n):
		inputs := slices.Clone(f.Inputs)
		inputs[0] = x.Inputs[0]
		return f.integers(f.Domain, f.Op, f.Attributes, inputs...)
	}
	return nil
}

// zeroOf names a zero point of 0.
func (n *node) zeroOf(d dtype.DType) string {
	name := "\x00zero of " + d.String()
	if n.values[name] == nil {
		n.values[name] = n.splatOf(d, 0)
	}
	return name
}

// clamps reports whether a node is one whose bounds the quantization has anyway.
func (n *node) clamps(m *onnx.Node, kind dtype.DType) bool {
	if len(m.Inputs) == 0 || len(m.Outputs) == 0 {
		return false
	}
	known := true
	number := func(n *node, i int, usual float64) float64 {
		if !n.has(i) {
			return usual
		}
		v, ok := n.certain(n.in(i))
		if known = known && ok; !known {
			return 0
		}
		return elementOf(v)
	}
	low, high := limits(kind)
	scale, zero := number(n, 1, 1), number(n, 2, 0)
	c := n.rulesView(m)
	switch operator(m) {
	case "Relu":
		return known && zero == low
	case "Clip":
		least, most := number(c, 1, c.float("min", math.Inf(-1))), number(c, 2, c.float("max", math.Inf(1)))
		return known && least <= (low-zero)*scale && most >= (high-zero)*scale
	}
	return false
}

// sameScale reports whether a dequantized value has the scale and the zero point of q.
func (n *node) sameScale(q *node) bool {
	for i := 1; i < 3; i++ {
		if n.has(i) != q.has(i) {
			return i == 2 && (!n.has(i) || n.certainZero(i)) && (!q.has(i) || q.certainZero(i))
		}
		if !n.has(i) {
			continue
		}
		x, ok := n.certain(n.in(i))
		y, known := n.certain(q.in(i))
		if !ok || !known || x.Type.DType != y.Type.DType || !bytes.Equal(x.Bytes, y.Bytes) {
			return false
		}
	}
	return true
}

func (n *node) certainZero(i int) bool {
	x, ok := n.certain(n.in(i))
	return ok && zeros(x)
}

func zeros(x tensor.Value) bool {
	return !slices.ContainsFunc(x.Bytes, func(b byte) bool { return b != 0 })
}

// sided reports whether a product of integers may have these operands.
func (n *node) sided(x, w *node) bool {
	return w != nil && (n.kind(x.in(0)) == dtype.U8 || n.kind(w.in(0)) == dtype.I8)
}

// biased returns the name of the i32 tensor that input i of a product dequantizes; ok
// reports whether there is one, or no such input.
func (n *node) biased(i int, x, w *node) (name string, ok bool) {
	if !n.has(i) {
		return "", true
	}
	d := n.dequantized(n.Inputs[i], 0, dtype.I32)
	if d == nil || w == nil || !n.scaledAs(d, x, w) {
		return "", false
	}
	return d.Inputs[0], true
}

// scaledAs reports whether the scales of a bias are, as far as they are known, those of the
// products of x and w, so that it can be added to their sums.
func (n *node) scaledAs(bias, x, w *node) bool {
	list := [3][]float64{}
	for i, d := range []*node{bias, x, w} {
		v, ok := n.certain(d.in(1))
		if !ok || v.Type.DType != dtype.F32 {
			return true
		}
		f, err := tensor.Slice[float32](v)
		if err != nil || len(f) == 0 {
			return true
		}
		for _, e := range f {
			list[i] = append(list[i], float64(e))
		}
	}
	at := func(l []float64, i int) float64 { return l[min(i, len(l)-1)] }
	for i := range max(len(list[0]), len(list[2])) {
		want := at(list[1], 0) * at(list[2], i)
		if math.Abs(at(list[0], i)-want) > 1e-5*math.Abs(want) {
			return false
		}
	}
	return true
}

// quantizedConv is a Conv of integers.
func (n *node) quantizedConv(x *node, result []string) *dag.Value {
	w := n.dequantized(n.Inputs[1], 0, bytesOf...)
	bias, ok := n.biased(2, x, w)
	if !ok || !n.sided(x, w) {
		return nil
	}
	inputs := slices.Concat(x.operands(), w.operands(), result)
	return n.integers("", "QLinearConv", n.Attributes, append(inputs, bias)...)
}

// quantizedProduct is a MatMul or Gemm of integers. Its result is quantized, unless result
// is nil.
func (n *node) quantizedProduct(x *node, result []string) *dag.Value {
	if n.Op == "MatMul" {
		columns := int64(-1)
		if b := n.find(n.Inputs[1]); b != nil && rank(b) > 1 {
			columns = int64(rank(b) - 1)
		}
		w := n.dequantized(n.Inputs[1], columns, bytesOf...)
		switch {
		case !n.sided(x, w):
			return nil
		case result != nil:
			return n.integers("", "QLinearMatMul", nil, slices.Concat(x.operands(), w.operands(), result)...)
		}
		a, b := x.operands(), w.operands()
		return n.integers("com.microsoft", "MatMulIntegerToFloat", nil, a[0], b[0], a[1], b[1], a[2], b[2])
	}
	w := n.dequantized(n.Inputs[1], 1-n.int("transB", 0), bytesOf...)
	bias, ok := n.biased(2, x, w)
	// Factors scale the product and the bias apart.
	if !ok || !n.sided(x, w) || bias != "" && (n.float("beta", 1) != 1 || n.float("alpha", 1) != 1) {
		return nil
	}
	inputs := append(slices.Concat(x.operands(), w.operands()), bias)
	return n.integers("com.microsoft", "QGemm", n.Attributes, append(inputs, result...)...)
}

// integerProduct is a MatMul or Gemm whose operands are dequantized and whose result is
// not quantized, or nil.
func (n *node) integerProduct() *dag.Value {
	for _, r := range n.readers[n.Outputs[0]] {
		if quantizes(r, false) {
			return nil // see grouped
		}
	}
	if n.dequantize || !n.has(0) || !n.has(1) {
		return nil
	}
	x := n.dequantized(n.Inputs[0], -1, bytesOf...)
	if x == nil {
		return nil
	}
	return n.quantizedProduct(x, nil)
}
