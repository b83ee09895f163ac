package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

var recurrentRules = map[string]rule{
	"RNN": func(n *node) []*dag.Value {
		return n.recurrent(cell{gates: 1, functions: []string{"Tanh"}, step: (*direction).rnn})
	},
	"GRU": func(n *node) []*dag.Value {
		return n.recurrent(cell{gates: 3, functions: []string{"Sigmoid", "Tanh"}, step: (*direction).gru})
	},
	"LSTM": func(n *node) []*dag.Value {
		return n.recurrent(cell{gates: 4, functions: []string{"Sigmoid", "Tanh", "Tanh"}, step: (*direction).lstm})
	},
	"com.microsoft.DynamicQuantizeLSTM": func(n *node) []*dag.Value {
		return n.recurrent(cell{gates: 4, functions: []string{"Sigmoid", "Tanh", "Tanh"}, step: (*direction).lstm, quantized: true})
	},
}

// cell is what kinds of recurrent layers differ in.
type cell struct {
	gates     int64
	functions []string // that activations name, with what they are without
	quantized bool     // whether products are of 8-bit integers
	// step returns the next state for the products of the input with its weights, [B, G H], which
	// include the biases that need not wait.
	step func(d *direction, e *env, xw *dag.Value, s state) state
}

// state of a layer: h [B, H], and c [B, H] of an LSTM.
type state struct{ h, c *dag.Value }

// direction is a layer in one of the directions that a node has.
type direction struct {
	*node
	cell
	hidden    int64
	back      bool
	input     product2
	recurrent product2
	wb, rb    *dag.Value // biases [G H], of the input and of the state
	peep      *dag.Value // [3 H] or nil
	functions []activation
	lengths   *dag.Value // [B, 1], or nil where all sequences have the whole length
}

// written is the greatest number of steps that are written out one by one. A turn of a loop
// takes a compiled program some six microseconds beside its arithmetic (Zen 4),
// so that small recurrent nets are several times faster without; the text grows with it.
const written = 48

// recurrent converts a layer of inputs x [T, B, I], w [D, G H, I], r [D, G H, H], and
// perhaps biases [D, 2 G H], lengths [B], states [D, B, H] and peepholes [D, 3 H].
func (n *node) recurrent(c cell) []*dag.Value {
	x, d := n.in(0), n.in(0).Type.DType
	if n.int("layout", 0) == 1 {
		x = n.transpose(x, 1, 0, 2)
	}
	wide := d
	if d.Bits() < 32 {
		wide = dtype.F32
	}
	x = n.convert(x, wide)
	way := n.str("direction", "forward")
	count, ok := map[string]int64{"forward": 1, "reverse": 1, "bidirectional": 2}[way]
	if !ok {
		n.refuse("a recurrent layer in the direction %q", way)
	}
	functions := n.activations(c.functions, int(count))
	var rows, last, lastCell []*dag.Value
	for i := range count {
		l := &direction{node: n, cell: c, back: way == "reverse" || i == 1, functions: functions[int(i)*len(c.functions):][:len(c.functions)]}
		l.weights(i, wide)
		y, s := l.run(x, l.initial(i, x))
		b := dims(s.h)
		rows = append(rows, n.reshapeTo(y, dims(y)[0], shape.N(1), b[0], b[1]))
		last = append(last, n.reshapeTo(s.h, shape.N(1), b[0], b[1]))
		if s.c != nil {
			lastCell = append(lastCell, n.reshapeTo(s.c, shape.N(1), b[0], b[1]))
		}
	}
	join := func(dim int64, parts []*dag.Value, flat ...int64) *dag.Value {
		y := n.convert(n.add("concatenate", op.Attrs{"dim": dim}, parts...), d)
		if n.int("layout", 0) == 1 {
			y = n.transpose(y, flat...)
		}
		return y
	}
	out := []*dag.Value{join(1, rows, 2, 0, 1, 3), join(0, last, 1, 0, 2)}
	if lastCell != nil {
		out = append(out, join(0, lastCell, 1, 0, 2))
	}
	return out
}

// part is direction i of input k, or nil without that input.
func (l *direction) part(k int, i int64, wide dtype.DType) *dag.Value {
	if !l.has(k) {
		return nil
	}
	v := l.in(k)
	v = l.reshapeTo(l.window(v, 0, i, i+1, 1), dims(v)[1:]...)
	if v.Type.DType.IsFloat() {
		v = l.convert(v, wide)
	}
	return v
}

// weights sets the products, biases and peepholes of direction i.
func (l *direction) weights(i int64, wide dtype.DType) {
	w, r := l.part(1, i, wide), l.part(2, i, wide)
	if l.quantized {
		l.hidden = extent(r, 0)
		l.input, l.recurrent = l.wholeProduct(w, 8, i), l.wholeProduct(r, 10, i)
	} else {
		l.hidden = extent(r, 1)
		l.input, l.recurrent = floatProduct(w), floatProduct(r)
	}
	size := l.gates * l.hidden
	l.wb, l.rb = l.splatOf(wide, 0, size), l.splatOf(wide, 0, size)
	if b := l.part(3, i, wide); b != nil {
		l.wb, l.rb = l.window(b, 0, 0, size, 1), l.window(b, 0, size, 2*size, 1)
	}
	if l.gates == 4 {
		l.peep = l.part(7, i, wide)
	}
	if !l.has(4) {
		return
	}
	lengths := l.in(4)
	if v, ok := l.static(lengths); ok && dims(l.in(0))[l.time()].IsStatic() {
		if whole := extent(l.in(0), l.time()); !slices.ContainsFunc(wholes(v), func(n int64) bool { return n != whole }) {
			return
		}
	}
	l.lengths = l.reshapeTo(l.convert(lengths, dtype.I32), dims(lengths)[0], shape.N(1))
}

// time is the dimension of x that has the steps.
func (n *node) time() int64 { return n.int("layout", 0) }

// initial returns the states before the first step in direction i.
func (l *direction) initial(i int64, x *dag.Value) state {
	zero := l.splatTo(x.Type.DType, 0, dims(x)[1], shape.N(l.hidden))
	from := func(k int) *dag.Value {
		if !l.has(k) {
			return zero
		}
		v := l.in(k)
		if l.time() == 1 {
			v = l.transpose(v, 1, 0, 2)
		}
		return l.reshapeTo(l.convert(l.window(v, 0, i, i+1, 1), x.Type.DType), dims(zero)...)
	}
	s := state{h: from(5)}
	if l.gates == 4 {
		s.c = from(6)
	}
	return s
}

// run returns the states h [T, B, H] of all steps, and the last one. The product of all
// inputs with their weights comes first. Few steps are written out; more are a loop.
func (l *direction) run(x *dag.Value, s state) (*dag.Value, state) {
	xw := l.binary("add", l.input(l.env, x), l.wb)
	if steps := dims(x)[0]; steps.IsStatic() && steps.Size <= written {
		return l.steps(xw, steps.Size, s)
	}
	return l.loop(xw, s)
}

func (l *direction) steps(xw *dag.Value, count int64, s state) (*dag.Value, state) {
	if count == 0 {
		return l.splatTo(xw.Type.DType, 0, append(shape.Shape{shape.N(0)}, dims(s.h)...)...), s
	}
	rows := make([]*dag.Value, count)
	for t := range count {
		if l.back {
			t = count - 1 - t
		}
		row := l.reshapeTo(l.window(xw, 0, t, t+1, 1), dims(xw)[1:]...)
		var y *dag.Value
		y, s = l.masked(l.env, l.splatOf(dtype.I32, float64(t)), row, s)
		rows[t] = l.reshapeTo(y, append(shape.Shape{shape.N(1)}, dims(y)...)...)
	}
	return l.add("concatenate", op.Attrs{"dim": int64(0)}, rows...), s
}

// loop carries the number of the step, the states, and the results so far.
func (l *direction) loop(xw *dag.Value, s state) (*dag.Value, state) {
	count := l.sizeValue(dtype.I32, xw, 0)
	initial := []*dag.Value{l.splatOf(dtype.I32, 0), l.splatTo(xw.Type.DType, 0, append(shape.Shape{dims(xw)[0]}, dims(s.h)...)...), s.h}
	if s.c != nil {
		initial = append(initial, s.c)
	}
	test, body := &dag.Block{}, &dag.Block{}
	for _, v := range initial {
		test.AddArg(v.Type)
		body.AddArg(v.Type)
	}
	test.Results = one(l.inner(test, l.env).compare(op.LT, test.Args[0], count))
	e := l.inner(body, l.env)
	t, zero := body.Args[0], e.splatOf(dtype.I32, 0)
	at := t
	if l.back {
		at = e.binary("subtract", e.plus(count, -1), t)
	}
	row := e.add("dynamic_slice", op.Attrs{"sizes": append(shape.Shape{shape.N(1)}, dims(xw)[1:]...)}, xw, at, zero, zero)
	now := state{h: body.Args[2]}
	if s.c != nil {
		now.c = body.Args[3]
	}
	y, next := l.masked(e, at, e.reshapeTo(row, dims(xw)[1:]...), now)
	y = e.reshapeTo(y, append(shape.Shape{shape.N(1)}, dims(y)...)...)
	body.Results = []*dag.Value{e.plus(t, 1), e.add("dynamic_update_slice", nil, body.Args[1], y, at, zero, zero), next.h}
	if s.c != nil {
		body.Results = append(body.Results, next.c)
	}
	w, err := l.b.AddWhile(l.at, test, body, initial...)
	if err != nil {
		panic(refusal{err})
	}
	out := state{h: w.Outputs[2]}
	if s.c != nil {
		out.c = w.Outputs[3]
	}
	return w.Outputs[1], out
}

// masked is step t. Beyond the length of a sequence its result is zero and its state stays.
func (l *direction) masked(e *env, t, xw *dag.Value, s state) (*dag.Value, state) {
	next := l.step(l, e, xw, s)
	if l.lengths == nil {
		return next.h, next
	}
	within := e.compare(op.LT, t, l.lengths)
	y := e.choose(within, next.h, e.splat(next.h, 0))
	next.h = e.choose(within, next.h, s.h)
	if s.c != nil {
		next.c = e.choose(within, next.c, s.c)
	}
	return y, next
}
