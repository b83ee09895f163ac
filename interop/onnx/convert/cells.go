package convert

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/op"
)

var cellRules = map[string]rule{
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
			if soft != 0 {
				n.refuse("a soft cap behind the mask, where ours is before it")
			}
			mask := n.in(3)
			if mask.Type.DType == dtype.Bool {
				zero := n.splatOf(q.Type.DType, 0, sizes(mask)...)
				mask = n.choose(mask, zero, n.splat(zero, math.Inf(-1)))
			}
			in = append(in, mask)
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
		if flat {
			y = n.transpose(y, 0, 2, 1, 3)
			y = n.reshape(y, sizes(y)[0], sizes(y)[1], sizes(y)[2]*sizes(y)[3])
		}
		return []*dag.Value{y, k, v}
	},
	"LSTM": func(n *node) []*dag.Value {
		x, w, r, bias, h := n.recurrent(4)
		c := n.initial(6, h)
		if n.has(7) || n.int("input_forget", 0) != 0 {
			n.refuse("peepholes and coupled gates")
		}
		var steps []*dag.Value
		for _, xt := range x {
			out := n.outputs("lstm_cell", nil, xt, h, c, w, r, bias)
			h, c = out[0], out[1]
			steps = append(steps, h)
		}
		return append(n.sequence(steps), n.direction(c))
	},
	"GRU": func(n *node) []*dag.Value {
		x, w, r, bias, h := n.recurrent(3)
		attrs := op.Attrs{"linear_before_reset": n.int("linear_before_reset", 0) == 1}
		var steps []*dag.Value
		for _, xt := range x {
			h = n.add("gru_cell", attrs, xt, h, w, r, bias)
			steps = append(steps, h)
		}
		return n.sequence(steps)
	},
}

// heads gives x as [B, H, T, D], and whether it was [B, T, H*D]. ONNX 1.18 reads
// such elements in their order, without a transposition, and so do the expected
// values; so it is with the order of shared heads. Later versions differ.
func (n *node) heads(x *dag.Value, count string) (*dag.Value, bool) {
	if rank(x) == 4 {
		return x, false
	}
	s, h := sizes(x), n.int(count, 1)
	return n.reshape(x, s[0], h, s[1], s[2]/h), true
}

// outputs adds a node and gives all that it makes.
func (e *env) outputs(name string, attrs op.Attrs, in ...*dag.Value) []*dag.Value {
	if _, err := op.Lookup(name); err != nil {
		panic(refusal{unmapped("the table has no operation %s", name)})
	}
	n, err := e.b.Add(name, e.at+"/"+name, attrs, in...)
	if err != nil {
		panic(refusal{err})
	}
	return n.Outputs
}

// recurrent gives the operands of a cell with so many gates for each step.
func (n *node) recurrent(gates int64) (x []*dag.Value, w, r, bias, h *dag.Value) {
	for _, name := range []string{"activations", "clip"} {
		if _, ok := n.Attributes[name]; ok {
			n.refuse("cells of other functions")
		}
	}
	if n.has(4) || n.str("direction", "forward") != "forward" {
		n.refuse("sequences of several lengths and other directions")
	}
	all := n.in(0)
	if n.int("layout", 0) == 1 {
		all = n.transpose(all, 1, 0, 2)
	}
	s := sizes(all)
	for t := range s[0] {
		x = append(x, n.reshape(n.window(all, 0, t, t+1, 1), s[1], s[2]))
	}
	drop := func(v *dag.Value) *dag.Value { return n.reshape(v, sizes(v)[1:]...) }
	w, r = drop(n.in(1)), drop(n.in(2))
	hidden := sizes(r)[1]
	bias = n.splatOf(all.Type.DType, 0, 2*gates*hidden)
	if n.has(3) {
		bias = drop(n.in(3))
	}
	return x, w, r, bias, n.initial(5, n.splatOf(all.Type.DType, 0, s[1], hidden))
}

// initial gives input i without its direction, or zeros like usual.
func (n *node) initial(i int, usual *dag.Value) *dag.Value {
	if !n.has(i) {
		return n.splat(usual, 0)
	}
	return n.reshape(n.in(i), sizes(usual)...)
}

// direction makes a last state an output.
func (n *node) direction(h *dag.Value) *dag.Value {
	s := sizes(h)
	if n.int("layout", 0) == 1 {
		return n.reshape(h, s[0], 1, s[1])
	}
	return n.reshape(h, 1, s[0], s[1])
}

// sequence gives all states, and the last.
func (n *node) sequence(steps []*dag.Value) []*dag.Value {
	var list []*dag.Value
	s := sizes(steps[0])
	for _, h := range steps {
		list = append(list, n.reshape(h, 1, 1, s[0], s[1]))
	}
	y := n.add("concatenate", op.Attrs{"dim": int64(0)}, list...)
	if n.int("layout", 0) == 1 {
		y = n.transpose(y, 2, 0, 1, 3)
	}
	return []*dag.Value{y, n.direction(steps[len(steps)-1])}
}
