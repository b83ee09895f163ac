package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// In init, since a body is converted by rules.
func init() { rules["Scan"] = (*node).scan }

// scanned is a Scan being converted: inputs whose elements along their first dimension the
// body takes in turn, states that it carries, and results that are stacked.
type scanned struct {
	*node
	body            *onnx.Graph
	states, rows    []*dag.Value
	backIn, backOut []int64 // whether inputs are taken, and results stacked, backwards
}

// scan repeats a body for each element of the scanned inputs. Few turns are written out;
// more are a loop.
func (n *node) scan() []*dag.Value {
	l := &scanned{node: n, body: n.Attributes["body"].Graph}
	first, count := 0, int(n.int("num_scan_inputs", 0))
	if n.opset < 9 {
		first = 1 // the lengths of the sequences, and everything has a batch
	}
	states := len(n.Inputs) - first - count
	if l.body == nil || count < 1 || states < 0 || len(l.body.Inputs) != states+count || len(l.body.Outputs) < states {
		n.refuse("a scan without a body of as many inputs and states")
	}
	if first == 1 && (n.has(0) || len(n.Attributes) > 2) {
		n.refuse("a scan of several lengths, or in other directions")
	}
	list := func(name string, i int) int64 {
		if a := n.Attributes[name].Ints; i < len(a) {
			return a[i]
		}
		return 0
	}
	for i := range states + count {
		v := n.in(first + i)
		if first == 1 {
			if rank(v) < 1 || extent(v, 0) != 1 {
				n.refuse("a scan of batches")
			}
			v = n.reshapeTo(v, dims(v)[1:]...)
		}
		if i < states {
			l.states = append(l.states, v)
			continue
		}
		a := n.axis(list("scan_input_axes", i-states), rank(v))
		l.rows = append(l.rows, n.moved(v, a, 0))
		l.backIn = append(l.backIn, list("scan_input_directions", i-states))
	}
	for i := range len(l.body.Outputs) - states {
		l.backOut = append(l.backOut, list("scan_output_directions", i))
	}
	turns := dims(l.rows[0])[0]
	var out []*dag.Value
	if turns.IsStatic() && turns.Size <= fewTurns {
		out = l.unrolled(turns.Size)
	} else {
		out = l.loop(turns)
	}
	for i, v := range out {
		if i >= states {
			out[i] = n.moved(v, 0, n.axis(list("scan_output_axes", i-states), rank(v)))
		}
		if first == 1 {
			out[i] = n.row(out[i])
		}
	}
	return out
}

// moved puts dimension from of v in place to.
func (n *node) moved(v *dag.Value, from, to int64) *dag.Value {
	if from == to {
		return v
	}
	perm := slices.Delete(all(v), int(from), int(from)+1)
	return n.transpose(v, slices.Insert(perm, int(to), from)...)
}

// turn adds the nodes of one turn.
func (l *scanned) turn(e *env, in []*dag.Value) (out []*dag.Value) {
	things := make([]thing, len(in))
	for i, v := range in {
		things[i] = thing{value: v}
	}
	for _, t := range e.results(l.body, things) {
		if t.value == nil {
			l.refuse("a scan over what is no tensor")
		}
		out = append(out, t.value)
	}
	return out
}

func (l *scanned) unrolled(turns int64) []*dag.Value {
	if turns == 0 {
		l.refuse("a scan of no elements")
	}
	n, states := l.node, len(l.states)
	state, stacks := l.states, make([][]*dag.Value, len(l.backOut))
	for t := range turns {
		in := slices.Clone(state)
		for i, v := range l.rows {
			at := t
			if l.backIn[i] == 1 {
				at = turns - 1 - t
			}
			in = append(in, n.reshapeTo(n.window(v, 0, at, at+1, 1), dims(v)[1:]...))
		}
		out := l.turn(n.inner(n.b, n.env), in)
		state = out[:states]
		for i, v := range out[states:] {
			stacks[i] = append(stacks[i], n.row(v))
		}
	}
	for i, s := range stacks {
		if l.backOut[i] == 1 {
			slices.Reverse(s)
		}
		state = append(slices.Clone(state), n.add("concatenate", op.Attrs{"dim": int64(0)}, s...))
	}
	return state
}

// loop carries the number of the turn, the states and the results so far.
func (l *scanned) loop(turns shape.Dim) []*dag.Value {
	n, states := l.node, len(l.states)
	count := n.sizeValue(dtype.I32, l.rows[0], 0)
	body := &dag.Block{}
	initial := append([]*dag.Value{n.splatOf(dtype.I32, 0)}, l.states...)
	for _, v := range initial {
		body.AddArg(v.Type)
	}
	e := n.inner(body, n.env)
	t, zero := body.Args[0], e.splatOf(dtype.I32, 0)
	place := func(back int64) *dag.Value {
		if back == 1 {
			return e.binary("subtract", e.plus(count, -1), t)
		}
		return t
	}
	corner := func(at *dag.Value, r int) []*dag.Value {
		return append([]*dag.Value{at}, slices.Repeat([]*dag.Value{zero}, r-1)...)
	}
	in := slices.Clone(body.Args[1:])
	for i, v := range l.rows {
		row := append(shape.Shape{shape.N(1)}, dims(v)[1:]...)
		element := e.add("dynamic_slice", op.Attrs{"sizes": row}, append([]*dag.Value{v}, corner(place(l.backIn[i]), rank(v))...)...)
		in = append(in, e.reshapeTo(element, dims(v)[1:]...))
	}
	out := l.turn(e, in)
	body.Results = []*dag.Value{e.plus(t, 1)}
	for i, v := range out {
		if i < states {
			if !v.Type.Equal(l.states[i].Type) {
				n.refuse("a scan that changes the type of what it carries")
			}
			body.Results = append(body.Results, v)
			continue
		}
		stack := n.splatTo(v.Type.DType, 0, append(shape.Shape{turns}, dims(v)...)...)
		initial = append(initial, stack)
		at := corner(place(l.backOut[i-states]), rank(stack))
		body.Results = append(body.Results, e.add("dynamic_update_slice", nil, append([]*dag.Value{body.AddArg(stack.Type), e.row(v)}, at...)...))
	}
	test := &dag.Block{}
	for _, v := range initial {
		test.AddArg(v.Type)
	}
	test.Results = one(n.inner(test, n.env).compare(op.LT, test.Args[0], count))
	w, err := n.b.AddWhile(n.at, test, body, initial...)
	if err != nil {
		panic(refusal{err})
	}
	return slices.Clone(w.Outputs[1:])
}
