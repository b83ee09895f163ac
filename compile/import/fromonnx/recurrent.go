package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
)

var recurrentRules = map[string]rule{
	"LSTM": func(n *node) []*dag.Value {
		x, w, r, bias, h := n.recurrent(4)
		c := n.initial(6, h)
		if n.int("input_forget", 0) != 0 {
			n.refuse("coupled gates")
		}
		var steps []*dag.Value
		for _, xt := range x {
			if n.has(7) {
				h, c = n.peeping(xt, h, c, w, r, bias)
			} else {
				out := n.outputs("lstm_cell", nil, xt, h, c, w, r, bias)
				h, c = out[0], out[1]
			}
			steps = append(steps, h)
		}
		return append(n.sequence(steps), n.direction(c))
	},
	"RNN": func(n *node) []*dag.Value {
		x, w, r, bias, h := n.recurrent(1)
		var steps []*dag.Value
		for _, xt := range x {
			h = n.add("tanh", nil, n.gates(xt, h, w, r, bias))
			steps = append(steps, h)
		}
		return n.sequence(steps)
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

// gates returns x w' + h r' + the sum of both biases.
func (n *node) gates(x, h, w, r, bias *dag.Value) *dag.Value {
	dot := func(a, b *dag.Value) *dag.Value {
		return n.add("dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{1}}, a, b)
	}
	half := sizes(bias)[0] / 2
	sum := n.binary("add", dot(x, w), dot(h, r))
	return n.binary("add", sum, n.binary("add", n.window(bias, 0, 0, half, 1), n.window(bias, 0, half, 2*half, 1)))
}

// peeping is a step of an LSTM with peephole connections (Gers and Schmidhuber 2000).
func (n *node) peeping(x, h, c, w, r, bias *dag.Value) (*dag.Value, *dag.Value) {
	hidden := sizes(h)[1]
	gates, peep := n.gates(x, h, w, r, bias), n.reshape(n.in(7), 3*hidden)
	gate := func(i int64) *dag.Value { return n.window(gates, 1, i*hidden, (i+1)*hidden, 1) }
	seeing := func(i int64, cell *dag.Value) *dag.Value {
		return n.add("logistic", nil, n.binary("add", gate(i), n.binary("multiply", n.window(peep, 0, i*hidden, (i+1)*hidden, 1), cell)))
	}
	kept := n.binary("multiply", seeing(2, c), c)
	c = n.binary("add", kept, n.binary("multiply", seeing(0, c), n.add("tanh", nil, gate(3))))
	return n.binary("multiply", seeing(1, c), n.add("tanh", nil, c)), c
}

// recurrent returns the operands of a cell with so many gates for each step.
func (n *node) recurrent(gates int64) (x []*dag.Value, w, r, bias, h *dag.Value) {
	for _, name := range []string{"activations", "clip"} {
		if _, ok := n.Attributes[name]; ok {
			n.refuse("cells of other functions")
		}
	}
	all := n.in(0)
	if n.int("layout", 0) == 1 {
		all = n.transpose(all, 1, 0, 2)
	}
	if n.has(4) && slices.ContainsFunc(wholes(n.value(n.in(4))), func(l int64) bool { return l != sizes(all)[0] }) ||
		n.str("direction", "forward") != "forward" {
		n.refuse("sequences of several lengths and other directions")
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

// initial returns input i without its direction, or zeros with the type of usual.
func (n *node) initial(i int, usual *dag.Value) *dag.Value {
	if !n.has(i) {
		return n.splat(usual, 0)
	}
	return n.reshape(n.in(i), sizes(usual)...)
}

// direction turns a last state into an output.
func (n *node) direction(h *dag.Value) *dag.Value {
	s := sizes(h)
	if n.int("layout", 0) == 1 {
		return n.reshape(h, s[0], 1, s[1])
	}
	return n.reshape(h, 1, s[0], s[1])
}

// sequence returns all states, and the last.
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
