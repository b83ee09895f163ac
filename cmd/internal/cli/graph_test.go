package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// exported returns the prefix of linear's files, with its graph.
func exported(t *testing.T) string {
	t.Helper()
	prefix := filepath.Join(t.TempDir(), "linear")
	status, _, stderr := run("export", exporter(t, "linear"), "--graph", "-o", prefix)
	require.Zero(t, status, stderr)
	return prefix
}

func TestOps(t *testing.T) {
	status, markdown, stderr := run("ops", "--markdown")
	require.Zero(t, status, stderr)
	_, usual, _ := run("ops")
	require.Equal(t, markdown, usual)
	_, list, _ := run("ops", "--json")
	var rows []struct{ Name, Doc string }
	require.NoError(t, json.Unmarshal([]byte(list), &rows))
	require.Len(t, rows, len(op.All()))
	out := filepath.Join(t.TempDir(), "page")
	status, stdout, _ := run("ops", "--asciidoc", "-o", out)
	require.Zero(t, status)
	require.Empty(t, stdout)
	page, err := os.ReadFile(out)
	require.NoError(t, err)
	for _, o := range op.All() {
		require.Contains(t, markdown, "| `"+o.Name+"` |")
		require.Contains(t, string(page), "\n=== "+o.Name+"\n")
	}
	fails(t, 2, "USAGE", "ops", "--json", "--markdown")
}

// Exporting directly and exporting via the document give the
// same bytes.
func TestGraphImportGivesWhatExportGives(t *testing.T) {
	prefix := exported(t)
	status, stdout, stderr := run("graph", "import", prefix+".graph.json", "--prefix", prefix+"2")
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	for _, suffix := range []string{".mlir", ".kernels.mlir", ".contract.json", ".constants.irpa"} {
		want, err := os.ReadFile(prefix + suffix)
		require.NoError(t, err)
		got, err := os.ReadFile(prefix + "2" + suffix)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), suffix)
	}
}

func TestGraphShow(t *testing.T) {
	file := exported(t) + ".graph.json"
	status, dot, stderr := run("graph", "show", file)
	require.Zero(t, status, stderr)
	require.Contains(t, dot, `label="f32[2x2], 16 B"`)
	_, again, _ := run("graph", "show", file, "--format", "dot")
	require.Equal(t, dot, again)
}

// A script replaces skainet-draw, which has its own tests.
func TestGraphShowSVG(t *testing.T) {
	file := exported(t) + ".graph.json"
	program := write(t, "draw", []byte("#!/bin/sh\necho \"<svg>$1</svg>\"\n"))
	require.NoError(t, os.Chmod(program, 0o755))
	t.Setenv(drawVariable, program)
	status, picture, stderr := run("graph", "show", file, "--format", "svg")
	require.Zero(t, status, stderr)
	require.Equal(t, "<svg>"+file+"</svg>\n", picture)
	out := filepath.Join(t.TempDir(), "out.svg")
	status, stdout, stderr := run("graph", "show", file, "--format=svg", "-o", out)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	got, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, picture, string(got))

	failing := write(t, "failing", []byte("#!/bin/sh\necho part\necho DRAW_LAYOUT: large >&2\nexit 1\n"))
	require.NoError(t, os.Chmod(failing, 0o755))
	t.Setenv(drawVariable, failing)
	require.Contains(t, fails(t, 1, "DRAW_PROGRAM", "graph", "show", file, "--format=svg", "-o", "OUT/x"), "DRAW_LAYOUT: large")
	t.Setenv(drawVariable, "")
	t.Setenv("PATH", t.TempDir())
	require.Contains(t, fails(t, 1, "DRAW_PROGRAM", "graph", "show", file, "--format=svg", "-o", "OUT/x"), "//cmd/skainet-draw")
	fails(t, 1, "DRAW_FORMAT", "graph", "show", file, "--format=png")
}

func TestGraphRefuses(t *testing.T) {
	file := exported(t) + ".graph.json"
	bad := write(t, "bad.json", []byte(`{"schema":1}`))
	require.Contains(t, fails(t, 1, "GRAPH_FIELD", "graph", "show", bad), "bad.json: byte 0")
	fails(t, 1, "GRAPH_FIELD", "graph", "import", bad, "-o", "OUT/x")
	fails(t, 2, "USAGE", "graph", "show", file, "-o", file)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	fails(t, 2, "USAGE", "graph", "import", file, "-o", "")
	fails(t, 2, "USAGE", "graph", "import", file, "-o", "OUT/")
	own := write(t, "m.contract.json", data)
	fails(t, 2, "USAGE", "graph", "import", own, "-o", strings.TrimSuffix(own, ".contract.json"))
	fails(t, 1, "EXPORT_POLICY", "graph", "import", file, "--constants", "half", "-o", "OUT/x")
	fails(t, 1, "GRAPH_FIELD", "eval", "--graph", bad)
	fails(t, 2, "USAGE", "graph", "show", file, "--svg")
	fails(t, 2, "USAGE", "graph", "draw")
	status, stdout, _ := run("graph")
	require.Zero(t, status)
	require.Contains(t, stdout, "import")
}

func TestEval(t *testing.T) {
	file := exported(t) + ".graph.json"
	v, err := tensor.Of([]float32{3, -4.5}, 2)
	require.NoError(t, err)
	input := filepath.Join(t.TempDir(), "a=b.npy")
	require.NoError(t, npy.WriteFile(input, v))
	for _, in := range []string{"3,-4.5", "x=3,-4.5", input, "x=" + input, "x=@" + input} {
		status, stdout, stderr := run("eval", "--graph", file, "--input", in)
		require.Zero(t, status, stderr)
		require.Equal(t, "y: f32[2] = [3 -4.5]\n", stdout, in)
	}
	out := filepath.Join(t.TempDir(), "made", "here")
	status, stdout, stderr := run("eval", "--graph", file, "--input", input, "--output", out)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	got, err := npy.ReadFile(filepath.Join(out, "y.npy"))
	require.NoError(t, err)
	require.Equal(t, v, got)
	_, stdout, _ = run("eval", "--graph", file, "--input", input, "--json")
	require.True(t, json.Valid([]byte(stdout)), stdout)

	fails(t, 1, "BACKEND_BAD_ARGUMENT", "eval", "--graph", file)
	fails(t, 2, "USAGE", "eval", "--graph", file, "--input", "1,2", "--input", "1,2")
	require.Contains(t, fails(t, 1, "EVAL_BACKEND", "eval", "--graph", file, "--backend", "tpu"), "one of cpu, iree")
	fails(t, 1, "CONTRACT_NO_ENTRY", "eval", "--graph", file, "--entry", "other")
	require.Contains(t, fails(t, 1, "EVAL_MEMORY", "eval", "--graph", file, "--input", "1,2", "--max-memory", "1B"), "--max-memory")
	fails(t, 2, "USAGE", "eval", "--graph", file, "--max-memory", "much")
	fails(t, 2, "USAGE", "eval")
	file2 := write(t, "file", nil)
	fails(t, 1, "FILE_WRITE", "eval", "--graph", file, "--input", "1,2", "--output", file2)
}
