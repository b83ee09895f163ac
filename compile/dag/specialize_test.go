package dag

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func f32(dims ...shape.Dim) tensor.Type { return tensor.Type{DType: dtype.F32, Shape: dims} }

// dynamic has dynamic sizes in arguments, types, lists of sizes, a loop, a conditional and
// two calls of one function.
func dynamic(t *testing.T) *Graph {
	n, any := shape.Named("n"), shape.Dim{Size: shape.Dynamic}
	p := &Block{}
	x := p.AddArg(f32(any))
	p.Results = node(t, p, "exp", "private/exp", nil, x).Outputs
	private := &Func{Name: "private", Args: []string{"x"}, Results: []string{"y"}, Body: p}

	m := &Block{}
	a, b, c := m.AddArg(f32(n, shape.N(2))), m.AddArg(f32(any)), m.AddArg(f32(any))
	yes := m.AddArg(tensor.TypeOf(dtype.Bool))
	flat := node(t, m, "reshape", "main/flat", op.Attrs{"sizes": shape.Shape{n.Times(shape.N(2))}}, a).Outputs[0]
	ones := node(t, m, "splat", "main/ones", op.Attrs{"type": f32(n.Times(shape.N(2))), "value": 1.0}).Outputs[0]
	first, err := m.AddCall("main/first", private, b)
	require.NoError(t, err)
	second, err := m.AddCall("main/second", private, c)
	require.NoError(t, err)
	cond, body := &Block{}, &Block{}
	cond.AddArg(flat.Type)
	cond.Results = []*Value{yes}
	body.AddArg(flat.Type)
	body.Results = node(t, body, "add", "main/loop/add", nil, body.Args[0], ones).Outputs
	loop, err := m.AddWhile("main/loop", cond, body, flat)
	require.NoError(t, err)
	then, otherwise := &Block{}, &Block{}
	then.Results, otherwise.Results = loop.Outputs, []*Value{ones}
	choice, err := m.AddCond("main/choice", then, otherwise, yes)
	require.NoError(t, err)
	m.Results = []*Value{choice.Outputs[0], first.Outputs[0], second.Outputs[0]}
	main := &Func{Name: "main", Entry: true, Args: []string{"a", "b", "c", "yes"}, Results: []string{"x", "y", "z"}, Body: m,
		Writes: []Write{{State: "kept", Value: yes}}}
	return &Graph{Name: "m", States: []*State{{Name: "kept", Type: tensor.TypeOf(dtype.Bool)}}, Funcs: []*Func{private, main}}
}

// WithSizes puts in numbers wherever the name is, and leaves other sizes open.
func TestWithSizes(t *testing.T) {
	g := dynamic(t)
	same, err := WithSizes(g, nil)
	require.NoError(t, err)
	require.Same(t, g, same)
	s, err := WithSizes(g, map[string]int64{"n": 3})
	require.NoError(t, err)
	require.NoError(t, Verify(s))
	require.NoError(t, Verify(g), "the graph is unchanged")
	f, err := s.Func("main")
	require.NoError(t, err)
	require.Equal(t, "f32[3x2]", f.Body.Args[0].Type.String())
	require.Equal(t, "f32[?]", f.Body.Args[1].Type.String())
	require.Equal(t, "f32[6]", f.Body.Results[0].Type.String())
	require.Len(t, s.Funcs, 2)
	require.Equal(t, "kept", f.Writes[0].State)
	_, err = WithSizes(g, map[string]int64{"n": 1 << 62})
	require.Error(t, err)
}

func TestSpecialize(t *testing.T) {
	g := dynamic(t)
	require.NoError(t, Verify(g))
	f, err := g.Func("main")
	require.NoError(t, err)
	require.False(t, f.IsStatic())
	s, err := Specialize(g, "main", f32(shape.N(3), shape.N(2)), f32(shape.N(4)), f32(shape.N(5)), tensor.TypeOf(dtype.Bool))
	require.NoError(t, err)
	require.NoError(t, Verify(g), "the graph is unchanged")
	var names []string
	for _, f := range s.Funcs {
		names = append(names, f.Name)
		require.True(t, f.IsStatic())
		f.Body.Walk(func(n *Node) {
			for _, v := range n.Outputs {
				require.True(t, v.Type.Shape.IsStatic(), n.Path)
			}
		})
	}
	require.Equal(t, []string{"private", "private_2", "main"}, names, "a function is made for each of its sizes")
	main := s.Funcs[2]
	require.True(t, main.Entry)
	require.Equal(t, []tensor.Type{tensor.TypeOf(dtype.F32, 6), tensor.TypeOf(dtype.F32, 4), tensor.TypeOf(dtype.F32, 5)}, types(main.Body.Results))
	require.Same(t, main.Body.Args[3], main.Writes[0].Value)
	same, err := Specialize(g, "main", f32(shape.N(3), shape.N(2)), f32(shape.N(4)), f32(shape.N(4)), tensor.TypeOf(dtype.Bool))
	require.NoError(t, err)
	require.Len(t, same.Funcs, 2, "two calls of one size share a function")
}

func TestSpecializeRefuses(t *testing.T) {
	g := dynamic(t)
	two, four, yes := f32(shape.N(3), shape.N(2)), f32(shape.N(4)), tensor.TypeOf(dtype.Bool)
	for name, tt := range map[string]struct {
		entry string
		args  []tensor.Type
		code  errs.Code
		says  string
	}{
		"no function":     {"other", nil, "DAG_NO_FUNCTION", `"other"`},
		"too few":         {"main", []tensor.Type{two}, CodeArgs, "got 1 arguments, want 4"},
		"element type":    {"main", []tensor.Type{tensor.TypeOf(dtype.F16, 3, 2), four, four, yes}, CodeArgs, `argument "a" is f16[3x2]`},
		"not known":       {"main", []tensor.Type{f32(shape.Named("n"), shape.N(2)), four, four, yes}, CodeArgs, `argument "a"`},
		"a fixed size":    {"main", []tensor.Type{f32(shape.N(3), shape.N(3)), four, four, yes}, shape.CodeSizes, `dimension 1 of argument "a" is 3, want 2`},
		"nothing":         {"main", []tensor.Type{f32(shape.N(0), shape.N(2)), four, four, yes}, shape.CodeSizes, "n?, is 0"},
		"too many":        {"main", []tensor.Type{f32(shape.N(1<<62), shape.N(2)), four, four, yes}, shape.CodeOverflow, "main/"},
		"a large operand": {"main", []tensor.Type{f32(shape.N(1<<61), shape.N(2)), four, four, yes}, op.CodeShape, "main/"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Specialize(g, tt.entry, tt.args...)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.says)
		})
	}
}

// Some errors are only detected at a call: a loop that changes a size
// without a name.
func TestSpecializeVerifies(t *testing.T) {
	any := shape.Dim{Size: shape.Dynamic}
	b := &Block{}
	x, y, yes := b.AddArg(f32(any)), b.AddArg(f32(any)), b.AddArg(tensor.TypeOf(dtype.Bool))
	cond, body := &Block{}, &Block{}
	cond.AddArg(x.Type)
	body.AddArg(x.Type)
	cond.Results, body.Results = []*Value{yes}, []*Value{y}
	loop, err := b.AddWhile("main/loop", cond, body, x)
	require.NoError(t, err)
	b.Results = loop.Outputs
	g := &Graph{Name: "m", Funcs: []*Func{{Name: "main", Entry: true, Args: []string{"x", "y", "yes"}, Results: []string{"z"}, Body: b}}}
	require.NoError(t, Verify(g))
	_, err = Specialize(g, "main", f32(shape.N(2)), f32(shape.N(3)), yes.Type)
	require.Equal(t, errs.Code("DAG_WHILE"), errs.CodeOf(err))
}

func TestNamesOfDimensionsAreOfArguments(t *testing.T) {
	n := shape.Named("n")
	for name, tt := range map[string]struct {
		edit func(t *testing.T, g *Graph)
		says string
	}{
		"a type": {func(t *testing.T, g *Graph) {
			node(t, g.Funcs[1].Body, "splat", "main/other", op.Attrs{"type": f32(shape.Named("m")), "value": 1.0})
		}, "main/other: dimension m?: no argument of the function has a dimension m?"},
		"a sum": {func(t *testing.T, g *Graph) {
			node(t, g.Funcs[1].Body, "iota", "main/other", op.Attrs{"type": f32(n.Plus(shape.Named("m"))), "dim": int64(0)})
		}, "dimension m+n?: no argument of the function has a dimension m?"},
		"an argument that is a product": {func(t *testing.T, g *Graph) {
			g.Funcs[1].Args = append(g.Funcs[1].Args, "d")
			g.Funcs[1].Body.AddArg(f32(shape.Named("k*m")))
		}, "dimension k*m?"},
		"the name of another function": {func(t *testing.T, g *Graph) {
			node(t, g.Funcs[0].Body, "splat", "private/other", op.Attrs{"type": f32(n), "value": 1.0})
		}, "private/other: dimension n?"},
		"inside a loop": {func(t *testing.T, g *Graph) {
			for _, n := range g.Funcs[1].Body.Nodes {
				if n.Op.Name == "while" {
					node(t, n.Blocks[1], "splat", "main/loop/other", op.Attrs{"type": f32(shape.Named("m")), "value": 1.0})
				}
			}
		}, "main/loop/other"},
		"no name": {func(t *testing.T, g *Graph) {
			g.Funcs[1].Args = append(g.Funcs[1].Args, "d")
			g.Funcs[1].Body.AddArg(f32(shape.Dim{Size: shape.Dynamic, Name: "n n"}))
		}, `"n n" is not a valid dimension name`},
		"a name in another form": {func(t *testing.T, g *Graph) {
			g.Funcs[1].Args = append(g.Funcs[1].Args, "d")
			g.Funcs[1].Body.AddArg(f32(shape.Dim{Size: shape.Dynamic, Name: "1+n"}))
		}, `"1+n" is not a valid dimension name`},
		"a list of sizes": {func(t *testing.T, g *Graph) {
			sizes := shape.Shape{shape.Named("m"), n, shape.N(2)}
			node(t, g.Funcs[1].Body, "broadcast_in_dim", "main/another", op.Attrs{"sizes": sizes, "dims": []int64{1, 2}}, g.Funcs[1].Body.Args[0])
		}, "main/another"},
	} {
		t.Run(name, func(t *testing.T) {
			g := dynamic(t)
			tt.edit(t, g)
			err := Verify(g)
			require.Equal(t, CodeDim, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.says)
		})
	}
}
