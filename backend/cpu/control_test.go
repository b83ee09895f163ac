package cpu

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var i32 = tensor.TypeOf(dtype.I32)

// builder adds nodes with one result.
type builder struct {
	t *testing.T
	*dag.Block
}

func newBuilder(t *testing.T) builder { return builder{t, &dag.Block{}} }

func (b builder) node(name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	n, err := b.Add(name, "test/"+name, attrs, in...)
	require.NoError(b.t, err)
	return n.Outputs[0]
}

func (b builder) scalar(v float64) *dag.Value {
	return b.node("splat", op.Attrs{"type": i32, "value": v})
}

func (b builder) while(cond, body builder, initial ...*dag.Value) []*dag.Value {
	n, err := b.AddWhile("test/while", cond.Block, body.Block, initial...)
	require.NoError(b.t, err)
	return n.Outputs
}

func scalars(t *testing.T, values ...int32) []tensor.Value {
	out := make([]tensor.Value, len(values))
	for i, v := range values {
		var err error
		out[i], err = tensor.Of([]int32{v})
		require.NoError(t, err)
	}
	return out
}

func callInts(t *testing.T, x *executable, entry string, args ...int32) []int32 {
	t.Helper()
	out, err := x.Call(context.Background(), entry, scalars(t, args...)...)
	require.NoError(t, err)
	got := make([]int32, len(out))
	for i, v := range out {
		s, err := tensor.Slice[int32](v)
		require.NoError(t, err)
		got[i] = s[0]
	}
	return got
}

// countTo makes a loop over (i, carried...) that runs while i < limit.
func countTo(t *testing.T, limit *dag.Value, carried int) (cond, body builder, next *dag.Value) {
	cond, body = newBuilder(t), newBuilder(t)
	for range carried + 1 {
		cond.AddArg(i32)
		body.AddArg(i32)
	}
	cond.Results = []*dag.Value{cond.node("compare", op.Attrs{"direction": op.LT}, cond.Args[0], limit)}
	return cond, body, body.node("add", nil, body.Args[0], body.scalar(1))
}

// Fibonacci: the body returns its arguments in another order, and the limit is a
// value from outside the loop.
func TestWhileCarriesValuesInParallel(t *testing.T) {
	b := newBuilder(t)
	limit := b.AddArg(i32)
	cond, body, next := countTo(t, limit, 2)
	body.Results = []*dag.Value{next, body.Args[2], body.node("add", nil, body.Args[1], body.Args[2])}
	b.Results = b.while(cond, body, b.scalar(0), b.scalar(0), b.scalar(1))
	x := load(t, graphOf(b.Block), noParams)
	require.Equal(t, []int32{10, 55, 89}, callInts(t, x, "main", 10))
	require.Equal(t, []int32{0, 0, 1}, callInts(t, x, "main", -3), "a condition false at once leaves the initial values")
}

// The inner loop uses a value of the function and of the outer body, and the
// outer body returns a value from outside it.
func TestNestedLoopsCaptureValues(t *testing.T) {
	b := newBuilder(t)
	limit, step := b.AddArg(i32), b.AddArg(i32)
	outer, body, next := countTo(t, limit, 2)
	twice := body.node("add", nil, step, step)
	inner, innerBody, innerNext := countTo(t, body.Args[0], 1)
	innerBody.Results = []*dag.Value{innerNext, innerBody.node("add", nil, innerBody.Args[1], twice)}
	sum := body.while(inner, innerBody, body.scalar(0), body.Args[1])
	body.Results = []*dag.Value{next, sum[1], step}
	out := b.while(outer, body, b.scalar(0), b.scalar(0), limit)
	b.Results = []*dag.Value{out[1], out[2], b.node("add", nil, limit, step)}
	x := load(t, graphOf(b.Block), noParams)
	// 0 + 1 + 2 + 3 inner steps of 2*5.
	require.Equal(t, []int32{60, 5, 9}, callInts(t, x, "main", 4, 5))
}

func TestCallRunsPrivateFunctions(t *testing.T) {
	inner := newBuilder(t)
	p, q := inner.AddArg(i32), inner.AddArg(i32)
	inner.Results = []*dag.Value{inner.node("subtract", nil, p, q), p}
	f := &dag.Func{Name: "sub", Args: []string{"p", "q"}, Results: []string{"r", "s"}, Body: inner.Block}
	b := newBuilder(t)
	u, v := b.AddArg(i32), b.AddArg(i32)
	first, err := b.AddCall("main/first", f, u, v)
	require.NoError(t, err)
	second, err := b.AddCall("main/second", f, v, first.Outputs[0])
	require.NoError(t, err)
	b.Results = append(append([]*dag.Value{}, second.Outputs...), first.Outputs[0])
	g := graphOf(b.Block)
	g.Funcs = append([]*dag.Func{f}, g.Funcs...)
	require.Equal(t, []int32{3 - 7, 3, 7}, callInts(t, load(t, g, noParams), "main", 10, 3))
}

// counter has a state n that starts at 5; main returns the old value and adds its
// argument.
func counter(t *testing.T) *dag.Graph {
	b := newBuilder(t)
	by := b.AddArg(i32)
	old := b.node("state", op.Attrs{"type": i32, "name": "n"})
	sum := b.node("add", nil, old, by)
	b.Results = []*dag.Value{old}
	g := graphOf(b.Block, dag.Write{State: "n", Value: sum})
	g.States = []*dag.State{{Name: "n", Type: i32, Init: 5}}
	return g
}

func TestStateIsReadAtTheStartAndWrittenAtTheEnd(t *testing.T) {
	x := load(t, counter(t), noParams)
	require.Equal(t, []int32{5}, callInts(t, x, "main", 2))
	require.Equal(t, []int32{7}, callInts(t, x, "main", -1))
	require.Equal(t, []int32{6}, callInts(t, x, "main", 0))
	y := load(t, counter(t), noParams)
	require.Equal(t, []int32{5}, callInts(t, y, "main", 0), "programs do not share state")
}

func TestTwoStatesSwap(t *testing.T) {
	b := newBuilder(t)
	p, q := b.node("state", op.Attrs{"type": i32, "name": "p"}), b.node("state", op.Attrs{"type": i32, "name": "q"})
	b.Results = []*dag.Value{p, q}
	g := graphOf(b.Block, dag.Write{State: "p", Value: q}, dag.Write{State: "q", Value: p})
	g.States = []*dag.State{{Name: "p", Type: i32, Init: 1}, {Name: "q", Type: i32, Init: 2}}
	x := load(t, g, noParams)
	require.Equal(t, []int32{1, 2}, callInts(t, x, "main"))
	require.Equal(t, []int32{2, 1}, callInts(t, x, "main"))
}

func TestAFailedCallLeavesTheState(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	g := counter(t)
	x, err := LoadWith(g, contractOf(g), noParams, Options{Trace: func(n *dag.Node, _ []tensor.Value) {
		if n.Op.Name == "state" {
			cancel()
		}
	}})
	require.NoError(t, err)
	_, err = x.Call(ctx, "main", scalars(t, 2)...)
	require.Equal(t, CodeCancelled, errs.CodeOf(err))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []int32{5}, callInts(t, x.(*executable), "main", 0))
}

func TestAnEndlessLoopCanBeStopped(t *testing.T) {
	cond, body := newBuilder(t), newBuilder(t)
	cond.AddArg(i32)
	cond.Results = []*dag.Value{cond.node("splat", op.Attrs{"type": tensor.TypeOf(dtype.Bool), "value": 1.0})}
	body.Results = []*dag.Value{body.AddArg(i32)}
	b := newBuilder(t)
	b.Results = b.while(cond, body, b.AddArg(i32))
	x := load(t, graphOf(b.Block), noParams)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := x.Call(ctx, "main", scalars(t, 0)...)
	require.Equal(t, CodeCancelled, errs.CodeOf(err))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Contains(t, err.Error(), "test/while")
}

// What depends only on a parameter is computed once, also inside a loop and
// across calls; intermediate values are not kept.
func TestFixedValuesAreComputedOnce(t *testing.T) {
	b := newBuilder(t)
	limit := b.AddArg(i32)
	cond, body, next := countTo(t, limit, 1)
	w := body.node("parameter", op.Attrs{"type": tensor.TypeOf(dtype.F16), "key": "w"})
	wide := body.node("convert", op.Attrs{"dtype": dtype.F32}, w)
	whole := body.node("convert", op.Attrs{"dtype": dtype.I32}, wide)
	body.Results = []*dag.Value{next, body.node("add", nil, body.Args[1], whole)}
	b.Results = b.while(cond, body, b.scalar(0), b.scalar(0))[1:]
	g := graphOf(b.Block)
	ran := map[string]int{}
	loaded, err := LoadWith(g, contractOf(g), func(scope, key string) (tensor.Value, error) {
		require.Equal(t, "model/w", scope+"/"+key)
		return tensor.Value{Type: tensor.TypeOf(dtype.F16), Bytes: []byte{0, 0x42}}, nil // 3
	}, Options{Trace: func(n *dag.Node, out []tensor.Value) {
		require.Len(t, out, 1+boolInt(n.Op.Name == "while"))
		ran[n.Op.Name]++
	}})
	require.NoError(t, err)
	x := loaded.(*executable)
	require.Equal(t, []int32{12}, callInts(t, x, "main", 4))
	require.Equal(t, []int32{15}, callInts(t, x, "main", 5))
	require.Equal(t, 2, ran["convert"])
	require.Equal(t, 2*(4+5), ran["add"])
	require.Contains(t, x.fixed, whole)
	require.NotContains(t, x.fixed, wide)
}

func boolInt(b bool) int { return int(boolByte(b)) }

// Each value is released by the node that uses it last, in the block that made it.
func TestValuesAreReleasedAfterTheirLastUse(t *testing.T) {
	b := newBuilder(t)
	p := b.AddArg(i32)
	q := b.node("negate", nil, p)
	r := b.node("add", nil, p, q)
	unused := b.node("abs", nil, r)
	cond, body, next := countTo(t, r, 1)
	local := body.node("multiply", nil, body.Args[1], body.Args[1])
	body.Results = []*dag.Value{next, body.node("negate", nil, local)}
	out := b.while(cond, body, b.scalar(0), p)
	b.Results = out[1:]
	got := newPlan(graphOf(b.Block))
	require.Equal(t, []*dag.Value{q}, got.last[r.Node], "p is used again")
	require.Equal(t, []*dag.Value{unused}, got.last[unused.Node])
	require.ElementsMatch(t, []*dag.Value{out[0], p, r}, got.last[out[0].Node], "the loop's condition uses r")
	require.Equal(t, []*dag.Value{local}, got.last[body.Results[1].Node])
	require.Equal(t, []*dag.Value{body.Args[1]}, got.last[local.Node])
	require.Equal(t, body.Results, got.made[body.Block])
}
