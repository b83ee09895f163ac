package dag_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func split(t *testing.T) *dag.Graph {
	t.Helper()
	index := &tensor.Index{Tensors: []tensor.Spec{
		{Name: "blk.0.up", DType: dtype.F32, Shape: shape.Of(4), Bytes: 16}, {Name: "blk.0.down", DType: dtype.F32, Shape: shape.Of(4), Bytes: 16},
		{Name: "unused", DType: dtype.F32, Shape: shape.Of(4), Bytes: 16},
	}}
	g, err := lang.Capture("m", index, func(m *lang.Module) {
		m.Mesh(lang.Axis{Name: "model", Size: 2})
		s := m.State("kept", dtype.F32, 0, 4)
		m.Entry("main", func(f *lang.Func) {
			next := f.Read(s).Shard("model").Add(f.Input("x", dtype.F32, 4).Shard("model").Mul(f.Param("blk.0.up").Shard("model")))
			f.Param("unused").Shard("model")
			f.Write(s, next)
			f.Output("y", next.Shard("model"))
		})
		m.Entry("other", func(f *lang.Func) { f.Output("z", f.Param("blk.0.down").Shard("model").Tanh()) })
	})
	require.NoError(t, err)
	return g
}

// Every entry of a mesh is a value of the graph; a wrong one is named, with names that are like
// it. It was accepted before, and split nothing.
func TestMeshNames(t *testing.T) {
	for want, change := range map[string]func(m *dag.Mesh){
		`the mesh splits the weight "blk.0.upp", which does not exist; the names most like it are "blk.0.up"`: func(m *dag.Mesh) {
			m.Parameters["blk.0.upp"] = dag.Sharding{"model"}
		},
		`the state variable "keep", which does not exist; the names most like it are "kept"`: func(m *dag.Mesh) { m.States["keep"] = dag.Sharding{"model"} },
		`the argument "main.y", which does not exist; the names most like it are "main.x"`:   func(m *dag.Mesh) { m.Arguments["main.y"] = dag.Sharding{"model"} },
		`the result "y", which does not exist; the names most like it are "main.y"`:          func(m *dag.Mesh) { m.Results["y"] = dag.Sharding{"model"} },
		`the argument "none.x"`: func(m *dag.Mesh) { m.Arguments["none.x"] = nil },
	} {
		g := split(t)
		change(g.Mesh)
		err := dag.Verify(g)
		require.Equal(t, dag.CodeSharding, errs.CodeOf(err), "%s: %v", want, err)
		require.ErrorContains(t, err, want)
	}
	alone := &dag.Graph{Name: "m", Mesh: &dag.Mesh{States: map[string]dag.Sharding{"s": {""}}}}
	require.ErrorContains(t, dag.Verify(alone), "leave it out")
}

// What a rewrite removes goes from the mesh too.
func TestMeshOfAPart(t *testing.T) {
	g := split(t)
	one, err := dag.Specialize(g, "other")
	require.NoError(t, err)
	require.Equal(t, map[string]dag.Sharding{"blk.0.down": {"model"}}, one.Mesh.Parameters)
	require.Empty(t, one.Mesh.Arguments)
	require.Contains(t, g.Mesh.Parameters, "blk.0.up", "the graph is as it was")
	require.NotContains(t, g.Mesh.Parameters, "unused", "a pass of the capture removed what read it")
	require.Nil(t, (*dag.Mesh)(nil).Within(g))
}
