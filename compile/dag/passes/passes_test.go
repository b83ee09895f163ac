package passes_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

var (
	i32  = tensor.TypeOf(dtype.I32)
	pair = tensor.TypeOf(dtype.F32, 2)
)

func add(t *testing.T, b *dag.Block, name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	t.Helper()
	n, err := b.Add(name, "test/"+name, attrs, in...)
	require.NoError(t, err)
	return n.Outputs[0]
}

func constant[T tensor.Element](t *testing.T, b *dag.Block, name string, data ...T) *dag.Value {
	t.Helper()
	v, err := tensor.Of(data, int64(len(data)))
	require.NoError(t, err)
	return add(t, b, "constant", op.Attrs{"value": v, "name": name})
}

func entry(name string, b *dag.Block, writes ...dag.Write) *dag.Func {
	f := &dag.Func{Name: name, Entry: true, Body: b, Writes: writes}
	for i := range b.Args {
		f.Args = append(f.Args, fmt.Sprintf("a%d", i))
	}
	for i := range b.Results {
		f.Results = append(f.Results, fmt.Sprintf("r%d", i))
	}
	return f
}

// results calls every entry point twice, so that state is covered too, with ramps
// as arguments.
func results(t *testing.T, g *dag.Graph) []tensor.Value {
	t.Helper()
	c := &contract.Contract{Schema: contract.Schema, Name: g.Name}
	var calls [][]tensor.Value
	for _, f := range g.Funcs {
		if !f.Entry {
			continue
		}
		e := contract.Entry{Name: f.Name}
		var args []tensor.Value
		for i, v := range f.Body.Args {
			e.Args = append(e.Args, contract.Named{Name: f.Args[i], DType: v.Type.DType, Shape: v.Type.Shape})
			a, err := tensor.Zero(v.Type)
			require.NoError(t, err)
			for j := range a.Bytes {
				a.Bytes[j] = byte(j%4) * byte(j/4)
			}
			args = append(args, a)
		}
		for i, v := range f.Body.Results {
			e.Results = append(e.Results, contract.Named{Name: f.Results[i], DType: v.Type.DType, Shape: v.Type.Shape})
		}
		c.Entries = append(c.Entries, e)
		calls = append(calls, args)
	}
	x, err := cpu.Load(g, c, func(scope, key string) (tensor.Value, error) {
		return tensor.Of([]float32{3, -4}, 2)
	})
	require.NoError(t, err)
	var out []tensor.Value
	for range 2 {
		for i, e := range c.Entries {
			r, err := x.Call(context.Background(), e.Name, calls[i]...)
			require.NoError(t, err)
			out = append(out, r...)
		}
	}
	require.NoError(t, x.Close())
	return out
}

// describe lists what a pass may change: functions, and the nodes of all blocks.
func describe(g *dag.Graph) []string {
	var lines []string
	for _, f := range g.Funcs {
		lines = append(lines, f.Name)
		f.Body.Walk(func(n *dag.Node) {
			line := n.Op.Name
			if n.Op.Name == "splat" {
				line += fmt.Sprintf(" %s %v", n.Attrs.Type("type"), n.Attrs.Float("value"))
			}
			lines = append(lines, line)
		})
	}
	return lines
}

// busy is a graph with live and dead code in every place: entry points, a
// private function that is called, one that only dead code calls, a loop whose
// body has dead nodes, a dead loop, and a state.
func busy(t *testing.T) *dag.Graph {
	live := &dag.Block{}
	x := live.AddArg(pair)
	add(t, live, "exp", nil, x)
	live.Results = []*dag.Value{add(t, live, "multiply", nil, x, constant[float32](t, live, "", 2, 2))}
	called := entry("called", live)
	called.Entry = false
	other := &dag.Block{}
	other.Results = []*dag.Value{add(t, other, "negate", nil, other.AddArg(pair))}
	uncalled := entry("uncalled", other)
	uncalled.Entry = false

	b := &dag.Block{}
	a := b.AddArg(pair)
	w := add(t, b, "parameter", op.Attrs{"type": pair, "key": "w"})
	old := add(t, b, "state", op.Attrs{"type": pair, "name": "s"})
	_, err := b.AddCall("test/dead_call", uncalled, a)
	require.NoError(t, err)
	call, err := b.AddCall("test/call", called, a)
	require.NoError(t, err)
	loop := func(from *dag.Value, used *dag.Value) *dag.Node {
		cond, body := &dag.Block{}, &dag.Block{}
		for _, c := range []*dag.Block{cond, body} {
			c.AddArg(i32)
			c.AddArg(pair)
		}
		three := add(t, cond, "splat", op.Attrs{"type": i32, "value": 3.0})
		cond.Results = []*dag.Value{add(t, cond, "compare", op.Attrs{"direction": op.LT}, cond.Args[0], three)}
		add(t, cond, "not", nil, cond.Results[0])
		one := add(t, body, "reshape", op.Attrs{"sizes": []int64{}}, constant[int32](t, body, "", 1))
		add(t, body, "sine", nil, body.Args[1])
		body.Results = []*dag.Value{add(t, body, "add", nil, body.Args[0], one), add(t, body, "add", nil, body.Args[1], used)}
		n, err := b.AddWhile("test/loop", cond, body, add(t, b, "splat", op.Attrs{"type": i32, "value": 0.0}), from)
		require.NoError(t, err)
		return n
	}
	dead := loop(a, add(t, b, "cosine", nil, a)) // keeps cosine only while it is live
	kept := loop(call.Outputs[0], add(t, b, "abs", nil, w))
	add(t, b, "add", nil, dead.Outputs[1], kept.Outputs[1])
	b.Results = []*dag.Value{kept.Outputs[1], old}
	sum := add(t, b, "add", nil, old, kept.Outputs[1]) // live only because of the state

	second := &dag.Block{}
	second.AddArg(pair)
	second.Results = []*dag.Value{constant[float32](t, second, "table", 1, 1), constant[float32](t, second, "", 1, 2)}
	return &dag.Graph{
		Name: "busy", States: []*dag.State{{Name: "s", Type: pair, Init: 0.5}},
		Funcs: []*dag.Func{uncalled, called, entry("main", b, dag.Write{State: "s", Value: sum}), entry("second", second)},
	}
}

func TestDeadCode(t *testing.T) {
	g := busy(t)
	want := results(t, g)
	require.NoError(t, passes.Run(g, passes.Pass{Name: "dead_code", Run: passes.DeadCode}))
	lines := describe(g)
	if diff := cmp.Diff([]string{
		"called", "constant", "multiply",
		"main", "parameter", "state", "call", "abs", "splat i32[scalar] 0", "while",
		"splat i32[scalar] 3", "compare", "constant", "reshape", "add", "add", "add",
		"second", "constant", "constant",
	}, lines); diff != "" {
		t.Error(diff)
	}
	require.Equal(t, want, results(t, g))
	passes.DeadCode(g)
	require.Equal(t, lines, describe(g), "a second visit finds nothing")
}

func TestSplat(t *testing.T) {
	b := &dag.Block{}
	nan := float32(math.NaN())
	minusZero := float32(math.Copysign(0, -1))
	b.Results = []*dag.Value{
		constant[float32](t, b, "", 2.5, 2.5),
		constant[float32](t, b, "", 2.5, 2),
		constant[float32](t, b, "", minusZero, minusZero),
		constant[float32](t, b, "", 0, minusZero),
		constant(t, b, "", nan, nan),
		constant[float32](t, b, "named", 1, 1),
		constant[float64](t, b, "", 0.1),
		constant[int8](t, b, "", -128, -128),
		constant[uint32](t, b, "", 1<<32-1),
		constant[int64](t, b, "", 1<<62+1, 1<<62+1),
		constant(t, b, "", true, true),
		constant[float32](t, b, ""),
	}
	g := &dag.Graph{Name: "constants", Funcs: []*dag.Func{entry("main", b)}}
	want := results(t, g)
	require.NoError(t, passes.Run(g, passes.Pass{Name: "splat", Run: passes.Splat}))
	lines := describe(g)
	if diff := cmp.Diff([]string{
		"main", "splat f32[2] 2.5", "constant", "splat f32[2] -0", "constant", "constant", "constant",
		"splat f64[1] 0.1", "splat i8[2] -128", "splat u32[1] 4.294967295e+09", "constant", "constant", "constant",
	}, lines); diff != "" {
		t.Error(diff)
	}
	require.Equal(t, want, results(t, g))
	passes.Splat(g)
	require.Equal(t, lines, describe(g), "a second visit finds nothing")
}

func TestDefaultPassesKeepResultsAndAreIdempotent(t *testing.T) {
	g := busy(t)
	want := results(t, g)
	require.NoError(t, passes.Run(g, passes.Default...))
	lines := describe(g)
	require.Contains(t, lines, "splat f32[2] 2")
	require.Contains(t, lines, "splat i32[scalar] 1", "the splat goes through the reshape")
	require.NotContains(t, lines, "reshape")
	require.Equal(t, want, results(t, g))
	require.NoError(t, passes.Run(g, passes.Default...))
	require.Equal(t, lines, describe(g))
}

func TestRunNamesThePassThatBreaksTheGraph(t *testing.T) {
	err := passes.Run(busy(t), passes.Pass{Name: "breaker", Run: func(g *dag.Graph) { g.Name = "" }})
	require.Equal(t, errs.Code("DAG_NAME"), errs.CodeOf(err))
	require.ErrorContains(t, err, "after pass breaker")
}
