package fromonnx

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// product2 multiplies rows [..., K] by weights: [..., G H].
type product2 func(e *env, x *dag.Value) *dag.Value

// floatProduct multiplies by the transpose of w [G H, K].
func floatProduct(w *dag.Value) product2 {
	return func(e *env, x *dag.Value) *dag.Value {
		return e.add("dot_general", op.Attrs{"lhs_contracting": []int64{int64(rank(x) - 1)}, "rhs_contracting": []int64{1}}, x, w)
	}
}

// wholeProduct multiplies by integers w [K, G H], whose scale is input k and whose zero
// point is the one behind it. All rows together are quantized with one scale.
func (l *direction) wholeProduct(w *dag.Value, k int, i int64) product2 {
	parameter := func(v *dag.Value) *dag.Value {
		v = l.window(v, 0, i, i+1, 1)
		return l.reshape(v, sizes(v)[1:]...)
	}
	scale := parameter(l.in(k))
	whole := l.binary("subtract", l.convert(w, dtype.I32), l.convert(parameter(l.in(k+1)), dtype.I32))
	if l.dequantize {
		scaled := l.binary("multiply", l.convert(whole, dtype.F32), scale)
		return func(e *env, x *dag.Value) *dag.Value {
			return e.add("dot_general", op.Attrs{"lhs_contracting": []int64{int64(rank(x) - 1)}, "rhs_contracting": []int64{0}}, x, scaled)
		}
	}
	return func(e *env, x *dag.Value) *dag.Value {
		inside := &node{env: e, Node: l.Node}
		q := inside.dynamic(x)
		a := e.binary("subtract", e.convert(q[0], dtype.I32), e.convert(q[2], dtype.I32))
		sum := e.add("dot_general", op.Attrs{"lhs_contracting": []int64{int64(rank(x) - 1)}, "rhs_contracting": []int64{0}}, a, whole)
		return e.binary("multiply", e.convert(sum, dtype.F32), e.binary("multiply", q[1], scale))
	}
}

// gate is part i of the gates x [B, G H].
func (l *direction) gate(e *env, x *dag.Value, i int64) *dag.Value {
	return e.window(x, int64(rank(x)-1), i*l.hidden, (i+1)*l.hidden, 1)
}

// apply applies function i, after the clip of its argument.
func (l *direction) apply(e *env, i int, x *dag.Value) *dag.Value {
	if c := l.float("clip", 0); c != 0 {
		x = (&node{env: e}).between(x, -c, c)
	}
	return l.functions[i](e, x)
}

// rnn: h = f(x w + h r).
func (l *direction) rnn(e *env, xw *dag.Value, s state) state {
	return state{h: l.apply(e, 0, e.binary("add", xw, e.binary("add", l.recurrent(e, s.h), l.rb)))}
}

// gru is a gated recurrent unit (Cho et al. 2014): gates z, r and h. The reset r acts before
// the product with the state, or after it.
func (l *direction) gru(e *env, xw *dag.Value, s state) state {
	hr := e.binary("add", l.recurrent(e, s.h), l.rb)
	both := func(i int64) *dag.Value { return l.apply(e, 0, e.binary("add", l.gate(e, xw, i), l.gate(e, hr, i))) }
	z, r := both(0), both(1)
	var seen *dag.Value
	if l.int("linear_before_reset", 0) == 1 {
		seen = e.binary("multiply", r, l.gate(e, hr, 2))
	} else {
		seen = l.gate(e, e.binary("add", l.recurrent(e, e.binary("multiply", r, s.h)), l.rb), 2)
	}
	h := l.apply(e, 1, e.binary("add", l.gate(e, xw, 2), seen))
	kept := e.binary("multiply", z, s.h)
	return state{h: e.binary("add", e.binary("multiply", e.binary("subtract", e.splat(z, 1), z), h), kept)}
}

// lstm is a long short-term memory, with peephole connections if there are some (Gers and
// Schmidhuber 2000): gates i, o, f and c.
func (l *direction) lstm(e *env, xw *dag.Value, s state) state {
	sums := e.binary("add", xw, e.binary("add", l.recurrent(e, s.h), l.rb))
	gate := func(i, peep int64, c *dag.Value) *dag.Value {
		x := l.gate(e, sums, i)
		if l.peep != nil {
			x = e.binary("add", x, e.binary("multiply", l.gate(e, l.peep, peep), c))
		}
		return l.apply(e, 0, x)
	}
	in := gate(0, 0, s.c)
	forget := e.binary("subtract", e.splat(in, 1), in)
	if l.int("input_forget", 0) == 0 {
		forget = gate(2, 2, s.c)
	}
	c := e.binary("add", e.binary("multiply", forget, s.c), e.binary("multiply", in, l.apply(e, 1, l.gate(e, sums, 3))))
	return state{h: e.binary("multiply", gate(1, 1, c), l.functions[2](e, c)), c: c}
}

// activation is a function of a gate.
type activation func(e *env, x *dag.Value) *dag.Value

// activations returns the functions that a node names for each direction, or the usual
// ones. Those with parameters take them in turn from their lists.
func (n *node) activations(usual []string, count int) (list []activation) {
	names := slices.Repeat(usual, count)
	if a, ok := n.Attributes["activations"]; ok && len(a.Strings) > 0 {
		names = a.Strings
	}
	if len(names) != len(usual)*count {
		n.refuse("%d activations for %d directions of cells that have %d", len(names), count, len(usual))
	}
	alphas, betas := n.Attributes["activation_alpha"].Floats, n.Attributes["activation_beta"].Floats
	next := func(list *[]float32, usual float64) float64 {
		if len(*list) == 0 {
			return usual
		}
		x := (*list)[0]
		*list = (*list)[1:]
		return float64(x)
	}
	unary := func(name string) activation {
		return func(e *env, x *dag.Value) *dag.Value { return e.add(name, nil, x) }
	}
	for _, name := range names {
		f := activation(nil)
		switch strings.ToLower(name) {
		case "sigmoid":
			f = unary("logistic")
		case "tanh":
			f = unary("tanh")
		case "relu":
			f = unary("relu")
		case "softplus":
			f = unary("softplus")
		case "softsign":
			f = func(e *env, x *dag.Value) *dag.Value { return e.binary("divide", x, e.plus(e.add("abs", nil, x), 1)) }
		case "affine":
			a, b := next(&alphas, 1), next(&betas, 0)
			f = func(e *env, x *dag.Value) *dag.Value { return e.plus(e.scale(x, a), b) }
		case "scaledtanh":
			a, b := next(&alphas, 1), next(&betas, 1)
			f = func(e *env, x *dag.Value) *dag.Value { return e.scale(e.add("tanh", nil, e.scale(x, b)), a) }
		case "hardsigmoid":
			a, b := next(&alphas, 0.2), next(&betas, 0.5)
			f = func(e *env, x *dag.Value) *dag.Value {
				return (&node{env: e}).between(e.plus(e.scale(x, a), b), 0, 1)
			}
		case "leakyrelu":
			a := next(&alphas, 0.01)
			f = func(e *env, x *dag.Value) *dag.Value { return e.add("leaky_relu", op.Attrs{"slope": a}, x) }
		case "elu":
			a := next(&alphas, 1)
			f = func(e *env, x *dag.Value) *dag.Value { return e.add("elu", op.Attrs{"alpha": a}, x) }
		case "thresholdedrelu":
			a := next(&alphas, 1)
			f = func(e *env, x *dag.Value) *dag.Value {
				return e.choose(e.compare(op.GT, x, e.splat(x, a)), x, e.splat(x, 0))
			}
		default:
			n.refuse("the activation %q", name)
		}
		list = append(list, f)
	}
	return list
}
