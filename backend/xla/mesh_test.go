package xla

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// perceptron multiplies by columns and then by rows, adds to a state variable that is split,
// and gives it split and whole. All numbers are small integers, so sums in any order are equal.
func perceptron(axes ...lang.Axis) lang.Constructor {
	return func(m *lang.Module) {
		if axes != nil {
			m.Mesh(axes...)
		}
		sum := m.State("sum", dtype.F32, 2, 8, 4)
		m.Entry("step", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 8, 4).Shard("data", "")
			h := x.MatMul(f.Param("up").Shard("", "model")).Shard("data", "model")
			y := h.MatMul(f.Param("down").Shard("model", "")).Add(f.Param("bias"))
			next := f.Read(sum).Shard("data", "model").Add(y)
			f.Write(sum, next)
			f.Output("whole", next)
			f.Output("rows", next.Shard("data", ""))
			f.Output("columns", next.Shard("", "model"))
			f.Output("both", next.Shard("model", "data"))
			f.Output("total", next.Sum(false, 0, 1))
		})
	}
}

func weightsOf(t *testing.T, list ...tensor.Spec) (*tensor.Index, map[string][]string, cpu.Params) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	index := &tensor.Index{}
	var items []irpa.Item
	values := map[string]tensor.Value{}
	for _, s := range list {
		n, err := s.Shape.Elements()
		require.NoError(t, err)
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(random.IntN(9) - 4)
		}
		v, err := tensor.Of(data, s.Shape.Sizes()...)
		require.NoError(t, err)
		s.DType, s.Bytes = dtype.F32, int64(len(v.Bytes))
		index.Tensors = append(index.Tensors, s)
		items = append(items, irpa.Bytes(s.Name, v.Bytes))
		values[s.Name] = v
	}
	path := filepath.Join(t.TempDir(), "w.irpa")
	require.NoError(t, irpa.Write(path, items))
	return index, map[string][]string{"model": {path}}, func(_, key string) (tensor.Value, error) { return values[key], nil }
}

func perceptronWeights(t *testing.T) (*tensor.Index, map[string][]string, cpu.Params) {
	return weightsOf(t, tensor.Spec{Name: "up", Shape: shape.Of(4, 16)}, tensor.Spec{Name: "down", Shape: shape.Of(16, 4)}, tensor.Spec{Name: "bias", Shape: shape.Of(4)})
}

var meshes = [][]lang.Axis{
	{{Name: "data", Size: 1}, {Name: "model", Size: 2}},
	{{Name: "data", Size: 2}, {Name: "model", Size: 1}},
	{{Name: "data", Size: 2}, {Name: "model", Size: 2}},
	{{Name: "model", Size: 4}, {Name: "data", Size: 1}},
	{{Name: "data", Size: 4}, {Name: "model", Size: 1}},
}

// Every mesh gives the numbers of the CPU backend, call after call; the state variable and the
// weights are on the devices in parts, and nothing is left of them.
func TestMeshes(t *testing.T) {
	xlatest.Plugin(t)
	index, files, params := perceptronWeights(t)
	reference, err := lang.Capture("perceptron", index, perceptron())
	require.NoError(t, err)
	arg := integers(t, 8, 4)
	for _, axes := range meshes {
		g, err := lang.Capture("perceptron", index, perceptron(axes...))
		require.NoError(t, err)
		devices := int(g.Mesh.Devices())
		c, err := describe.Contract(g)
		require.NoError(t, err)
		want, err := cpu.Load(reference, c, params)
		require.NoError(t, err)
		x, err := Open(context.Background(), Options{Graph: g, Archives: files})
		require.NoError(t, err)
		for range 3 {
			expected, err := want.Call(context.Background(), "step", arg)
			require.NoError(t, err)
			got, err := x.Call(context.Background(), "step", arg)
			require.NoError(t, err)
			require.Equal(t, expected, got, axes)
		}
		s := x.(*session)
		require.Len(t, s.state["sum"], devices)
		require.Len(t, s.engine.devices, devices)
		for key, whole := range map[string]tensor.Type{"sum": tensor.TypeOf(dtype.F32, 8, 4), "up": tensor.TypeOf(dtype.F32, 4, 16), "down": tensor.TypeOf(dtype.F32, 16, 4)} {
			parts, sharding := s.weight(key), g.Mesh.Parameters[key]
			if key == "sum" {
				parts, sharding = s.state[key], g.Mesh.States[key]
			}
			for _, p := range parts {
				typ, err := p.Type()
				require.NoError(t, err)
				require.Equal(t, g.Mesh.Part(whole, sharding), typ, "%s on %v", key, axes)
			}
		}
		for _, p := range append(slices.Clone(s.weight("down")), s.weight("bias")...) {
			require.True(t, p.Borrowed(), "rows and whole weights are in the mapped archive")
		}
		require.NoError(t, want.Close())
		require.NoError(t, x.Close())
		require.Zero(t, s.engine.client.Live())
	}
}

func integers(t *testing.T, sizes ...int64) tensor.Value {
	t.Helper()
	n, _ := shape.Of(sizes...).Elements()
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(i%7 - 3)
	}
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

// A graph of several devices survives its JSON, a file of programs, and the cache.
func TestMeshInAFile(t *testing.T) {
	xlatest.Plugin(t)
	index, files, _ := perceptronWeights(t)
	g, err := lang.Capture("perceptron", index, perceptron(meshes[2]...))
	require.NoError(t, err)
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	back, err := graphjson.Parse(doc)
	require.NoError(t, err)
	require.Equal(t, g.Mesh, back.Mesh)
	path := filepath.Join(t.TempDir(), "m.xla")
	require.NoError(t, Write(context.Background(), path, Options{Graph: back}))
	run := func(o Options) []tensor.Value {
		o.Archives = files
		x, err := Open(context.Background(), o)
		require.NoError(t, err)
		defer x.Close()
		out, err := x.Call(context.Background(), "step", integers(t, 8, 4))
		require.NoError(t, err)
		return out
	}
	require.Equal(t, run(Options{Graph: g}), run(Options{Program: path}))

	for want, change := range map[string]func(m *dag.Mesh){
		`"dwn", which does not exist; the names most like it are "down"`: func(m *dag.Mesh) { m.Parameters["dwn"] = m.Parameters["down"] },
		"is not divisible": func(m *dag.Mesh) { m.Axes[0].Size = 3 },
		"has no axis":      func(m *dag.Mesh) { m.States["sum"] = dag.Sharding{"none", ""} },
	} {
		_, err = ReadContract(changed(t, path, func(m *manifest) { change(m.Mesh) }))
		require.Equal(t, pjrt.CodeProgram, errs.CodeOf(err))
		require.ErrorContains(t, err, want)
	}

	_, err = Open(context.Background(), Options{Graph: g, Archives: files, Device: "cpu:1"})
	require.Equal(t, pjrt.CodeDevice, errs.CodeOf(err))
}

// A size of a call that the devices do not divide is an error of the call.
func TestMeshOfACall(t *testing.T) {
	xlatest.Plugin(t)
	g, err := lang.Capture("batch", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.InputOf("x", dtype.F32, shape.Named("n")).Tanh()) })
	})
	require.NoError(t, err)
	g, err = shard.Apply(g, []dag.Axis{{Name: "data", Size: 2}}, shard.Layout{
		Arguments: []shard.Rule{{Names: "*.x", Axes: dag.Sharding{"data"}}}, Results: []shard.Rule{{Names: "main.*", Axes: dag.Sharding{"data"}}},
	})
	require.NoError(t, err)
	x, err := Open(context.Background(), Options{Graph: g, Lazy: true})
	require.NoError(t, err)
	defer x.Close()
	call(t, x, "main", vector(t, 6, 1))
	_, err = x.Call(context.Background(), "main", vector(t, 5, 1))
	require.Equal(t, dag.CodeSharding, errs.CodeOf(err), err)
	require.ErrorContains(t, err, "main.x")
	other, err := x.(backend.Shared).Session(nil)
	require.NoError(t, err)
	defer other.Close()
	call(t, other, "main", vector(t, 4, 1))
}
