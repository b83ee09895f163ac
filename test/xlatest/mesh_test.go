package xlatest_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/models/bert"
	"github.com/skainet-dev/skainet-go/models/gemma3"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// madeUp returns an archive of made-up weights in f32, of a size at which sums of products
// neither grow nor vanish; vectors are near one.
func madeUp(t *testing.T, index *tensor.Index) (files map[string][]string, params cpu.Params) {
	t.Helper()
	random := rand.New(rand.NewPCG(18, 5))
	values := map[string]tensor.Value{}
	var items []irpa.Item
	for i, s := range index.Tensors {
		n, err := s.Shape.Elements()
		require.NoError(t, err)
		data := make([]float32, n)
		for k := range data {
			data[k] = float32(random.NormFloat64())
			if s.Shape.Rank() > 1 {
				data[k] /= float32(math.Sqrt(float64(s.Shape[1].Size)))
			} else {
				data[k] = 1 + data[k]/10
			}
		}
		v, err := tensor.Of(data, s.Shape.Sizes()...)
		require.NoError(t, err)
		index.Tensors[i].DType, index.Tensors[i].Bytes = dtype.F32, int64(len(v.Bytes))
		values[s.Name] = v
		items = append(items, irpa.Bytes(s.Name, v.Bytes))
	}
	path := filepath.Join(t.TempDir(), "w.irpa")
	require.NoError(t, irpa.Write(path, items))
	return map[string][]string{contract.DefaultScope: {path}}, func(_, key string) (tensor.Value, error) { return values[key], nil }
}

// onMeshes compares a model on meshes with itself on one device, and with the CPU backend, by
// the tolerances of package parity: those follow from the operations of the table, whose sums
// may be in any order, and the devices of a mesh add up theirs in another.
func onMeshes(t *testing.T, g *dag.Graph, files map[string][]string, params cpu.Params, l shard.Layout, cases func(c *contract.Contract) ([]parity.Case, error), meshes ...string) {
	t.Helper()
	c, err := describe.Contract(g)
	require.NoError(t, err)
	list, err := cases(c)
	require.NoError(t, err)
	require.Len(t, list, 1, "the programs stay open, and so does their state")
	opened := func(x backend.Executable, err error) parity.Open {
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, x.Close()) })
		return func() (backend.Executable, error) { return open{x}, nil }
	}
	onDevices := func(g *dag.Graph) parity.Open {
		return opened(xla.Open(context.Background(), xla.Options{Graph: g, Archives: files, Lazy: true}))
	}
	references := map[string]parity.Open{"the CPU backend": opened(cpu.Load(g, c, params)), "one device": onDevices(g)}
	for _, text := range meshes {
		axes, err := shard.ParseAxes(text)
		require.NoError(t, err)
		spread, err := shard.Apply(g, axes, l)
		require.NoError(t, err)
		program := onDevices(spread)
		for name, reference := range references {
			reports, err := parity.Run(context.Background(), list[0], reference, program, parity.Default())
			require.NoError(t, err)
			require.NotEmpty(t, reports)
			for _, r := range reports {
				require.NoError(t, r.Err(), "%s as %s", text, name)
				for _, res := range r.Results {
					t.Logf("%s as %s: %s, %s differs by %.2g", text, name, r.Title, res.Name, res.MaxAbs)
				}
			}
		}
	}
}

// open is a program that is used again.
type open struct{ backend.Executable }

func (open) Close() error { return nil }

// Of the two heads of keys and values two devices have one each, and four have both.
func TestTensorParallelGemma(t *testing.T) {
	xlatest.Plugin(t)
	g, index, files, params := cutGemma(t)
	layout, err := gemma3.TensorParallel(index)
	require.NoError(t, err)

	on := func(text string) *dag.Mesh {
		axes, err := shard.ParseAxes(text)
		require.NoError(t, err)
		g, err := shard.Apply(g, axes, layout)
		require.NoError(t, err)
		return g.Mesh
	}
	two, four := on("model=2"), on("model=4")
	require.Equal(t, dag.Sharding{"", "model", ""}, two.States["keys_0"])
	require.Nil(t, four.States["keys_0"])
	require.Nil(t, four.Parameters["blk.4.attn_k.weight"])
	require.Equal(t, dag.Sharding{"", "model"}, four.Parameters["blk.5.attn_output.weight"])
	calls := func(c *contract.Contract) ([]parity.Case, error) {
		list, err := gemma3.CutCases(c)
		require.NoError(t, err)
		list[0].Calls = append(list[0].Calls[:2], list[0].Calls[3]) // a text, a token, and a loop that generates more
		return list, nil
	}
	onMeshes(t, g, files, params, layout, calls, "model=2", "model=4")
}

func TestDataParallelMiniLM(t *testing.T) {
	xlatest.Plugin(t)
	g, files, params := cutMiniLM(t)
	texts := func(*contract.Contract) ([]parity.Case, error) {
		var calls []parity.Call
		for _, batch := range []int64{4, 8} {
			const longest = 9
			var ids, mask []int32
			for row := range batch {
				for at := range int64(longest) {
					ids = append(ids, int32((row*7919+at*104729)%words))
					mask = append(mask, map[bool]int32{true: 1}[at <= row])
				}
			}
			a, err := tensor.Of(ids, batch, longest)
			if err != nil {
				return nil, err
			}
			b, err := tensor.Of(mask, batch, longest)
			if err != nil {
				return nil, err
			}
			calls = append(calls, parity.Call{Entry: "embed", Args: []tensor.Value{a, b}})
		}
		return []parity.Case{{Name: "embed", Calls: calls}}, nil
	}
	onMeshes(t, g, files, params, bert.DataParallel(), texts, "data=2", "data=4")
}
