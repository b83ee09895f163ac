package dag

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// layers returns a function of n layers: each multiplies by its own parameter and
// adds what extra returns.
func layers(t *testing.T, n int, extra func(b *Block, path string, i int, x *Value) *Value) *Graph {
	t.Helper()
	f32 := tensor.TypeOf(dtype.F32, 2)
	body := &Block{}
	x := body.AddArg(f32)
	add := func(name, path string, a op.Attrs, in ...*Value) *Value {
		node, err := body.Add(name, path, a, in...)
		require.NoError(t, err)
		return node.Outputs[0]
	}
	for i := range n {
		path := fmt.Sprintf("main/layer_%d/", i)
		w := add("parameter", path+"w", op.Attrs{"type": f32, "scope": "model", "key": fmt.Sprintf("w%d", i)})
		x = add("multiply", path+"mul", nil, x, w)
		x = add("tanh", path+"tanh", nil, x)
		x = extra(body, path, i, x)
	}
	x = add("exp", "main/exp", nil, x)
	body.Results = []*Value{x}
	g := &Graph{Name: "m", Funcs: []*Func{{Name: "main", Entry: true, Args: []string{"x"}, Results: []string{"y"}, Body: body}}}
	require.NoError(t, Verify(g))
	return g
}

func same(_ *Block, _ string, _ int, x *Value) *Value { return x }

func names(f *Func) (list []string) {
	for _, n := range f.Body.Nodes {
		name := n.Op.Name
		if name == "call" {
			name += " " + n.Attrs.String("function")
		}
		list = append(list, name)
	}
	return list
}

func TestOutline(t *testing.T) {
	g := layers(t, 3, same)
	before := names(g.Funcs[0])
	made, err := Outline(g)
	require.NoError(t, err)
	require.NoError(t, Verify(made))
	require.Equal(t, before, names(g.Funcs[0]), "the graph is not changed")
	require.Len(t, made.Funcs, 2)
	require.Equal(t, "main_layer_1", made.Funcs[0].Name)
	require.False(t, made.Funcs[0].Entry)
	require.Equal(t, []string{"multiply", "tanh"}, names(made.Funcs[0]))
	call := "call main_layer_1"
	require.Equal(t, []string{"parameter", call, "parameter", call, "parameter", call, "exp"}, names(made.Funcs[1]))
	// Each layer takes the result of the previous one, and its own parameter.
	nodes := made.Funcs[1].Body.Nodes
	for i := 1; i < 6; i += 2 {
		require.Same(t, nodes[i-1].Outputs[0], nodes[i].Inputs[1])
		if i > 1 {
			require.Same(t, nodes[i-2].Outputs[0], nodes[i].Inputs[0])
		}
	}
	again, err := Outline(made)
	require.NoError(t, err)
	require.Same(t, made, again, "there is nothing left to do")
}

func TestOutlineLeavesWhatDiffers(t *testing.T) {
	node := func(name string, a op.Attrs, more ...*Value) func(*Block, string, int, *Value) *Value {
		return func(b *Block, path string, _ int, x *Value) *Value {
			n, err := b.Add(name, path+name, a, append([]*Value{x}, more...)...)
			require.NoError(t, err)
			return n.Outputs[0]
		}
	}
	for name, tt := range map[string]struct {
		layers int
		extra  func(b *Block, path string, i int, x *Value) *Value
		want   map[string]int // calls of each function
	}{
		"one layer": {1, same, map[string]int{}},
		"two kinds": {5, func(b *Block, path string, i int, x *Value) *Value {
			if i%2 == 0 {
				return x
			}
			return node("negate", nil)(b, path, i, x)
		}, map[string]int{"main_layer_1": 3, "main_layer_2": 2}},
		"one of another kind": {3, func(b *Block, path string, i int, x *Value) *Value {
			if i != 1 {
				return x
			}
			return node("negate", nil)(b, path, i, x)
		}, map[string]int{"main_layer_1": 2}},
		"attributes": {4, func(b *Block, path string, i int, x *Value) *Value {
			return node("reverse", op.Attrs{"dims": []int64{0}[:1-i%2]})(b, path, i, x)
		}, map[string]int{"main_layer_1": 2, "main_layer_2": 2}},
		"products of floats": {2, func(b *Block, path string, i int, x *Value) *Value {
			n, err := b.Add("dot_general", path+"dot", op.Attrs{"lhs_contracting": []int64{0}, "rhs_contracting": []int64{0}}, x, x)
			require.NoError(t, err)
			return node("add", nil, x)(b, path, i, node("broadcast_in_dim", op.Attrs{"sizes": x.Type.Shape, "dims": []int64{}})(b, path, i, n.Outputs[0]))
		}, map[string]int{}},
		"another scope": {2, func(b *Block, _ string, i int, x *Value) *Value {
			return node("negate", nil)(b, "main/other/", i, x)
		}, map[string]int{"main_layer_1": 2}},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := Outline(layers(t, tt.layers, tt.extra))
			require.NoError(t, err)
			require.NoError(t, Verify(made))
			got := map[string]int{}
			for _, n := range made.Funcs[len(made.Funcs)-1].Body.Nodes {
				if n.Op.Name == "call" {
					got[n.Attrs.String("function")]++
				}
			}
			require.Equal(t, tt.want, got)
		})
	}
}
