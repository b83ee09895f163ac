package shard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

var layout = shard.Layout{
	Parameters: []shard.Rule{
		{Names: "blk.*.up", Axes: dag.Sharding{"model", ""}},
		{Names: "blk.*.down", Axes: dag.Sharding{"", "model"}, Parts: 2},
	},
	States:    []shard.Rule{{Names: "cache_*", Axes: dag.Sharding{"", "model"}}},
	Arguments: []shard.Rule{{Names: "run.x", Axes: dag.Sharding{"data", ""}}},
	Results:   []shard.Rule{{Names: "run.*", Axes: dag.Sharding{"data", ""}}},
}

func graph(t *testing.T, build func(f *lang.Func, x lang.Tensor) lang.Tensor) *dag.Graph {
	t.Helper()
	index := &tensor.Index{Tensors: []tensor.Spec{
		{Name: "blk.0.up", DType: dtype.F32, Shape: shape.Of(64, 8), Bytes: 4 * 64 * 8},
		{Name: "blk.0.down", DType: dtype.F32, Shape: shape.Of(8, 64), Encoding: quant.Encoding("Q8_0"), Bytes: 8 * 2 * 34},
	}}
	g, err := lang.Capture("m", index, func(m *lang.Module) {
		s := m.State("cache_k", dtype.F32, 0, 3, 8)
		m.Entry("run", func(f *lang.Func) {
			x := f.InputOf("x", dtype.F32, shape.Named("n"), shape.N(8))
			f.Write(s, f.Read(s).AddScalar(1))
			h := build(f, x).MatMul(f.Param("blk.0.up").Transpose(1, 0))
			blocks, e := f.ParamBlocks("blk.0.down")
			f.Output("y", h.DequantMatMul(e, blocks))
		})
	})
	require.NoError(t, err)
	return g
}

func same(_ *lang.Func, x lang.Tensor) lang.Tensor { return x }

func TestApply(t *testing.T) {
	g := graph(t, same)
	for text, want := range map[string]*dag.Mesh{
		"model=2": {
			Axes:       []dag.Axis{{Name: "model", Size: 2}},
			Parameters: map[string]dag.Sharding{"blk.0.up": {"model", ""}, "blk.0.down": {"", "model"}},
			States:     map[string]dag.Sharding{"cache_k": {"", "model"}}, Arguments: map[string]dag.Sharding{}, Results: map[string]dag.Sharding{},
		},
		"data=2,model=4": { // the two blocks of a row of down do not divide
			Axes:       []dag.Axis{{Name: "data", Size: 2}, {Name: "model", Size: 4}},
			Parameters: map[string]dag.Sharding{"blk.0.up": {"model", ""}},
			States:     map[string]dag.Sharding{"cache_k": {"", "model"}},
			Arguments:  map[string]dag.Sharding{"run.x": {"data", ""}}, Results: map[string]dag.Sharding{"run.y": {"data", ""}},
		},
	} {
		axes, err := shard.ParseAxes(text)
		require.NoError(t, err)
		out, err := shard.Apply(g, axes, layout)
		require.NoError(t, err)
		require.Equal(t, want, out.Mesh)
		require.Nil(t, g.Mesh, "the graph is as it was")
		again, err := shard.Apply(out, axes, layout)
		require.NoError(t, err)
		require.Equal(t, want, again.Mesh)
	}
}

// Axes take the place of those that the model's code has; how it splits values stays.
func TestApplyToAMesh(t *testing.T) {
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Mesh(lang.Axis{Name: "data", Size: 2}, lang.Axis{Name: "model", Size: 2})
		m.Entry("run", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 8, 8).Shard("data", "")
			f.Output("y", x.Tanh().Shard("", "model").Exp())
		})
	})
	require.NoError(t, err)
	own := g.Mesh.Axes
	for text, want := range map[string]int64{"data=4,model=8": 32, "model=1,data=8": 8, "data=2,model=2": 4} {
		axes, err := shard.ParseAxes(text)
		require.NoError(t, err)
		out, err := shard.Apply(g, axes, shard.Layout{})
		require.NoError(t, err)
		require.Equal(t, want, out.Mesh.Devices())
		require.Equal(t, map[string]dag.Sharding{"run.x": {"data", ""}}, out.Mesh.Arguments)
	}
	require.Equal(t, own, g.Mesh.Axes, "the graph is as it was")
	for text, want := range map[string]string{
		"model=2":                `the mesh has no axis "data"`,
		"data=3,model=2":         "is not divisible by the 3 devices",
		"data=2,model=2,other=2": `the axis "other" of 2 devices splits nothing`,
	} {
		axes, err := shard.ParseAxes(text)
		require.NoError(t, err)
		_, err = shard.Apply(g, axes, shard.Layout{})
		require.Error(t, err, text)
		require.ErrorContains(t, err, want)
	}
}

// What the model says goes before the rules.
func TestApplyToAModelThatSays(t *testing.T) {
	g := graph(t, func(_ *lang.Func, x lang.Tensor) lang.Tensor { return x.Shard("", "model").Tanh().Shard("", "model") })
	out, err := shard.Apply(g, []dag.Axis{{Name: "model", Size: 2}}, shard.Layout{})
	require.NoError(t, err)
	require.Equal(t, map[string]dag.Sharding{"run.x": {"", "model"}}, out.Mesh.Arguments)
	_, err = shard.Apply(g, []dag.Axis{{Name: "data", Size: 2}}, layout)
	require.Equal(t, dag.CodeSharding, errs.CodeOf(err), "an axis that the model names and the mesh lacks")
}

func TestMistakes(t *testing.T) {
	for _, text := range []string{"", "model", "model=", "model=x", "=2", "model=2,"} {
		_, err := shard.ParseAxes(text)
		require.Equal(t, shard.CodeAxes, errs.CodeOf(err), text)
	}
	g := graph(t, same)
	for text, code := range map[string]errs.Code{"modle=2": shard.CodeUnused, "model=3": shard.CodeUnused, "model=0": dag.CodeMesh, "model=99999": dag.CodeMesh} {
		axes, err := shard.ParseAxes(text)
		require.NoError(t, err)
		_, err = shard.Apply(g, axes, layout)
		require.Equal(t, code, errs.CodeOf(err), "%s: %v", text, err)
		if code == shard.CodeUnused {
			require.ErrorContains(t, err, "along data, model")
		}
	}
}
