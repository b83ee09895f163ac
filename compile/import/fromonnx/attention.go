package fromonnx

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var attentionRules = map[string]rule{
	"RotaryEmbedding": func(n *node) []*dag.Value {
		x, cos, sin := n.in(0), n.in(1), n.in(2)
		flat := rank(x) == 3
		if flat {
			x = n.apart(x, n.int("num_heads", 0))
		}
		want := 3 // [B, S, D]
		if n.has(3) {
			want = 2 // rows of which the positions choose
		}
		if rank(cos) != want || rank(sin) != want {
			n.malformed("RotaryEmbedding with tables [%s] and [%s]: they have %d dimensions, 2 with positions and 3 without", dims(cos), dims(sin), want)
		}
		if n.has(3) {
			cos, sin = n.rowsOf(cos, n.in(3)), n.rowsOf(sin, n.in(3))
		}
		y := n.rotated(x, cos, sin, n.int("rotary_embedding_dim", 0), n.int("interleaved", 0) == 1)
		if flat {
			y = n.flat(y)
		}
		return one(y)
	},
	// The order of heads, of the soft cap before the mask, and of causal queries behind a
	// past is that of ONNX Runtime and of ONNX since 1.19; 1.18's reference had others.
	"Attention": func(n *node) []*dag.Value {
		flat := rank(n.in(0)) == 3
		part := func(i int, heads string) *dag.Value {
			if x := n.in(i); rank(x) == 4 {
				return x
			}
			return n.apart(n.in(i), n.int(heads, 0))
		}
		q, k, v := part(0, "q_num_heads"), part(1, "kv_num_heads"), part(2, "kv_num_heads")
		before := shape.N(0)
		if n.has(4) && n.has(5) {
			before = dims(n.in(4))[2]
			k, v = n.joined2(n.in(4), k), n.joined2(n.in(5), v)
		}
		var mask *dag.Value
		if n.has(3) {
			if mask = n.in(3); mask.Type.DType == dtype.Bool {
				mask = n.hiding(mask, q.Type.DType, math.Inf(-1))
			}
		}
		causal, left, right := n.int("is_causal", 0) == 1, n.int("left_window_size", -1), n.int("right_window_size", -1)
		if n.has(6) || left >= 0 || right >= 0 {
			mask, causal = n.sum(mask, n.hiding(n.near(q, k, before, left, right, causal), q.Type.DType, math.Inf(-1))), false
		}
		var y, scores *dag.Value
		if n.wants(3) {
			y, scores = n.scored(q, k, v, mask, causal)
		} else {
			y = n.attended(q, k, v, mask, before, causal)
		}
		if flat {
			y = n.flat(y)
		}
		return []*dag.Value{y, k, v, scores}
	},
}

// near reports which keys each query sees: of input 6, the numbers of keys that are in use, or
// else of all, those not further before it or behind it than the windows' sizes, which are not
// negative. The queries are the last of those keys, or without input 6 those behind the past.
func (n *node) near(q, k *dag.Value, before shape.Dim, left, right int64, causal bool) *dag.Value {
	one, queries, keys := shape.N(1), dims(q)[2], dims(k)[2]
	key, at := n.iotaTo(dtype.I32, 3, one, one, one, keys), n.iotaTo(dtype.I32, 2, one, one, queries, one)
	var seen *dag.Value
	and := func(v *dag.Value) {
		if seen != nil {
			v = n.binary("and", seen, v)
		}
		seen = v
	}
	switch {
	case n.has(6):
		used := n.reshapeTo(n.convert(n.in(6), dtype.I32), dims(k)[0], one, one, one)
		and(n.compare(op.LT, key, used))
		at = n.binary("add", at, n.binary("subtract", used, n.sizeValue(dtype.I32, q, 2)))
	case before != shape.N(0):
		at = n.binary("add", at, n.sizeValue(dtype.I32, n.in(4), 2))
	}
	if causal {
		and(n.compare(op.LE, key, at))
	}
	if left >= 0 {
		and(n.compare(op.GE, key, n.plus(at, -float64(min(left, most)))))
	}
	if right >= 0 {
		and(n.compare(op.LE, key, n.plus(at, float64(min(right, most)))))
	}
	return seen
}

// shared repeats each head of k [B, G, S, D] as often as q has heads for it.
func (n *node) shared(k, q *dag.Value) *dag.Value {
	heads, groups := extent(q, 1), extent(k, 1)
	if heads == groups {
		return k
	}
	if groups == 0 || heads%groups != 0 {
		n.refuse("%d heads that share %d", heads, groups)
	}
	d := dims(k)
	wide := shape.Shape{d[0], d[1], shape.N(heads / groups), d[2], d[3]}
	k = n.add("broadcast_in_dim", op.Attrs{"sizes": wide, "dims": []int64{0, 1, 3, 4}}, k)
	return n.reshapeTo(k, d[0], shape.N(heads), d[2], d[3])
}

// scored is attention in single steps: it returns the result, and the scores of the stage
// that the node requests.
func (n *node) scored(q, k, v, mask *dag.Value, causal bool) (y, scores *dag.Value) {
	product := func(a, b *dag.Value, dim int64) *dag.Value {
		batch := []int64{0, 1}
		return n.add("dot_general", op.Attrs{"lhs_batching": batch, "rhs_batching": batch, "lhs_contracting": []int64{3}, "rhs_contracting": []int64{dim}}, a, b)
	}
	k, v = n.shared(k, q), n.shared(v, q)
	stages := []*dag.Value{n.scale(product(q, k, 3), n.float("scale", 1/math.Sqrt(float64(extent(q, 3)))))}
	last := func() *dag.Value { return stages[len(stages)-1] }
	capped := last()
	if soft := n.float("softcap", 0); soft != 0 {
		capped = n.scale(n.add("tanh", nil, n.over(capped, soft)), soft)
	}
	stages = append(stages, capped)
	if causal {
		mask = n.sum(mask, n.hiding(n.upTo(q, k), q.Type.DType, math.Inf(-1)))
	}
	masked := last()
	if mask != nil {
		masked = n.binary("add", masked, mask)
	}
	stages = append(stages, masked, n.add("softmax", op.Attrs{"dim": int64(3)}, masked))
	stage := n.int("qk_matmul_output_mode", 0)
	if stage < 0 || int(stage) >= len(stages) {
		n.refuse("the scores of stage %d", stage)
	}
	return product(last(), v, 2), stages[stage]
}
