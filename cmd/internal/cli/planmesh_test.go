package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// summing is a graph file of a model that adds up along the axis model, for texts of any
// number of rows, and keeps 16 numbers along it.
func summing(t *testing.T, axes ...lang.Axis) string {
	t.Setenv("SKAINET_CACHE", t.TempDir()) // a test under Bazel has no home
	t.Helper()
	g, err := lang.Capture("summing", nil, func(m *lang.Module) {
		if axes != nil {
			m.Mesh(axes...)
		}
		kept := m.State("kept", dtype.F32, 0, 16)
		entry := func(name string, rows shape.Dim) {
			m.Entry(name, func(f *lang.Func) {
				x := f.InputOf("x", dtype.F32, rows, shape.N(16)).Shard("", "model")
				f.Write(kept, f.Read(kept).Shard("model").AddScalar(1))
				f.Output("y", x.Tanh().Sum(false, 1))
			})
		}
		entry("one", shape.N(1))
		entry("many", shape.Named("n"))
	})
	require.NoError(t, err)
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "m.graph.json")
	require.NoError(t, os.WriteFile(path, doc, 0o600))
	return path
}

// Two devices exchange their sums of f32, which is 4 bytes a row in each direction.
func TestPlanForAMesh(t *testing.T) {
	xlatest.Plugin(t)
	path := summing(t)
	status, stdout, stderr := run("plan", path, "--mesh=model=2", "--sizes=n=8")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "mesh: model=2, 2 devices; 0 of 0 weights are split")
	require.Regexp(t, `states +32 +32 B +64 B`, stdout)
	require.Regexp(t, `one +\S+( B| KiB)? +all-reduce +1 +4 +4 B`, stdout)
	require.Regexp(t, `many n=8 +\S+( B| KiB)? +all-reduce +1 +32 +32 B`, stdout)

	status, stdout, stderr = run("plan", path, "--mesh=model=4", "--json")
	require.Zero(t, status, stderr)
	var p struct {
		Mesh  string
		Costs []struct {
			Entry       string
			Collectives []struct {
				Op   string
				Sent int64
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &p))
	require.Len(t, p.Costs, 1, "the sizes of the other are not given")
	require.Equal(t, "all-reduce", p.Costs[0].Collectives[0].Op)
	require.EqualValues(t, 2*4*3/4, p.Costs[0].Collectives[0].Sent)
}

// A graph that has a mesh is planned for the one that is asked for.
func TestPlanOfAMeshForAnother(t *testing.T) {
	t.Setenv(pjrt.Variable, "")
	path := summing(t, lang.Axis{Name: "model", Size: 2})
	for size, kept := range map[string]string{"2": "32", "4": "16", "16": "4"} {
		status, stdout, stderr := run("plan", path, "--mesh=model="+size)
		require.Zero(t, status, stderr)
		require.Contains(t, stdout, "mesh: model="+size+", "+size+" devices")
		require.Regexp(t, `states +`+kept+` +`+kept+` B +64 B`, stdout)
	}
	fails(t, 1, "DAG_SHARDING", "plan", path, "--mesh=data=2")
	fails(t, 1, "DAG_SHARDING", "plan", path, "--mesh=model=3")
}

// Weights in blocks are counted as they are stored, and as a session has them: 4 rows of 64
// numbers, each 32 in 34 bytes.
func TestPlanOfBlocks(t *testing.T) {
	t.Setenv(pjrt.Variable, "")
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "w", DType: dtype.F32, Shape: shape.Of(4, 64), Encoding: "Q8_0", Bytes: 4 * 2 * 34}}}
	g, err := lang.Capture("blocks", index, func(m *lang.Module) {
		m.Mesh(lang.Axis{Name: "model", Size: 2})
		m.Entry("main", func(f *lang.Func) {
			w, e := f.ParamBlocks("w")
			f.Output("y", f.Input("x", dtype.F32, 1, 64).DequantMatMul(e, w.Shard("model", "", "")))
		})
	})
	require.NoError(t, err)
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "m.graph.json")
	require.NoError(t, os.WriteFile(path, doc, 0o600))
	status, stdout, stderr := run("plan", path, "--mesh=model=2")
	require.Zero(t, status, stderr)
	require.Regexp(t, `weights +136 +136 B +272 B`, stdout)
	require.Regexp(t, `weights, unpacked +512 +512 B +1.0 KiB`, stdout)
	status, stdout, stderr = run("plan", path, "--mesh=model=2", "--json")
	require.Zero(t, status, stderr)
	require.Regexp(t, `"Unpacked": 512,\s+"WholeUnpacked": 1024`, stdout)
	fails(t, 1, "XLA_WEIGHTS", "plan", path, "--mesh=model=2", "--weight-form=half")
	fails(t, 2, "USAGE", "plan", path, "--weight-form=packed")
}

// What is kept is known without a plugin.
func TestPlanForAMeshWithoutAPlugin(t *testing.T) {
	t.Setenv(pjrt.Variable, "")
	path := summing(t)
	status, stdout, stderr := run("plan", path, "--mesh=model=4")
	require.Zero(t, status, stderr)
	require.Regexp(t, `states +16 +16 B +64 B`, stdout)
	require.Contains(t, stdout, "name a plugin with --plugin")
	fails(t, 1, "SHARD_AXES", "plan", path, "--mesh=model")
	fails(t, 1, "DAG_SHARDING", "plan", path, "--mesh=modle=2")
	fails(t, 1, "DAG_SHARDING", "plan", path, "--mesh=model=3")
	fails(t, 1, "XLA_PLUGIN", "plan", path, "--mesh=model=2", "--plugin=none.so")
	fails(t, 2, "USAGE", "plan", path, "--mesh=model=2", "--sizes=n")
	fails(t, 2, "USAGE", "plan", path, "--mesh=model=2", "--all")
}
