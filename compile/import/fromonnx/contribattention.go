package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Attention as ONNX Runtime's optimizer and its exporters of language models write it.
var contribAttentionRules = map[string]rule{
	"Attention": func(n *node) []*dag.Value {
		if n.has(6) {
			n.refuse("attention over a past that is a buffer, of which a part is in use")
		}
		return n.jointAttention(n.plusInput(n.product(n.in(0), n.in(1)), 2), 3, 4, 5)
	},
	"QAttention": func(n *node) []*dag.Value {
		zero := func(v *dag.Value, i int) *dag.Value {
			v = n.convert(v, dtype.I32)
			if n.has(i) {
				v = n.binary("subtract", v, n.convert(n.in(i), dtype.I32))
			}
			return v
		}
		sum := n.product(zero(n.in(0), 6), zero(n.in(1), 7))
		x := n.binary("multiply", n.convert(sum, dtype.F32), n.binary("multiply", n.unit(n.in(3)), n.unit(n.in(4))))
		return n.jointAttention(n.binary("add", x, n.in(2)), 5, 8, -1)
	},
	"MultiHeadAttention":              (*node).multiHead,
	"GroupQueryAttention":             (*node).groupQuery,
	"SparseAttention":                 (*node).sparse,
	"DecoderMaskedMultiHeadAttention": (*node).maskedDecoder,
	"RotaryEmbedding": func(n *node) []*dag.Value {
		x := n.in(0)
		flat := rank(x) == 3
		if flat {
			size := n.int("rotary_embedding_dim", 0)
			heads := n.int("num_heads", 0)
			if heads == 0 {
				if size == 0 {
					size = 2 * extent(n.in(2), 1)
				}
				if size < 1 {
					n.malformed("RotaryEmbedding of tables [%s] and rotary_embedding_dim=%d", dims(n.in(2)), size)
				}
				heads = extent(x, 2) / size
			}
			x = n.apart(x, heads)
		}
		places := n.convert(n.in(1), dtype.I32)
		if rank(places) == 1 { // the first place
			steps := n.iotaTo(dtype.I32, 1, dims(x)[0], dims(x)[2])
			places = n.binary("add", steps, n.reshape(places))
		}
		y := n.rotated(x, n.rowsOf(n.in(2), places), n.rowsOf(n.in(3), places), n.int("rotary_embedding_dim", 0), n.int("interleaved", 0) == 1)
		if flat {
			y = n.flat(y)
		}
		return one(y)
	},
}

func init() {
	for name, r := range contribAttentionRules {
		rules["com.microsoft."+name] = r
	}
}

// unit makes a scalar of a tensor of one element, and leaves others.
func (n *node) unit(v *dag.Value) *dag.Value {
	if s := v.Type.Shape; len(s) > 0 && s.IsStatic() && product(s.Sizes()) == 1 {
		return n.reshape(v)
	}
	return v
}

// product multiplies rows [..., K] by a matrix [K, N].
func (n *node) product(x, w *dag.Value) *dag.Value {
	return n.add("dot_general", op.Attrs{"lhs_contracting": []int64{int64(rank(x) - 1)}, "rhs_contracting": []int64{0}}, x, w)
}

// apart makes [B, S, H D] to [B, H, S, D]; flat is the reverse.
func (n *node) apart(x *dag.Value, heads int64) *dag.Value {
	if heads < 1 || extent(x, 2)%heads != 0 {
		n.refuse("%d heads of %d elements", heads, extent(x, 2))
	}
	d := dims(x)
	return n.transpose(n.reshapeTo(x, d[0], d[1], shape.N(heads), shape.N(extent(x, 2)/heads)), 0, 2, 1, 3)
}

func (n *node) flat(x *dag.Value) *dag.Value {
	x = n.transpose(x, 0, 2, 1, 3)
	d := dims(x)
	return n.reshapeTo(x, d[0], d[1], d[2].Times(d[3]))
}

// jointAttention is attention of q, k and v that lie side by side in x [B, S, 3 H D], with
// a mask, a past [2, B, H, P, D] and a bias of the scores that are inputs.
func (n *node) jointAttention(x *dag.Value, mask, past, bias int) []*dag.Value {
	heads, total := n.int("num_heads", 1), extent(x, 2)
	widths := []int64{total / 3, total / 3, total / 3}
	if list, ok := n.ints("qkv_hidden_sizes", -1); ok {
		if len(list) != 3 || list[0] != list[1] || list[0]+list[1]+list[2] != total {
			n.refuse("widths %v of q, k and v in %d elements", list, total)
		}
		widths = list
	}
	if n.int("do_rotary", 0) == 1 {
		n.refuse("attention that rotates without tables")
	}
	part, at := func(i int, from int64) *dag.Value { return n.apart(n.window(x, 2, from, from+widths[i], 1), heads) }, widths[0]
	q, k, v := part(0, 0), part(1, at), part(2, at+widths[1])
	before := shape.N(0)
	if past >= 0 && n.has(past) {
		p := n.in(past)
		before = dims(p)[3]
		of := func(i int64) *dag.Value { return n.reshapeTo(n.window(p, 0, i, i+1, 1), dims(p)[1:]...) }
		k, v = n.joined2(of(0), k), n.joined2(of(1), v)
	}
	var scores *dag.Value
	if n.has(mask) {
		scores = n.masking(n.in(mask), k, q)
	}
	if bias >= 0 && n.has(bias) {
		scores = n.sum(scores, n.in(bias))
	}
	y := n.attended(q, k, v, scores, before, n.int("unidirectional", 0) == 1)
	out := one(n.flat(y))
	if n.wants(1) {
		row := func(v *dag.Value) *dag.Value { return n.reshapeTo(v, append(shape.Shape{shape.N(1)}, dims(v)...)...) }
		out = append(out, n.add("concatenate", op.Attrs{"dim": int64(0)}, row(k), row(v)))
	}
	return out
}

// joined2 appends the steps of v to those of past.
func (n *node) joined2(past, v *dag.Value) *dag.Value {
	return n.add("concatenate", op.Attrs{"dim": int64(2)}, past, v)
}

// sum adds what is given.
func (n *node) sum(a, b *dag.Value) *dag.Value {
	if a == nil {
		return b
	}
	return n.binary("add", a, b)
}

// masking turns a mask of keys k for queries q into what is added to the scores: lengths
// [B], of which keys beyond are hidden, or flags [B, T], [B, S, T] or [B, 1, S, T].
func (n *node) masking(mask, k, q *dag.Value) *dag.Value {
	d, t := dims(mask), dims(k)[2]
	one := shape.N(1)
	var seen *dag.Value
	switch rank(mask) {
	case 1:
		if !d[0].Same(dims(k)[0]) {
			n.refuse("a mask of the starts and ends of sequences")
		}
		places := n.iotaTo(dtype.I32, 3, one, one, one, t)
		seen = n.compare(op.LT, places, n.reshapeTo(n.convert(mask, dtype.I32), d[0], one, one, one))
	case 2:
		seen = n.reshapeTo(mask, d[0], one, one, d[1])
	case 3:
		seen = n.reshapeTo(mask, d[0], one, d[1], d[2])
	default:
		seen = mask
	}
	if seen.Type.DType != dtype.Bool {
		seen = n.compare(op.NE, seen, n.splat(seen, 0))
	}
	return n.hiding(seen, q.Type.DType, n.float("mask_filter_value", -10000))
}

// hiding is zero where something is seen, and else a number.
func (n *node) hiding(seen *dag.Value, d dtype.DType, hidden float64) *dag.Value {
	zero := n.splatTo(d, 0, dims(seen)...)
	return n.choose(seen, zero, n.splat(zero, hidden))
}

// attended is attention of queries behind a number of steps.
func (n *node) attended(q, k, v, mask *dag.Value, before shape.Dim, causal bool) *dag.Value {
	attrs := op.Attrs{"scale": n.float("scale", 0), "soft_cap": n.float("softcap", 0)}
	switch {
	case causal && before.IsStatic():
		attrs["causal"], attrs["offset"] = true, before.Size
	case causal:
		mask = n.sum(mask, n.hiding(n.upTo(q, k), q.Type.DType, math.Inf(-1)))
	}
	in := []*dag.Value{q, k, v}
	if mask != nil {
		in = append(in, mask)
	}
	return n.add("attention", attrs, in...)
}

// upTo reports which keys [T] each of the last queries [S] sees if it sees none after it.
func (n *node) upTo(q, k *dag.Value) *dag.Value {
	s, t := dims(q)[2], dims(k)[2]
	before := n.binary("subtract", n.sizeValue(dtype.I32, k, 2), n.sizeValue(dtype.I32, q, 2))
	return n.compare(op.LE, n.iotaTo(dtype.I32, 1, s, t), n.binary("add", n.iotaTo(dtype.I32, 0, s, t), before))
}

// headInputs are the places of inputs of attention of several heads.
type headInputs struct{ bias, mask, scores, past, buffer int }

// multiHead is attention of separate q, k and v, or of k and v or all three side by side
// for each head.
func (n *node) multiHead() []*dag.Value {
	return n.manyHeads(headInputs{bias: 3, mask: 4, scores: 5, past: 6, buffer: 8})
}

// maskedDecoder is the same for one step of a decoder.
func (n *node) maskedDecoder() []*dag.Value {
	return n.manyHeads(headInputs{bias: 10, mask: 3, scores: 4, past: 5, buffer: 7})
}

func (n *node) manyHeads(at headInputs) []*dag.Value {
	heads := n.int("num_heads", 1)
	side := func(x *dag.Value, i int64) *dag.Value { // [B, S, H, n, D] to [B, H, S, D]
		d := dims(x)
		return n.transpose(n.reshapeTo(n.window(x, 3, i, i+1, 1), d[0], d[1], d[2], d[4]), 0, 2, 1, 3)
	}
	if n.has(at.buffer) || n.has(at.buffer+1) || n.int("past_present_share_buffer", 0) == 1 {
		n.refuse("attention over a past that is a buffer, of which a part is in use")
	}
	var q, k, v *dag.Value
	apart := func(i int) *dag.Value {
		if x := n.in(i); rank(x) == 4 {
			return x
		}
		return n.apart(n.in(i), heads)
	}
	switch x := n.in(0); {
	case rank(x) == 5:
		q, k, v = side(x, 0), side(x, 1), side(x, 2)
	case n.has(1) && rank(n.in(1)) == 5:
		q, k, v = apart(0), side(n.in(1), 0), side(n.in(1), 1)
	case n.has(1) && n.has(2):
		q, k, v = apart(0), apart(1), apart(2)
	default:
		n.refuse("attention without keys")
	}
	if n.has(at.bias) { // a bias for q, k and v, one behind the other
		if n.has(1) && rank(n.in(1)) == 4 {
			n.refuse("a bias of keys that are ready")
		}
		b, size := n.in(at.bias), heads*extent(q, 3)
		widths := []int64{size, size, heads * extent(v, 3)}
		from := int64(0)
		for i, x := range []**dag.Value{&q, &k, &v} {
			part := n.window(b, 0, from, from+widths[i], 1)
			from += widths[i]
			*x = n.binary("add", *x, n.reshape(part, heads, 1, widths[i]/heads))
		}
	}
	before := shape.N(0)
	if n.has(at.past) && n.has(at.past+1) {
		before = dims(n.in(at.past))[2]
		k, v = n.joined2(n.in(at.past), k), n.joined2(n.in(at.past+1), v)
	}
	var mask *dag.Value
	if n.has(at.mask) {
		mask = n.masking(n.in(at.mask), k, q)
	}
	if n.has(at.scores) {
		mask = n.sum(mask, n.in(at.scores))
	}
	return []*dag.Value{n.flat(n.attended(q, k, v, mask, before, n.int("unidirectional", 0) == 1)), k, v}
}

// assume notes what a rule takes for granted, once for a model.
func (s *session) assume(text string) {
	if !slices.Contains(s.assumed, text) {
		s.assumed = append(s.assumed, text)
	}
}

// rotated turns pairs of the first elements of x [B, H, S, D] by angles whose cosines and
// sines are [B, S, R/2]: pairs of neighbours, or one from each half.
func (n *node) rotated(x, cos, sin *dag.Value, size int64, neighbours bool) *dag.Value {
	last := extent(x, 3)
	if size == 0 {
		size = min(last, 2*extent(cos, 2))
	}
	half := size / 2
	table := func(v *dag.Value) *dag.Value {
		v = n.window(v, 2, 0, half, 1)
		return n.convert(n.reshapeTo(v, dims(v)[0], shape.N(1), dims(v)[1], shape.N(half)), x.Type.DType)
	}
	cos, sin = table(cos), table(sin)
	a, b := n.window(x, 3, 0, half, 1), n.window(x, 3, half, size, 1)
	if neighbours {
		a, b = n.window(x, 3, 0, size, 2), n.window(x, 3, 1, size, 2)
	}
	times := func(a, b *dag.Value) *dag.Value { return n.binary("multiply", a, b) }
	first, second := n.binary("subtract", times(a, cos), times(b, sin)), n.binary("add", times(a, sin), times(b, cos))
	join := func(dim int64, v ...*dag.Value) *dag.Value { return n.add("concatenate", op.Attrs{"dim": dim}, v...) }
	y := join(3, first, second)
	if neighbours {
		thin := append(slices.Clone(dims(first)), shape.N(1))
		y = n.reshapeTo(join(4, n.reshapeTo(first, thin...), n.reshapeTo(second, thin...)), dims(y)...)
	}
	if size == last {
		return y
	}
	return join(3, y, n.window(x, 3, size, last, 1))
}
