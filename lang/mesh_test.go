package lang_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func meshIndex() *tensor.Index {
	return &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(4, 8), Bytes: 128}}}
}

// Shard of what devices keep is noted with the graph; of other values it is a node.
func TestShard(t *testing.T) {
	g, err := lang.Capture("m", meshIndex(), func(m *lang.Module) {
		m.Mesh(lang.Axis{Name: "data", Size: 2}, lang.Axis{Name: "model", Size: 4})
		s := m.State("s", dtype.F32, 0, 2, 8)
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 2, 4).Shard("data", "")
			y := x.MatMul(f.Param("w").Shard("", "model")).Shard("data", "model")
			f.Write(s, y.Add(f.Read(s).Shard("data", "")))
			f.Output("y", y)
			f.Output("x", x)
			f.Output("z", y.Tanh())
		})
	})
	require.NoError(t, err)
	require.Equal(t, &dag.Mesh{
		Axes:       []dag.Axis{{Name: "data", Size: 2}, {Name: "model", Size: 4}},
		Parameters: map[string]dag.Sharding{"w": {"", "model"}}, States: map[string]dag.Sharding{"s": {"data", ""}},
		Arguments: map[string]dag.Sharding{"main.x": {"data", ""}},
		Results:   map[string]dag.Sharding{"main.y": {"data", "model"}, "main.x": {"data", ""}},
	}, g.Mesh)
	var axes []string
	g.Funcs[0].Body.Walk(func(n *dag.Node) {
		if n.Op.ID == id.Shard {
			axes = append(axes, n.Attrs.String("axes"))
		}
	})
	require.Equal(t, []string{"data,model"}, axes)
}

// What does not fit is found at capture, and the message says where in the model.
func TestShardMistakes(t *testing.T) {
	pair := []lang.Axis{{Name: "data", Size: 2}, {Name: "model", Size: 4}}
	for want, tt := range map[string]struct {
		code  errs.Code
		where string
		axes  []lang.Axis
		build func(f *lang.Func, s lang.State)
	}{
		`the mesh has no axis "modle"`:         {dag.CodeSharding, "w", pair, func(f *lang.Func, _ lang.State) { f.Output("y", f.Param("w").Shard("modle", "")) }},
		"splits two dimensions":                {dag.CodeSharding, "main/part", pair, func(f *lang.Func, _ lang.State) { f.Output("y", f.Param("w").Shard("data", "data")) }},
		"1 axes for f32[4x8]":                  {dag.CodeSharding, "main/part", pair, func(f *lang.Func, _ lang.State) { f.Output("y", f.Param("w").Tanh().Shard("data")) }},
		"is not divisible by the 4 devices":    {dag.CodeSharding, "main/part/shard", pair, func(f *lang.Func, _ lang.State) { f.Output("y", f.Param("w").Slice(0, 0, 2).Shard("model", "")) }},
		"dimension 0 of f32[2] is not":         {dag.CodeSharding, "s", pair, func(f *lang.Func, s lang.State) { f.Output("y", f.Read(s).Shard("model")) }},
		"and was split as":                     {lang.CodeMisuse, "main/part", pair, func(f *lang.Func, _ lang.State) { f.Param("w").Shard("data", ""); f.Param("w").Shard("", "data") }},
		"a scalar has no axes":                 {op.CodeShape, "main/part/shard", pair, func(f *lang.Func, _ lang.State) { f.Output("y", f.Splat(dtype.F32, 1).Shard()) }},
		`axis "no axis" of the mesh is not an`: {dag.CodeMesh, "m", []lang.Axis{{Name: "no axis", Size: 2}}, nil},
		`axis "data" of the mesh is not an`:    {dag.CodeMesh, "m", []lang.Axis{pair[0], pair[0]}, nil},
		`"data" of the mesh has 0 devices`:     {dag.CodeMesh, "m", []lang.Axis{{Name: "data"}}, nil},
		`"b" of the mesh has 4096 devices`:     {dag.CodeMesh, "m", []lang.Axis{{Name: "a", Size: 4096}, {Name: "b", Size: 4096}}, nil},
	} {
		_, err := lang.Capture("m", meshIndex(), func(m *lang.Module) {
			m.Mesh(tt.axes...)
			s := m.State("s", dtype.F32, 0, 2)
			m.Entry("main", func(f *lang.Func) {
				f.Scope("part", func() {
					if tt.build == nil {
						f.Output("y", f.Splat(dtype.F32, 1))
						return
					}
					tt.build(f, s)
				})
			})
		})
		require.Equal(t, tt.code, errs.CodeOf(err), "%s: %v", want, err)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, tt.where)
	}
	_, err := lang.Capture("m", nil, func(m *lang.Module) { m.Mesh(pair...); m.Mesh(pair...) })
	require.Equal(t, lang.CodeMisuse, errs.CodeOf(err))
}
