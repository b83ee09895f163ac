package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// In init, since a body is converted by rules.
func init() {
	rules["Loop"] = (*node).loop
}

// Bounds of loops that are written out turn by turn.
const (
	fewTurns  = 16      // beyond, a loop that can be one is one
	mostTurns = 1 << 12 // of a body that changes the types of what it carries
)

// loop repeats a body while its condition holds, for at most a number of turns. It is a
// loop of ours where the types of what it carries stay, and, if it stacks results, their
// number is known or has a name. Otherwise it is written out, if the number of turns is known.
func (n *node) loop() []*dag.Value {
	body := n.Attributes["body"].Graph
	if body == nil || len(body.Inputs) < 2 || len(body.Outputs) < len(body.Inputs)-1 || len(n.Inputs) > len(body.Inputs) {
		n.refuse("a loop without a body that takes a count, a condition and the values carried")
	}
	l := &looped{node: n, body: body, carried: len(body.Inputs) - 2, turns: -1}
	l.stacked = len(body.Outputs) - 1 - l.carried
	for i := range l.carried {
		l.start = append(l.start, n.given(2+i))
	}
	l.going = n.truth(true)
	if n.has(1) {
		l.going = n.reshape(n.in(1))
	}
	if n.has(0) {
		if v, ok := n.static(n.in(0)); ok {
			l.turns = max(wholes(v)[0], 0)
			l.count, l.counted = shape.N(l.turns), true
		} else {
			l.count, l.counted = single(n.session.numbers(n.in(0))).size()
		}
	} else if n.has(1) {
		l.count, l.counted = l.implied()
	}
	if l.stacked == 0 || l.turns > fewTurns || l.turns < 0 && l.counted {
		if out, ok := l.repeated(); ok {
			return out
		}
	}
	return l.unrolled()
}

// looped is a Loop being converted.
type looped struct {
	*node
	body             *onnx.Graph
	carried, stacked int
	start            []thing
	going            *dag.Value // the condition before the first turn, a scalar
	turns            int64      // -1 if it is not known, or has a name
	count            shape.Dim  // the number of turns, if counted
	counted          bool
}

// static returns the elements of v if they are known now.
func (e *env) static(v *dag.Value) (x tensor.Value, ok bool) {
	ok = attempt(func() { x = e.value(v) }) == nil
	return x, ok
}

// attempt returns the refusal that ends f, or nil.
func attempt(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			refused, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			err = refused.error
		}
	}()
	f()
	return nil
}

// repeated makes the loop a loop of ours: it carries the number of the turn, the
// condition, the values, and the results so far. ok is false if that cannot be.
func (l *looped) repeated() (out []*dag.Value, ok bool) {
	n, block := l.node, &dag.Block{}
	initial := []*dag.Value{}
	carry := func(v *dag.Value) *dag.Value {
		initial = append(initial, v)
		return block.AddArg(v.Type)
	}
	args := []*dag.Value{carry(n.splatOf(dtype.I64, 0)), carry(l.going)}
	for i, t := range l.start {
		switch {
		case t.value == nil || n.codes[t.value] != dtype.Invalid:
			return nil, false
		case l.kept(i):
			args = append(args, t.value)
		default:
			args = append(args, carry(t.value))
		}
	}
	var types []tensor.Type
	certain := false // that the count ends the loop
	ends := false    // that the condition ends it after as many turns
	err := attempt(func() {
		e := n.inner(block, n.env)
		in := make([]thing, len(args))
		for i, v := range args {
			in[i] = thing{value: v}
		}
		results := e.results(l.body, in)
		next := results[0].value
		if n.has(0) {
			certain = l.counted && (l.always(e, next, args[1]) || l.lasts(args, results))
		} else {
			ends = l.counted && l.lasts(args, results) && l.ends(args, results)
		}
		block.Results = []*dag.Value{e.binary("add", args[0], e.splatOf(dtype.I64, 1)), args[1]}
		if !certain {
			block.Results[1] = e.reshape(next)
		}
		for i, t := range results[1:] {
			switch {
			case t.value == nil || e.codes[t.value] != dtype.Invalid:
				n.refuse("a loop over what is no tensor")
			case i < l.carried && !t.value.Type.Equal(args[2+i].Type):
				n.refuse("a loop that changes the type of what it carries")
			case i < l.carried && l.kept(i):
				continue
			case i < l.carried:
				block.Results = append(block.Results, t.value)
				continue
			}
			if !certain && !ends {
				n.refuse(manySizes)
			}
			rows := tensor.Type{DType: t.value.Type.DType, Shape: append(shape.Shape{l.count}, dims(t.value)...)}
			types = append(types, rows)
			stack := block.AddArg(rows)
			at := append([]*dag.Value{args[0]}, slices.Repeat([]*dag.Value{e.splatOf(dtype.I64, 0)}, rank(t.value))...)
			row := e.row(t.value)
			block.Results = append(block.Results, e.add("dynamic_update_slice", nil, append([]*dag.Value{stack, row}, at...)...))
		}
	})
	if err != nil {
		return nil, false
	}
	for _, t := range types {
		initial = append(initial, n.splatTo(t.DType, 0, t.Shape...))
	}
	test := &dag.Block{}
	for _, v := range initial {
		test.AddArg(v.Type)
	}
	e := n.inner(test, n.env)
	test.Results = []*dag.Value{test.Args[1]}
	if n.has(0) {
		below := e.compare(op.LT, test.Args[0], e.reshape(n.in(0)))
		if test.Results[0] = below; !certain {
			test.Results[0] = e.add("and", nil, below, test.Args[1])
		}
	}
	while, err := n.b.AddWhile(n.at, test, block, initial...)
	if err != nil {
		panic(refusal{err})
	}
	rest := while.Outputs[2:]
	for i := range l.carried {
		if l.kept(i) {
			out = append(out, l.start[i].value)
			continue
		}
		out, rest = append(out, rest[0]), rest[1:]
	}
	return append(out, rest...), true
}

// kept reports whether each turn returns carried value i as it got it, such as a weight.
func (l *looped) kept(i int) bool {
	name := l.body.Outputs[1+i].Name
	for range l.body.Nodes {
		k := slices.IndexFunc(l.body.Nodes, func(n onnx.Node) bool {
			return n.Op == "Identity" && n.Domain == "" && len(n.Inputs) == 1 && slices.Contains(n.Outputs, name)
		})
		if k < 0 {
			break
		}
		name = l.body.Nodes[k].Inputs[0]
	}
	return name == l.body.Inputs[2+i].Name
}

// always reports whether the condition holds in all turns: it does before the first one,
// and the body gives true, or what it got.
func (l *looped) always(e *env, next, got *dag.Value) bool {
	holds := func(e *env, v *dag.Value) bool {
		x, ok := e.static(v)
		return ok && x.Bytes[0] != 0
	}
	return holds(l.env, l.going) && (next == got || holds(e, next))
}

// row is v with a dimension before its own.
func (e *env) row(v *dag.Value) *dag.Value {
	return e.reshapeTo(v, append(shape.Shape{shape.N(1)}, dims(v)...)...)
}

// unrolled writes the turns out.
func (l *looped) unrolled() []*dag.Value {
	n := l.node
	if l.turns < 0 && !n.has(0) {
		l.turns = mostTurns + 1 // the condition ends it
	}
	if l.turns < 0 {
		panic(refusal{n.followsFrom(unmapped("a loop that changes the sizes of what it carries, or stacks results, as many times as a value says"), n.in(0))})
	}
	state, going := l.start, l.going
	stacks := make([][]*dag.Value, l.stacked)
	for turn := range l.turns {
		holds, known := n.static(going)
		if !known {
			n.refuse(manySizes)
		}
		if known && holds.Bytes[0] == 0 {
			break
		}
		if turn == mostTurns {
			panic(refusal{errs.New(CodeExpansion, "a loop of more than %d turns that changes the sizes of what it carries, and is written out", mostTurns).
				Hint("make the turns fewer, keep the sizes that the loop carries, or end the program before it: --outputs")})
		}
		at := n.splatOf(dtype.I64, float64(turn))
		out := n.applied(l.body, append([]thing{{value: at}, {value: going}}, state...))
		if out[0].value == nil {
			n.refuse("a loop whose condition is no tensor")
		}
		if v := n.reshape(out[0].value); out[0].value != going {
			going = v
		}
		state = out[1 : 1+l.carried]
		for i, t := range out[1+l.carried:] {
			if t.value == nil {
				n.refuse("stacked sequences")
			}
			stacks[i] = append(stacks[i], n.row(t.value))
		}
	}
	var out []*dag.Value
	for i, t := range state {
		out = append(out, n.gives(i, t))
	}
	for _, s := range stacks {
		if len(s) == 0 {
			n.refuse("results of a loop without turns, whose sizes are not known")
		}
		out = append(out, n.add("concatenate", op.Attrs{"dim": int64(0)}, s...))
	}
	return out
}
