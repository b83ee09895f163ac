package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var attentionRules = map[string]rule{
	"RotaryEmbedding": func(n *node) []*dag.Value {
		x, cos, sin := n.in(0), n.in(1), n.in(2)
		heads, flat := n.int("num_heads", 0), rank(x) == 3
		if flat {
			s := sizes(x)
			x = n.transpose(n.reshape(x, s[0], s[1], heads, s[2]/heads), 0, 2, 1, 3)
		}
		if n.has(3) {
			cos, sin = n.takeAlong(cos, n.in(3), 0), n.takeAlong(sin, n.in(3), 0)
		}
		last := sizes(x)[3]
		turned := n.int("rotary_embedding_dim", 0)
		if turned == 0 {
			turned = last
		}
		table := func(v *dag.Value) *dag.Value {
			return n.reshape(n.window(v, 2, 0, turned/2, 1), sizes(v)[0], 1, sizes(v)[1], turned/2)
		}
		cos, sin = table(cos), table(sin)
		first, second, step := n.window(x, 3, 0, turned/2, 1), n.window(x, 3, turned/2, turned, 1), int64(1)
		if n.int("interleaved", 0) == 1 {
			first, second, step = n.window(x, 3, 0, turned, 2), n.window(x, 3, 1, turned, 2), 2
		}
		times := func(a, b *dag.Value) *dag.Value { return n.binary("multiply", a, b) }
		a := n.binary("subtract", times(first, cos), times(second, sin))
		b := n.binary("add", times(first, sin), times(second, cos))
		join := func(dim int64, v ...*dag.Value) *dag.Value { return n.add("concatenate", op.Attrs{"dim": dim}, v...) }
		y := join(3, a, b)
		if s := sizes(a); step == 2 {
			y = n.reshape(join(4, n.reshape(a, append(slices.Clone(s), 1)...), n.reshape(b, append(slices.Clone(s), 1)...)), sizes(y)...)
		}
		return one(n.joined(join(3, y, n.window(x, 3, turned, last, 1)), flat))
	},
	"Attention": func(n *node) []*dag.Value {
		q, flat := n.heads(n.in(0), "q_num_heads")
		k, _ := n.heads(n.in(1), "kv_num_heads")
		v, _ := n.heads(n.in(2), "kv_num_heads")
		if n.has(4) {
			k = n.add("concatenate", op.Attrs{"dim": int64(2)}, n.in(4), k)
			v = n.add("concatenate", op.Attrs{"dim": int64(2)}, n.in(5), v)
		}
		soft := n.float("softcap", 0)
		in := []*dag.Value{q, k, v}
		if n.has(3) {
			mask := n.in(3)
			if mask.Type.DType == dtype.Bool {
				zero := n.splatOf(q.Type.DType, 0, sizes(mask)...)
				mask = n.choose(mask, zero, n.splat(zero, math.Inf(-1)))
			}
			in = append(in, mask)
		}
		// Ours applies the soft cap before the mask, and does not return its scores.
		if scored := len(n.Outputs) > 3 && n.Outputs[3] != ""; scored || soft != 0 && n.has(3) {
			y, scores := n.scored(in, soft)
			return []*dag.Value{n.joined(y, flat), k, v, scores}
		}
		// Query head i shares the head i mod G of k and v, where ours shares i/(H/G).
		s, groups := sizes(q), sizes(k)[1]
		swap := func(x *dag.Value, outer, inner int64) *dag.Value {
			t := sizes(x)
			x = n.transpose(n.reshape(x, t[0], outer, inner, t[2], t[3]), 0, 2, 1, 3, 4)
			return n.reshape(x, t...)
		}
		if groups != s[1] {
			if len(in) == 4 && rank(in[3]) > 2 && sizes(in[3])[rank(in[3])-3] != 1 {
				in[3] = swap(n.spread(in[3], []int64{s[0], s[1], s[2], sizes(k)[2]}), s[1]/groups, groups)
			}
			in[0] = swap(q, s[1]/groups, groups)
		}
		y := n.add("attention", op.Attrs{"scale": n.float("scale", 0), "causal": n.int("is_causal", 0) == 1, "soft_cap": soft}, in...)
		if groups != s[1] {
			y = swap(y, groups, s[1]/groups)
		}
		return []*dag.Value{n.joined(y, flat), k, v}
	},
}

// heads returns x as [B, H, T, D], and whether it was [B, T, H*D]. ONNX 1.18 reads such
// elements in order, without a transposition, and the expected values follow it; the
// same holds for the order of shared heads. Later versions differ.
func (n *node) heads(x *dag.Value, count string) (*dag.Value, bool) {
	if rank(x) == 4 {
		return x, false
	}
	s, h := sizes(x), n.int(count, 1)
	return n.reshape(x, s[0], h, s[1], s[2]/h), true
}

// joined restores the layout [B, T, H*D].
func (n *node) joined(y *dag.Value, flat bool) *dag.Value {
	if !flat {
		return y
	}
	y = n.transpose(y, 0, 2, 1, 3)
	return n.reshape(y, sizes(y)[0], sizes(y)[1], sizes(y)[2]*sizes(y)[3])
}

// scored is attention in single steps: it returns the result for q, k, v and perhaps
// a mask, and the scores of the stage that the node requests.
func (n *node) scored(in []*dag.Value, soft float64) (y, scores *dag.Value) {
	q, k := in[0], in[1]
	if n.int("is_causal", 0) == 1 || sizes(q)[1] != sizes(k)[1] {
		n.refuse("scores of causal attention, and of shared heads")
	}
	product := func(a, b *dag.Value, dim int64) *dag.Value {
		batch := []int64{0, 1}
		return n.add("dot_general", op.Attrs{"lhs_batching": batch, "rhs_batching": batch, "lhs_contracting": []int64{3}, "rhs_contracting": []int64{dim}}, a, b)
	}
	stages := []*dag.Value{n.scale(product(q, k, 3), n.float("scale", 1/math.Sqrt(float64(sizes(q)[3]))))}
	stage := func(v *dag.Value) { stages = append(stages, v) }
	stage(stages[0])
	if len(in) > 3 {
		stages[1] = n.binary("add", stages[0], in[3])
	}
	stage(stages[1])
	if soft != 0 {
		stages[2] = n.scale(n.add("tanh", nil, n.over(stages[1], soft)), soft)
	}
	stage(n.add("softmax", op.Attrs{"dim": int64(3)}, stages[2]))
	return product(stages[3], in[2], 2), stages[n.int("qk_matmul_output_mode", 0)]
}
