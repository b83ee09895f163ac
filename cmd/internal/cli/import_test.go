package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// read returns a file's text.
func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

// Exporting a model and exporting its graph give the same bytes, in every precision.
func TestExportOfAGraphGivesWhatTheExporterGives(t *testing.T) {
	plain := exported(t)
	for _, args := range [][]string{{}, {"--dtype", "bf16"}, {"--constants", "external", "--integer-f16", "--name", "other"}} {
		prefix := filepath.Join(t.TempDir(), "linear")
		status, _, stderr := run(append([]string{"export", exporter(t, "linear"), "--prefix", prefix}, args...)...)
		require.Zero(t, status, stderr)
		status, _, stderr = run(append([]string{"export", plain + ".graph.json", "--prefix", prefix + "2"}, args...)...)
		require.Zero(t, status, stderr)
		files, err := filepath.Glob(prefix + ".*")
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(files), 4)
		for _, f := range files {
			require.Equal(t, read(t, f), read(t, prefix+"2"+f[len(prefix):]), "%s with %v", f, args)
		}
	}
}

// A graph is a model file too: its import is itself, and a weights index without weights.
func TestImportOfAGraph(t *testing.T) {
	plain := exported(t)
	prefix := filepath.Join(t.TempDir(), "m")
	status, stdout, stderr := run("import", plain+".graph.json", "--prefix", prefix)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	require.Equal(t, read(t, plain+".graph.json"), read(t, prefix+".graph.json"))
	require.Contains(t, read(t, prefix+".index.json"), `"tensors": []`)
	status, _, stderr = run("export", prefix+".graph.json", "--index", prefix+".index.json", "--prefix", prefix)
	require.Zero(t, status, stderr)
	require.Equal(t, read(t, plain+".mlir"), read(t, prefix+".mlir"))

	status, _, stderr = run("import", plain+".graph.json", "--prefix", prefix, "--name", "other")
	require.Zero(t, status, stderr)
	require.Contains(t, read(t, prefix+".graph.json"), `"name":"other"`)
}

func TestImportRefuses(t *testing.T) {
	graph := exported(t) + ".graph.json"
	prefix := filepath.Join(t.TempDir(), "m")
	fails(t, 1, "MODELFILE_UNKNOWN", "import", write(t, "m", nil), "--prefix", "OUT/m")
	fails(t, 1, "MODELFILE_UNKNOWN", "import", write(t, "m", []byte("text")), "--prefix", "OUT/m")
	fails(t, 1, "FILE_OPEN", "import", prefix+".no", "--prefix", "OUT/m")
	fails(t, 1, "GRAPH_FIELD", "import", write(t, "m", []byte(`{"schema":1}`)), "--prefix", "OUT/m")
	fails(t, 1, "MODELFILE_OPTION", "import", graph, "--cut", "h", "--prefix", "OUT/m")
	fails(t, 1, "IMPORT_OPTION", "import", graph, "--shape", "tokens=1,2", "--prefix", "OUT/m")
	fails(t, 2, "USAGE", "import", graph)
	fails(t, 2, "USAGE", "import", graph, "--prefix", "OUT/")
	// The graph would replace its own file.
	status, _, stderr := run("import", graph, "--prefix", graph[:len(graph)-len(".graph.json")])
	require.Equal(t, 2, status, stderr)
	status, _, stderr = run("export", graph, "--graph", "--prefix", graph[:len(graph)-len(".graph.json")])
	require.Equal(t, 2, status, stderr)
	fails(t, 1, "EXPORT_READ", "export", graph, "--index", prefix+".no", "--prefix", "OUT/m")
}

// The way by hand from an ONNX file to results, which are those that ONNX Runtime gave.
func TestAnONNXFileByHand(t *testing.T) {
	const models = "../../../rules/tests/onnx/"
	dir := t.TempDir()
	prefix := filepath.Join(dir, "conv")
	for _, args := range [][]string{
		{"import", models + "conv.onnx", "--prefix", prefix, "--shape", "image=2,3,16,16"},
		{"export", prefix + ".graph.json", "--index", prefix + ".index.json", "--prefix", prefix},
		{"pack", "--contract", prefix + ".contract.json", "--weights", models + "conv.onnx", "-o", prefix + ".irpa"},
		{"verify", "--contract", prefix + ".contract.json", "--archive", prefix + ".irpa"},
	} {
		status, _, stderr := run(args...)
		require.Zero(t, status, stderr)
	}
	require.Contains(t, read(t, prefix+".mlir"), "tensor<2x3x16x16xf32>")
	arrays, err := npy.ReadArchive(models + "conv_case.npz")
	require.NoError(t, err)
	recorded := map[string]tensor.Value{}
	for _, a := range arrays {
		recorded[a.Name] = a.Value
	}
	require.NoError(t, npy.WriteFile(filepath.Join(dir, "image.npy"), recorded["image"]))
	status, _, stderr := run("eval", "--graph", prefix+".graph.json", "--weights", models+"conv.onnx", "--input", "image="+filepath.Join(dir, "image.npy"), "--results", dir)
	require.Zero(t, status, stderr)
	got, err := npy.ReadFile(filepath.Join(dir, "scores.npy"))
	require.NoError(t, err)
	scores, err := tensor.Slice[float32](got)
	require.NoError(t, err)
	want, err := tensor.Slice[float32](recorded["scores"])
	require.NoError(t, err)
	require.InDeltaSlice(t, want, scores, 1e-6)
	require.Contains(t, fails(t, 1, "EXPORT_NO_MODEL", "export", models+"conv.onnx", "--prefix", "OUT/m"), "import it first")
}
