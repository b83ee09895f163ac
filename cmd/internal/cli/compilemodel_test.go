package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
)

// A model file is compiled with all that a run of the program takes.
func TestCompileModel(t *testing.T) {
	c, dir := newCompilers(t), t.TempDir()
	good := c.compiler("3.13.0", `echo "<stdin>:1:2: warning: w" >&2`)
	out := filepath.Join(dir, "conv.vmfb")
	status, stdout, stderr := run("compile", onnxModels+"conv.onnx", "--compiler", good, "--target=cpu_x86_64_v1", "--shape", "image=1,3,16,16", "-o", out)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	document, archive := filepath.Join(dir, "conv.contract.json"), filepath.Join(dir, "conv.irpa")
	require.Contains(t, stderr, "skainet: warning: ")
	require.Contains(t, stderr, "skainet: to call it: skainet run "+out+" --contract "+document+" --archive "+archive+"\n")
	require.Contains(t, read(t, c.noted), "--iree-llvmcpu-target-cpu=x86-64")
	status, stdout, stderr = run("run", out, "--contract", document, "--archive", archive, "--tool", c.tool, image(t))
	require.Zero(t, status, stderr)
	require.Equal(t, "scores: f32[1x5] = [[1 2 3 4 5]]\n", stdout)
	// What lies beside the program is found, in its help too.
	for _, name := range []string{"run", "bench"} {
		status, stdout, stderr = run(name, out, "--tool", c.tool, image(t))
		require.Zero(t, status, stderr)
		require.Contains(t, stdout, map[string]string{"run": "scores: f32[1x5] = [[1 2 3 4 5]]\n", "bench": "main"}[name])
	}
	status, stdout, stderr = run("run", out, "--help")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "takes image: f32[1x3x16x16]")
	alone := write(t, "alone.vmfb", []byte(read(t, out)))
	require.Contains(t, fails(t, 2, "USAGE", "run", alone, image(t)), strings.TrimSuffix(alone, ".vmfb")+".contract.json")
	status, _, stderr = run("verify", "--contract", document, "--archive", archive)
	require.Zero(t, status, stderr)

	// A graph's weights are packed where they are named; else a line says how.
	graph := write(t, "scaled.json", []byte(scaledGraph))
	made := filepath.Join(dir, "a b.vmfb")
	status, _, stderr = run("compile", graph, "--compiler", good, "-o", made)
	require.Zero(t, status, stderr)
	require.Contains(t, stderr, "skainet pack --contract '"+filepath.Join(dir, "a b.contract.json")+"' --scope model --weights FILE -o '"+filepath.Join(dir, "a b.irpa")+"'\n")
	require.NoFileExists(t, filepath.Join(dir, "a b.irpa"))

	// A program for another processor is not said to run here.
	elsewhere := map[string]string{"x86_64": "aarch64", "aarch64": "cpu_x86_64_v1"}[processor.Here().Arch]
	status, _, stderr = run("compile", graph, "--compiler", good, "--target="+elsewhere, "-o", made)
	require.Zero(t, status, stderr)
	require.Contains(t, stderr, "this processor cannot run it")

	// Nothing stays of what failed, and nothing is compiled that a file or flag is not for.
	n := c.compiled()
	empty := t.TempDir()
	refused := func(code, compiler string, args ...string) {
		t.Helper()
		status, _, stderr := run(append([]string{"compile", "--compiler", compiler, "-o", filepath.Join(empty, "m.vmfb")}, args...)...)
		require.NotZero(t, status)
		require.Contains(t, stderr, "skainet: "+code)
		left, err := os.ReadDir(empty)
		require.NoError(t, err)
		require.Empty(t, left)
	}
	refused("IREE_COMPILE_FAILED", c.compiler("3.13.0", `echo "<stdin>:3:4: error: no" >&2; exit 1`), onnxModels+"conv.onnx")
	refused("FILE_OPEN", good, graph, "--weights", filepath.Join(empty, "none"))
	refused("MODELFILE_OPTION", good, graph, "--shape", "x=2")
	refused("USAGE: --sizes is for targets of XLA", good, graph, "--sizes=n=2")
	refused("USAGE: --weights is for graph files", good, write(t, "m.mlir", []byte("module {}\n")), "--weights=x")
	refused("USAGE", good, graph, "-o", filepath.Join(dir, "x.irpa"))
	// What is no program text is said to be what it is, as "skainet run" does.
	refused("MODELFILE_UNKNOWN: ", good, write(t, "w.safetensors", []byte("\x08\x00\x00\x00\x00\x00\x00\x00{}      ")))
	refused("MODELFILE_UNKNOWN: ", good, write(t, "x.npy", []byte("\x93NUMPY\x01\x00")))
	refused("MODELFILE_UNKNOWN: ", good, write(t, "m.py", []byte("# a model\nimport numpy as np\n")))
	refused("MODELFILE_UNKNOWN: ", good, write(t, "empty.mlir", nil))
	require.Equal(t, n+1, c.compiled())
	// MLIR of other dialects, aliases and bytecode are the compiler's to judge.
	for i, text := range []string{"// one\n\n#map = affine_map<(d0) -> (d0)>\n", "!t = tensor<4xf32>\n", "\"builtin.module\"() ({\n}) : () -> ()\n", "hal.executable @x\n", "ML\xefR\x06"} {
		status, _, stderr = run("compile", write(t, "m.mlir", []byte(text)), "--compiler", good, "-o", filepath.Join(t.TempDir(), "m.vmfb"))
		require.Zero(t, status, "%d: %s", i, stderr)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 5)
}

// scaledGraph multiplies x by a weight.
const scaledGraph = `{"schema": 1, "name": "scaled", "states": [], "functions": [
 {"name": "main", "entry": true, "args": [{"name": "x", "id": 0, "dtype": "f32", "shape": [2]}],
  "nodes": [
   {"op": "parameter", "path": "w", "inputs": [], "attributes": {"type": {"dtype": "f32", "shape": [2]}, "key": "w"}, "outputs": [{"id": 1}]},
   {"op": "multiply", "path": "product", "inputs": [0, 1], "outputs": [{"id": 2}]}
  ],
  "results": [{"name": "y", "value": 2}], "writes": []}]}`
