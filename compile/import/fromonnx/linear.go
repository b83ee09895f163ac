package fromonnx

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Layers of language models whose state does not grow: linear attention (DeltaNet, Mamba 2)
// and the short convolution before it.
var linearRules = map[string]rule{
	"LinearAttention":     (*node).linearAttention,
	"CausalConvWithState": (*node).causalConvolution,
	"com.microsoft.LinearAttention": func(n *node) []*dag.Value {
		n.unset(map[string]int64{"state_window": 0})
		return n.linearAttention()
	},
	"com.microsoft.CausalConvWithState": func(n *node) []*dag.Value {
		n.unset(map[string]int64{
			"channels_last": 0, "dilation": 1, "input_channel_offset": 0, "input_channels": 0, "ndim": 1, "state_channels_last": 0, "state_length": 0,
			"state_update_capacity": 0, "state_window": 0,
		})
		return n.causalConvolution()
	},
}

// unset refuses other values of attributes than these.
func (n *node) unset(values map[string]int64) {
	for name, want := range values {
		if n.int(name, want) != want {
			n.refuse("the attribute %s=%d", name, n.int(name, want))
		}
	}
}

// recurrence is linear attention: the state S [B, H, K, V] is decayed, is written for a key
// and a value, and is read by a query, in each step. H are the heads of keys and values.
type recurrence struct {
	*node
	heads, group int64
	scale        float64
	state        *dag.Value
	q, k, v      *dag.Value // [T, B, H, G, K], [T, B, H, K], [T, B, H, V]
	decay, beta  *dag.Value // [T, B, H, K or 1], [T, B, H or 1, 1]; nil without
}

// linearAttention converts a query [B, T, H G K], a key [B, T, H K], a value [B, T, H V], and
// perhaps a state [B, H, K, V], a decay [B, T, H or H K] and an update rate [B, T, H or 1], to
// a result [B, T, H G V] and the next state. It is computed in f32.
func (n *node) linearAttention() []*dag.Value {
	q, k, v := n.in(0), n.in(1), n.in(2)
	r := &recurrence{node: n, heads: n.int("kv_num_heads", 0)}
	all := n.int("q_num_heads", 0)
	if r.heads < 1 || all < 1 || all%r.heads != 0 {
		n.malformed("%d heads of queries, and %d of keys", all, r.heads)
	}
	r.group = all / r.heads
	deep, wide := r.perHead(k), r.perHead(v)
	if extent(q, 2) != all*deep {
		n.malformed("a query of %d elements, with %d heads of %d", extent(q, 2), all, deep)
	}
	if r.scale = n.float("scale", 0); r.scale == 0 {
		r.scale = 1 / math.Sqrt(float64(deep))
	}
	b, t := dims(q)[0], dims(q)[1]
	unpacked := func(x *dag.Value, sizes ...int64) *dag.Value {
		x = n.reshapeTo(x, append(shape.Shape{b, t}, shape.Of(sizes...)...)...)
		perm := []int64{1, 0}
		for i := range sizes {
			perm = append(perm, int64(2+i))
		}
		return n.transpose(x, perm...)
	}
	r.q, r.k, r.v = unpacked(q, r.heads, r.group, deep), unpacked(k, r.heads, deep), unpacked(v, r.heads, wide)
	how := n.str("update_rule", "gated_delta")
	if gated := how == "gated" || how == "gated_delta"; gated != n.has(4) {
		n.malformed("the rule %q, and a decay or none: one with a decay is gated", how)
	} else if gated {
		g := n.in(4)
		if size := extent(g, 2); size != r.heads && size != r.heads*deep {
			n.malformed("a decay of %d elements, for %d heads of %d", size, r.heads, deep)
		}
		r.decay = unpacked(g, r.heads, extent(g, 2)/r.heads)
	}
	if delta := how == "delta" || how == "gated_delta"; delta != n.has(5) {
		n.malformed("the rule %q, and an update rate or none: one with a rate is a delta rule", how)
	} else if delta {
		beta := n.in(5)
		if size := extent(beta, 2); size != r.heads && size != 1 {
			n.malformed("an update rate of %d elements, for %d heads", size, r.heads)
		}
		r.beta = unpacked(beta, extent(beta, 2), 1)
	}
	kept := q.Type.DType
	r.state = n.splatTo(dtype.F32, 0, b, shape.N(r.heads), shape.N(deep), shape.N(wide))
	if n.has(3) {
		past := n.in(3)
		n.stateOf(past, dims(r.state))
		kept, r.state = past.Type.DType, n.convert(past, dtype.F32)
	}
	y, state := r.run()
	y = n.reshapeTo(n.transpose(y, 1, 0, 2), b, t, shape.N(all*wide))
	return []*dag.Value{n.convert(y, q.Type.DType), n.convert(state, kept)}
}

// stateOf refuses a state of other sizes, as far as they are numbers; operations compare names.
func (n *node) stateOf(v *dag.Value, want shape.Shape) {
	for i, d := range dims(v) {
		if d.IsStatic() && want[i].IsStatic() && d != want[i] {
			n.malformed("a state [%s]: it is [%s]", dims(v), want)
		}
	}
}

// perHead returns the elements of a head.
func (r *recurrence) perHead(x *dag.Value) int64 {
	if extent(x, 2)%r.heads != 0 {
		r.malformed("%d heads of %d elements", r.heads, extent(x, 2))
	}
	return extent(x, 2) / r.heads
}

// rows are what one step takes of each input.
func (r *recurrence) rows() []*dag.Value {
	list := []*dag.Value{r.q, r.k, r.v}
	for _, v := range []*dag.Value{r.decay, r.beta} {
		if v != nil {
			list = append(list, v)
		}
	}
	return list
}

// step returns the result [B, H G V] of one step, and the next state.
func (r *recurrence) step(e *env, rows []*dag.Value, s *dag.Value) (y, next *dag.Value) {
	for i, v := range rows { // here, and not for all steps at once
		rows[i] = e.convert(v, dtype.F32)
	}
	q, k, v, more := rows[0], rows[1], rows[2], rows[3:]
	column := func(x *dag.Value) *dag.Value { return e.reshapeTo(x, append(slices.Clone(dims(x)), shape.N(1))...) }
	dot := func(x *dag.Value, contracting int64) *dag.Value {
		lead := []int64{0, 1}
		return e.add("dot_general", op.Attrs{
			"lhs_batching": lead, "rhs_batching": lead, "lhs_contracting": []int64{contracting}, "rhs_contracting": []int64{2},
		}, x, s)
	}
	if r.decay != nil {
		s = e.binary("multiply", s, column(e.add("exp", nil, more[0])))
		more = more[1:]
	}
	if r.beta != nil {
		v = e.binary("multiply", e.binary("subtract", v, dot(k, 2)), more[0])
	}
	d := dims(v)
	s = e.binary("add", s, e.binary("multiply", column(k), e.reshapeTo(v, d[0], d[1], shape.N(1), d[2])))
	y = e.scale(dot(q, 3), r.scale)
	return e.reshapeTo(y, d[0], shape.N(r.heads*r.group*d[2].Size)), s
}

// run returns the results [T, B, H G V], and the last state. Few steps are written out; more
// are a loop.
func (r *recurrence) run() (y, state *dag.Value) {
	steps := dims(r.q)[0]
	if steps.IsStatic() && steps.Size > 0 && steps.Size <= written {
		state = r.state
		var all []*dag.Value
		for t := range steps.Size {
			var rows []*dag.Value
			for _, v := range r.rows() {
				rows = append(rows, r.reshapeTo(r.window(v, 0, t, t+1, 1), dims(v)[1:]...))
			}
			y, state = r.step(r.env, rows, state)
			all = append(all, r.row(y))
		}
		return r.add("concatenate", op.Attrs{"dim": int64(0)}, all...), state
	}
	count := r.sizeValue(dtype.I32, r.q, 0)
	wide := shape.N(r.heads * r.group * extent(r.v, 3))
	initial := []*dag.Value{r.splatOf(dtype.I32, 0), r.splatTo(dtype.F32, 0, steps, dims(r.q)[1], wide), r.state}
	test, body := &dag.Block{}, &dag.Block{}
	for _, v := range initial {
		test.AddArg(v.Type)
		body.AddArg(v.Type)
	}
	test.Results = one(r.inner(test, r.env).compare(op.LT, test.Args[0], count))
	e := r.inner(body, r.env)
	t, zero := body.Args[0], e.splatOf(dtype.I32, 0)
	var rows []*dag.Value
	for _, v := range r.rows() {
		at := append([]*dag.Value{v, t}, slices.Repeat([]*dag.Value{zero}, rank(v)-1)...)
		row := e.add("dynamic_slice", op.Attrs{"sizes": append(shape.Shape{shape.N(1)}, dims(v)[1:]...)}, at...)
		rows = append(rows, e.reshapeTo(row, dims(v)[1:]...))
	}
	y, state = r.step(e, rows, body.Args[2])
	body.Results = []*dag.Value{e.plus(t, 1), e.add("dynamic_update_slice", nil, body.Args[1], e.row(y), t, zero, zero), state}
	w, err := r.b.AddWhile(r.at, test, body, initial...)
	if err != nil {
		panic(refusal{err})
	}
	return w.Outputs[1], w.Outputs[2]
}

// causalConvolution converts a convolution of each channel of x [B, C, L] with weights
// [C, 1, K] that sees the places before it, of which the state [B, C, K-1] has those before x.
func (n *node) causalConvolution() []*dag.Value {
	x, w := n.in(0), n.in(1)
	c, k := extent(x, 1), extent(w, 2)
	if extent(w, 0) != c || extent(w, 1) != 1 || k < 1 {
		n.malformed("weights [%s] for %d channels", dims(w), c)
	}
	kept := shape.Shape{dims(x)[0], shape.N(c), shape.N(k - 1)}
	state := n.splatTo(x.Type.DType, 0, kept...)
	if n.has(3) {
		state = n.in(3)
		n.stateOf(state, kept)
	}
	seen := x
	if k > 1 {
		seen = n.add("concatenate", op.Attrs{"dim": int64(2)}, state, x)
		zero := n.splatOf(dtype.I32, 0)
		state = n.add("dynamic_slice", op.Attrs{"sizes": kept}, seen, zero, zero, n.sizeValue(dtype.I32, x, 2))
	}
	y := n.captured(func(_ *lang.Func, in []lang.Tensor) lang.Tensor {
		return in[0].Conv(in[1], lang.WindowOptions{Groups: c})
	}, seen, w)
	y = n.bias(y, 2)
	if n.str("activation", "none") != "none" {
		y = n.convert(y, dtype.F32)
		y = n.convert(n.binary("multiply", y, n.add("logistic", nil, y)), x.Type.DType)
	}
	return []*dag.Value{y, state}
}
