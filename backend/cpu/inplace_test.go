package cpu

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// cached is a program being built: states a and b f32 [4, 300], and an argument, the
// i32 index of the row that is written. Rows are big enough for their memory to be reused.
type cached struct {
	builder
	t         *testing.T
	at, zero  *dag.Value
	functions []*dag.Func
}

var cacheType = tensor.TypeOf(dtype.F32, 4, 300)

func newCached(t *testing.T) *cached {
	b := newBuilder(t)
	c := &cached{builder: b, t: t, at: b.AddArg(i32)}
	c.zero = b.scalar(0)
	return c
}

func (c *cached) state(name string) *dag.Value {
	return c.node("state", op.Attrs{"name": name, "type": cacheType})
}

// row returns [1, 300] filled with the argument plus v.
func (c *cached) row(v float64) *dag.Value {
	x := c.node("add", nil, c.at, c.scalar(v))
	x = c.node("convert", op.Attrs{"dtype": dtype.F32}, x)
	return c.node("broadcast_in_dim", op.Attrs{"sizes": []int64{1, 300}, "dims": []int64{}}, x)
}

func (b builder) put(x, row, at *dag.Value) *dag.Value { return b.node("update_rows", nil, x, row, at) }

func (c *cached) sum(x *dag.Value) *dag.Value {
	return c.node("reduce_sum", op.Attrs{"dims": []int64{0, 1}, "keepdims": false}, x)
}

func (c *cached) graph(writes map[string]*dag.Value, results ...*dag.Value) *dag.Graph {
	c.Results = results
	g := graphOf(c.Block)
	g.Funcs = append(c.functions, g.Funcs...)
	for _, name := range []string{"a", "b"} {
		g.States = append(g.States, &dag.State{Name: name, Type: cacheType, Init: 1})
		if v := writes[name]; v != nil {
			f := g.Funcs[len(g.Funcs)-1]
			f.Writes = append(f.Writes, dag.Write{State: name, Value: v})
		}
	}
	return g
}

// called returns x with a row written by a function that another function calls.
func (c *cached) called(x, row, at *dag.Value) *dag.Value {
	inner, outer := newBuilder(c.t), newBuilder(c.t)
	args := func(b builder) []*dag.Value {
		return []*dag.Value{b.AddArg(cacheType), b.AddArg(row.Type), b.AddArg(i32)}
	}
	in := args(inner)
	inner.Results = []*dag.Value{inner.put(in[0], in[1], in[2])}
	put := &dag.Func{Name: "put", Args: []string{"x", "row", "at"}, Results: []string{"y"}, Body: inner.Block}
	in = args(outer)
	n, err := outer.AddCall("put", put, in...)
	require.NoError(c.t, err)
	outer.Results = n.Outputs
	again := &dag.Func{Name: "again", Args: put.Args, Results: put.Results, Body: outer.Block}
	c.functions = append(c.functions, put, again)
	n, err = c.AddCall("again", again, x, row, at)
	require.NoError(c.t, err)
	return n.Outputs[0]
}

// looped writes rows 0 and 1 in a loop.
func (c *cached) looped(x, row *dag.Value) *dag.Value {
	cond, body := newBuilder(c.t), newBuilder(c.t)
	i := cond.AddArg(i32)
	cond.AddArg(cacheType)
	cond.Results = []*dag.Value{cond.node("compare", op.Attrs{"direction": op.LT}, i, cond.scalar(2))}
	i = body.AddArg(i32)
	y := body.AddArg(cacheType)
	body.Results = []*dag.Value{body.node("add", nil, i, body.scalar(1)), body.put(y, row, i)}
	return c.while(cond, body, c.zero, x)[1]
}

// Whatever else reads an updated value, results and states are those of a program that
// copies; and if nothing else does, the state stays in place.
func TestUpdatesInPlace(t *testing.T) {
	tests := []struct {
		name  string
		stays bool // a stays in place
		make  func(c *cached) *dag.Graph
	}{
		{"alone", true, func(c *cached) *dag.Graph {
			a := c.put(c.state("a"), c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a))
		}},
		{"twice", true, func(c *cached) *dag.Graph {
			a := c.put(c.put(c.state("a"), c.row(0), c.at), c.row(5), c.zero)
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a))
		}},
		{"in functions", true, func(c *cached) *dag.Graph {
			a := c.called(c.state("a"), c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a))
		}},
		{"in a loop", true, func(c *cached) *dag.Graph {
			a := c.looped(c.state("a"), c.row(0))
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a))
		}},
		{"through views", true, func(c *cached) *dag.Graph {
			flat := c.node("reshape", op.Attrs{"sizes": []int64{1, 1200}}, c.state("a"))
			back := c.node("reshape", op.Attrs{"sizes": []int64{4, 300}}, c.node("barrier", nil, flat))
			a := c.put(back, c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a))
		}},
		{"seen later", false, func(c *cached) *dag.Graph {
			old := c.state("a")
			a := c.put(old, c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a), c.sum(old))
		}},
		{"a view seen later", false, func(c *cached) *dag.Graph {
			old := c.state("a")
			view := c.node("reshape", op.Attrs{"sizes": []int64{2, 600}}, old)
			a := c.put(old, c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a), c.sum(view))
		}},
		{"seen by a branch later", false, func(c *cached) *dag.Graph {
			old := c.state("a")
			view := c.node("reshape", op.Attrs{"sizes": []int64{1200}}, old)
			then, otherwise := newBuilder(c.t), newBuilder(c.t)
			then.Results, otherwise.Results = []*dag.Value{view}, []*dag.Value{view}
			n, err := c.AddCond("cond", then.Block, otherwise.Block, c.node("compare", op.Attrs{"direction": op.EQ}, c.at, c.zero))
			require.NoError(c.t, err)
			a := c.put(old, c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a), c.node("reduce_sum", op.Attrs{"dims": []int64{0}, "keepdims": false}, n.Outputs[0]))
		}},
		{"its own rows", false, func(c *cached) *dag.Graph {
			old := c.state("a")
			part := c.node("slice", op.Attrs{"start": []int64{0, 0}, "limit": []int64{3, 300}, "strides": []int64{1, 1}}, c.put(old, c.row(0), c.zero))
			a := c.put(c.put(old, c.row(3), c.at), part, c.node("add", nil, c.zero, c.scalar(1)))
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a))
		}},
		{"a result", false, func(c *cached) *dag.Graph {
			old := c.state("a")
			a := c.put(old, c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a}, a, old)
		}},
		{"two states of one value", false, func(c *cached) *dag.Graph {
			a := c.put(c.state("a"), c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a, "b": a}, c.sum(a), c.sum(c.state("b")))
		}},
		{"another state takes its old value", false, func(c *cached) *dag.Graph {
			old := c.state("a")
			a := c.put(old, c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a, "b": old}, c.sum(a), c.sum(c.state("b")))
		}},
		{"not written", false, func(c *cached) *dag.Graph {
			a := c.put(c.state("a"), c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"b": a}, c.sum(a), c.sum(c.state("b")))
		}},
		{"read twice", false, func(c *cached) *dag.Graph {
			a, again := c.put(c.state("a"), c.row(0), c.at), c.state("a")
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a), c.sum(again))
		}},
		{"a constant", false, func(c *cached) *dag.Graph {
			one := c.node("splat", op.Attrs{"type": cacheType, "value": 3.0})
			sum := c.sum(c.state("a"))
			return c.graph(map[string]*dag.Value{"a": one}, sum, c.sum(one))
		}},
		{"a function's constant", false, func(c *cached) *dag.Graph {
			b := newBuilder(c.t)
			row := b.node("splat", op.Attrs{"type": tensor.TypeOf(dtype.F32, 1, 300), "value": 9.0})
			b.Results = []*dag.Value{b.put(b.node("splat", op.Attrs{"type": cacheType, "value": 3.0}), row, b.scalar(0))}
			f := &dag.Func{Name: "made", Results: []string{"y"}, Body: b.Block}
			c.functions = append(c.functions, f)
			n, err := c.AddCall("made", f)
			require.NoError(c.t, err)
			a := c.put(n.Outputs[0], c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": a}, c.sum(a), c.sum(c.state("a")))
		}},
		{"a constant that was updated", false, func(c *cached) *dag.Graph {
			row := c.node("splat", op.Attrs{"type": tensor.TypeOf(dtype.F32, 1, 300), "value": 9.0})
			made := c.put(c.node("splat", op.Attrs{"type": cacheType, "value": 3.0}), row, c.zero)
			a := c.put(c.state("a"), c.row(0), c.at)
			return c.graph(map[string]*dag.Value{"a": made, "b": a}, c.sum(a), c.sum(made))
		}},
		{"passed to a function twice", false, func(c *cached) *dag.Graph {
			b := newBuilder(c.t)
			x, y, at := b.AddArg(cacheType), b.AddArg(cacheType), b.AddArg(i32)
			first := b.node("slice", op.Attrs{"start": []int64{0, 0}, "limit": []int64{1, 300}, "strides": []int64{1, 1}}, y)
			b.Results = []*dag.Value{b.put(x, b.node("negate", nil, first), at), y}
			f := &dag.Func{Name: "both", Args: []string{"x", "y", "at"}, Results: []string{"r", "s"}, Body: b.Block}
			c.functions = append(c.functions, f)
			old := c.state("a")
			n, err := c.AddCall("both", f, old, old, c.at)
			require.NoError(c.t, err)
			return c.graph(map[string]*dag.Value{"a": n.Outputs[0]}, c.sum(n.Outputs[1]))
		}},
	}
	defer func() { copyAlways, poison = false, false }()
	poison = true
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := func(always bool) (results []tensor.Value, stays bool) {
				copyAlways = always
				program := load(t, tt.make(newCached(t)), noParams)
				first, _ := program.states["a"].data.span()
				for i := range int32(6) {
					out, err := program.Call(context.Background(), "main", scalars(t, i%4)...)
					require.NoError(t, err)
					results = append(results, out...)
				}
				for _, name := range []string{"a", "b"} {
					results = append(results, program.states[name].value())
				}
				last, _ := program.states["a"].data.span()
				return results, first == last
			}
			want, _ := run(true)
			got, stays := run(false)
			require.Equal(t, want, got)
			if tt.stays {
				require.True(t, stays, "the state was copied")
			}
		})
	}
}

// A call that fails after updates leaves the states unchanged.
func TestFailedCallsTakeUpdatesBack(t *testing.T) {
	c := newCached(t)
	a := c.looped(c.called(c.state("a"), c.row(0), c.at), c.row(7))
	g := c.graph(map[string]*dag.Value{"a": a}, c.sum(c.node("exp", nil, a)))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := false
	trace := func(n *dag.Node, _ []tensor.Value) {
		if stop && n.Op.Name == "while" {
			cancel()
		}
	}
	loaded, err := LoadWith(g, contractOf(g), noParams, Options{Trace: trace})
	require.NoError(t, err)
	program := loaded.(*executable)
	_, err = program.Call(ctx, "main", scalars(t, 2)...)
	require.NoError(t, err)
	before := program.states["a"].value()
	stop = true
	_, err = program.Call(ctx, "main", scalars(t, 3)...)
	require.Equal(t, CodeCancelled, errs.CodeOf(err))
	require.Equal(t, before, program.states["a"].value())
}
