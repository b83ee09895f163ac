package analysis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/analysis"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

var vector = tensor.TypeOf(dtype.F32, 4)

// builder appends nodes to a block.
type builder struct {
	t *testing.T
	*dag.Block
}

func (b builder) add(name string, attrs op.Attrs, in ...*dag.Value) *dag.Value {
	b.t.Helper()
	n, err := b.Add(name, name, attrs, in...)
	require.NoError(b.t, err)
	return n.Outputs[0]
}

// update replaces the first two elements of v.
func (b builder) update(v *dag.Value) *dag.Value {
	part := b.add("splat", op.Attrs{"type": tensor.TypeOf(dtype.F32, 2), "value": 1.0})
	return b.add("dynamic_update_slice", nil, v, part, b.add("splat", op.Attrs{"type": tensor.TypeOf(dtype.I32), "value": 0.0}))
}

func (b builder) reshape(v *dag.Value) *dag.Value {
	return b.add("reshape", op.Attrs{"sizes": []int64{2, 2}}, v)
}

func TestOwnerAndLast(t *testing.T) {
	b := builder{t, &dag.Block{}}
	x := b.AddArg(vector)
	y := b.add("negate", nil, x)
	square := b.reshape(y)
	z := b.add("negate", nil, square)
	unused := b.add("negate", nil, z)
	b.Results = []*dag.Value{z}
	require.Equal(t, y, analysis.Owner(square))
	require.Equal(t, z, analysis.Owner(z))
	require.Equal(t, map[*dag.Value]int{x: 0, y: 1, square: 2, z: 4}, analysis.Last(b.Block))
	require.Equal(t, map[*dag.Value]int{x: 0, y: 4, square: 2, z: 4}, analysis.Last(b.Block, y))
	require.NotContains(t, analysis.Sources(unused), unused)
	require.Equal(t, map[*dag.Value]bool{x: true, y: true, square: true, z: true}, analysis.Sources(unused))
}

// What a choice reads from around it counts as read by the choice.
func TestBlocks(t *testing.T) {
	b := builder{t, &dag.Block{}}
	x, p := b.AddArg(vector), b.AddArg(tensor.TypeOf(dtype.Bool))
	y := b.add("negate", nil, x)
	then, otherwise := builder{t, &dag.Block{}}, builder{t, &dag.Block{}}
	inner := then.add("negate", nil, y)
	then.Results, otherwise.Results = []*dag.Value{inner}, []*dag.Value{x}
	n, err := b.AddCond("cond", then.Block, otherwise.Block, p)
	require.NoError(t, err)
	b.Results = n.Outputs
	b.Results = append(b.Results, y)
	uses := map[*dag.Value][]*dag.Node{}
	analysis.Uses(&dag.Func{Body: b.Block, Writes: []dag.Write{{State: "s", Value: x}}}, func(v *dag.Value, by *dag.Node, i int) {
		if by != nil {
			require.Equal(t, v, by.Inputs[i])
		}
		uses[v] = append(uses[v], by)
	})
	require.Equal(t, map[*dag.Value][]*dag.Node{x: {y.Node, nil, nil}, p: {n}, y: {inner.Node, nil}, inner: {nil}, n.Outputs[0]: {nil}}, uses)
	b.Results = n.Outputs
	last := analysis.Last(b.Block)
	require.Equal(t, []int{1, 1, 1, 2}, []int{last[x], last[y], last[p], last[n.Outputs[0]]})
	require.Equal(t, map[*dag.Value]bool{x: true, y: true, p: true, inner: true}, analysis.Sources(n.Outputs[0]))
}

func TestFixed(t *testing.T) {
	b := builder{t, &dag.Block{}}
	x := b.AddArg(vector)
	one := b.add("splat", op.Attrs{"type": vector, "value": 1.0})
	two := b.add("add", nil, one, one)
	sum := b.add("add", nil, x, two)
	g := &dag.Graph{Funcs: []*dag.Func{{Name: "f", Body: b.Block}}}
	fixed := analysis.Fixed(g)
	require.Equal(t, []bool{false, true, true, false}, []bool{fixed[x], fixed[one], fixed[two], fixed[sum]})
}

func TestUpdated(t *testing.T) {
	callee := builder{t, &dag.Block{}}
	other, cache := callee.AddArg(vector), callee.AddArg(vector)
	callee.Results = []*dag.Value{callee.update(cache), callee.add("add", nil, other, cache)}
	f := &dag.Func{Name: "f", Args: []string{"a", "b"}, Results: []string{"y", "z"}, Body: callee.Block}

	b := builder{t, &dag.Block{}}
	x, p := b.AddArg(vector), b.AddArg(tensor.TypeOf(dtype.Bool))
	called, err := b.AddCall("call", f, x, b.update(x))
	require.NoError(t, err)
	then, otherwise := builder{t, &dag.Block{}}, builder{t, &dag.Block{}}
	then.Results, otherwise.Results = []*dag.Value{then.update(x)}, []*dag.Value{x}
	chosen, err := b.AddCond("cond", then.Block, otherwise.Block, p)
	require.NoError(t, err)
	loop := func(body func(b builder, x *dag.Value) *dag.Value) *dag.Value {
		cond, inner := builder{t, &dag.Block{}}, builder{t, &dag.Block{}}
		cond.AddArg(vector)
		cond.Results = []*dag.Value{p}
		inner.Results = []*dag.Value{body(inner, inner.AddArg(vector))}
		n, err := b.AddWhile("while", cond.Block, inner.Block, x)
		require.NoError(t, err)
		return n.Outputs[0]
	}
	updating := loop(builder.update)
	computing := loop(func(b builder, x *dag.Value) *dag.Value { return b.add("negate", nil, x) })
	g := &dag.Graph{Name: "g", Funcs: []*dag.Func{f, {Name: "main", Entry: true, Body: b.Block}}}

	for _, choices := range []bool{false, true} {
		require.Equal(t, x, analysis.Updated(g, b.update(b.update(x)), choices))
		require.Equal(t, x, analysis.Updated(g, called.Outputs[0], choices), "through the function")
		require.Equal(t, called.Outputs[1], analysis.Updated(g, called.Outputs[1], choices), "the function computes it")
		require.Equal(t, x, analysis.Updated(g, updating, choices), "through the loop")
		require.Equal(t, computing, analysis.Updated(g, computing, choices))
	}
	require.Equal(t, x, analysis.Updated(g, chosen.Outputs[0], true))
	require.Equal(t, chosen.Outputs[0], analysis.Updated(g, chosen.Outputs[0], false))
}
