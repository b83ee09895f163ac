package dag_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Products and whole uses read what is in the blocks; a lookup of rows reads the blocks, and a
// dense parameter stays. For each encoding there is a graph that unpacks it, for the part that a
// device has.
func TestUnpacked(t *testing.T) {
	for _, e := range op.PackedEncodings() {
		b, ok := e.Block()
		require.True(t, ok)
		n := b.Elements
		index := &tensor.Index{Tensors: []tensor.Spec{
			{Name: "w", DType: dtype.F32, Shape: shape.Of(8, 2*n), Encoding: e, Bytes: 8 * 2 * b.Bytes},
			{Name: "w:f32", DType: dtype.F32, Shape: shape.Of(4), Bytes: 16},
			{Name: "table", DType: dtype.F32, Shape: shape.Of(8, n), Encoding: e, Bytes: 8 * b.Bytes},
		}}
		g, err := lang.Capture("m", index, func(m *lang.Module) {
			m.Mesh(lang.Axis{Name: "model", Size: 2})
			m.Entry("main", func(f *lang.Func) {
				w, e := f.ParamBlocks("w")
				w = w.Shard("model", "", "")
				table, _ := f.ParamBlocks("table")
				f.Output("y", f.Input("x", dtype.F32, 1, 2*n).DequantMatMul(e, w))
				f.Output("row", table.DequantTake(e, f.Input("at", dtype.I32)))
				f.Output("dense", f.Param("w:f32"))
			})
		})
		require.NoError(t, err)
		before, err := graphjson.Marshal(g)
		require.NoError(t, err)
		out, list, err := dag.Unpacked(g)
		require.NoError(t, err)
		after, err := graphjson.Marshal(g)
		require.NoError(t, err)
		require.Equal(t, before, after, "g is not changed")
		require.Len(t, list, 1)
		u := list[0]
		require.Equal(t, "w:f32_", u.Unpacked, "a key that no parameter has")
		require.False(t, u.WithBlocks)
		require.Equal(t, tensor.TypeOf(dtype.F32, 8, 2*n), u.Logical())
		params, err := out.Params()
		require.NoError(t, err)
		kinds := map[string]quant.Encoding{}
		for _, p := range params {
			kinds[p.Key] = p.Encoding
		}
		require.Equal(t, map[string]quant.Encoding{"w:f32_": "", "w:f32": "", "table": e}, kinds)
		require.Equal(t, dag.Sharding{"model", ""}, out.Mesh.Parameters["w:f32_"])
		unpack, err := u.Graph(out.Mesh)
		require.NoError(t, err)
		require.Equal(t, u.Type, unpack.Funcs[0].Body.Args[0].Type)
		require.Equal(t, u.Logical(), unpack.Funcs[0].Body.Results[0].Type)
		require.Equal(t, dag.Sharding{"model", ""}, unpack.Mesh.Results["main.y"])

		same, none, err := dag.Unpacked(out)
		require.NoError(t, err)
		require.Empty(t, none)
		require.Same(t, out, same)
	}
}
