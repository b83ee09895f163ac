package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// groupQuery is causal attention in which several heads share one of k and v. Its past
// holds the steps before, and its present those and the new ones. seqlens_k, input 5, is
// one less than the steps of each sequence; what is beyond is padding.
func (n *node) groupQuery() []*dag.Value {
	heads, groups := n.int("num_heads", 1), n.int("kv_num_heads", 1)
	for i, what := range []string{"scaled keys", "scaled values"} {
		if n.has(12 + i) {
			n.refuse("attention with %s: a past of integers", what)
		}
	}
	if n.has(16) {
		n.refuse("attention with numbers of queries: padding that a call decides")
	}
	q, k, v := n.sharing(heads, groups)
	if n.has(14) {
		q = n.headNorm(q, 14, "q_norm_epsilon")
	}
	if n.has(15) {
		k = n.headNorm(k, 15, "k_norm_epsilon")
	}
	before := shape.N(0)
	if n.has(3) {
		before = dims(n.in(3))[2]
		n.filled(before, dims(q))
	}
	if n.int("do_rotary", 0) == 1 {
		places := n.iotaTo(dtype.I32, 1, dims(q)[0], dims(q)[2])
		switch {
		case n.has(9):
			places = n.convert(n.in(9), dtype.I32)
		case n.has(3):
			places = n.binary("add", places, n.sizeValue(dtype.I32, n.in(3), 2))
		}
		cos, sin, paired := n.rowsOf(n.in(7), places), n.rowsOf(n.in(8), places), n.int("rotary_interleaved", 0) == 1
		q, k = n.rotated(q, cos, sin, 0, paired), n.rotated(k, cos, sin, 0, paired)
	}
	if n.has(3) {
		k, v = n.joined2(n.in(3), k), n.joined2(n.in(4), v)
	}
	last := n.convert(n.in(5), dtype.I32)
	one := shape.N(1)
	last = n.reshapeTo(last, dims(q)[0], one, one, one)
	seen := n.compare(op.LE, n.iotaTo(dtype.I32, 3, one, one, one, dims(k)[2]), last)
	if w := n.int("local_window_size", -1); w > 0 {
		s, t := dims(q)[2], dims(k)[2]
		behind := n.binary("subtract", n.sizeValue(dtype.I32, k, 2), n.sizeValue(dtype.I32, q, 2))
		first := n.plus(n.binary("add", n.iotaTo(dtype.I32, 0, s, t), behind), float64(-w))
		near := n.compare(op.GT, n.iotaTo(dtype.I32, 1, s, t), first)
		seen = n.binary("and", seen, near)
	}
	mask := n.hiding(seen, q.Type.DType, math.Inf(-1))
	if n.has(10) {
		mask = n.sum(mask, n.in(10))
	}
	causal := n.int("causal", 1) == 1
	if !n.has(11) && n.int("smooth_softmax", 0) != 1 {
		return []*dag.Value{n.flat(n.attended(q, k, v, mask, before, causal)), k, v}
	}
	first, second, mask := n.sunk(q, k, v, mask)
	return []*dag.Value{n.flat(n.attended(q, first, second, mask, before.Plus(shape.N(1)), causal)), k, v}
}

// sunk adds a key and a value of zeros before k and v [B, G, T, D], whose score is the sink of
// each head, input 11, or 0 (Xiao et al. 2023).
func (n *node) sunk(q, k, v, mask *dag.Value) (keys, values, scores *dag.Value) {
	front := func(x *dag.Value) *dag.Value {
		d := slices.Clone(dims(x))
		d[2] = shape.N(1)
		return n.joined2(n.splatTo(x.Type.DType, 0, d...), x)
	}
	heads, d := dims(q)[1], slices.Clone(dims(mask))
	sink := n.splatTo(mask.Type.DType, 0, heads)
	if n.has(11) {
		sink = n.convert(n.in(11), mask.Type.DType)
	}
	d[1] = heads
	column := slices.Clone(d)
	column[3] = shape.N(1)
	sink = n.spreadTo(n.reshapeTo(sink, shape.N(1), heads, shape.N(1), shape.N(1)), column)
	mask = n.add("concatenate", op.Attrs{"dim": int64(3)}, sink, n.spreadTo(mask, d))
	return front(k), front(v), mask
}

// headNorm divides each head by its root mean square, and multiplies it by input i.
func (n *node) headNorm(x *dag.Value, i int, epsilon string) *dag.Value {
	return n.add("rms_norm", op.Attrs{"epsilon": n.float(epsilon, n.float("qk_norm_epsilon", 1e-6))}, x, n.convert(n.in(i), x.Type.DType))
}

// sharing returns q of so many heads and k and v of so many groups, inputs 0 to 2 or side by
// side in the first.
func (n *node) sharing(heads, groups int64) (q, k, v *dag.Value) {
	if heads < 1 || groups < 1 {
		n.malformed("%s with num_heads=%d and kv_num_heads=%d", n.Op, heads, groups)
	}
	if n.has(1) {
		q, k, v = n.apart(n.in(0), heads), n.apart(n.in(1), groups), n.apart(n.in(2), groups)
	} else {
		x := n.in(0)
		size := extent(x, 2) / (heads + 2*groups)
		part := func(from, count int64) *dag.Value {
			return n.apart(n.window(x, 2, from*size, (from+count)*size, 1), count)
		}
		q, k, v = part(0, heads), part(heads, groups), part(heads+groups, groups)
	}
	return q, k, v
}

// filled refuses a past that is a buffer with room for more than what is in it, where the
// numbers of positions tell, and notes what is assumed where they do not.
func (n *node) filled(past shape.Dim, q shape.Shape) {
	if n.has(6) {
		total, known := n.certain(n.in(6))
		if known && past.IsStatic() && q[2].IsStatic() && wholes(total)[0] != past.Size+q[2].Size {
			n.refuse("attention over %d positions whose past has %d and whose keys have %d: a past that is a buffer, and not full", wholes(total)[0], past.Size, q[2].Size)
		}
	}
	if n.filling[past.Name] {
		return
	}
	n.assume("GroupQueryAttention takes its whole past as filled, and all sequences of a batch as equally long")
}
