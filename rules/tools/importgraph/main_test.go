package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/internal/command"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

const models = "../../tests/onnx/"

// run imports a file as the action does, and returns the two outputs.
func run(t *testing.T, file string, args ...string) (status int, graph, index, stderr string) {
	t.Helper()
	dir := t.TempDir()
	var out bytes.Buffer
	args = append([]string{"--graph", filepath.Join(dir, "graph"), "--index", filepath.Join(dir, "index"), file}, args...)
	status = command.RunTool(t.Context(), newCommand(), args, &out, &out)
	if status != 0 {
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left, "no output is left")
		return status, "", "", out.String()
	}
	g, err := os.ReadFile(filepath.Join(dir, "graph"))
	require.NoError(t, err)
	x, err := os.ReadFile(filepath.Join(dir, "index"))
	require.NoError(t, err)
	return status, string(g), string(x), out.String()
}

// Other weights of the same shapes, and weights in another file, give the same bytes, so that
// no action but the packing has other inputs.
func TestOtherWeightsGiveTheSameGraph(t *testing.T) {
	status, graph, index, stderr := run(t, models+"conv.onnx", "--name=conv", "--format=onnx")
	require.Zero(t, status, stderr)
	require.Contains(t, graph, `"key":"conv1.bias"`, "a small weight is outside")
	require.Contains(t, index, `"conv1.bias"`)
	for _, other := range []string{"conv_tuned.onnx", "conv_outside.onnx"} {
		status, g, x, stderr := run(t, models+other, "--name=conv")
		require.Zero(t, status, stderr)
		require.Equal(t, graph, g, other)
		require.Equal(t, index, x, other)
	}
	g, err := graphjson.Parse([]byte(graph))
	require.NoError(t, err)
	require.Equal(t, "conv", g.Name)

	// With constants in it the graph depends on them.
	_, graph, _, _ = run(t, models+"conv.onnx", "--name=conv", "--inline=100")
	_, tuned, _, _ := run(t, models+"conv_tuned.onnx", "--name=conv", "--inline=100")
	require.NotContains(t, graph, `"key":"conv1.bias"`)
	require.NotEqual(t, graph, tuned)
}

func TestRefuses(t *testing.T) {
	document := filepath.Join(t.TempDir(), "m.json")
	require.NoError(t, os.WriteFile(document, []byte(`{"schema":1,"name":"m","states":[],"functions":[]}`), 0o644))
	whole, err := os.ReadFile(models + "conv.onnx")
	require.NoError(t, err)
	cut := filepath.Join(t.TempDir(), "cut.onnx")
	require.NoError(t, os.WriteFile(cut, whole[:len(whole)/2], 0o644))
	for _, c := range []struct {
		file, want string
		args       []string
	}{
		{models + "conv.onnx", "skainet: IMPORT_FORMAT: ", []string{"--format=gguf"}},
		{document, "write graph = in place of onnx = in the BUILD file", []string{"--format=onnx"}},
		{cut, "skainet: ONNX_", nil},
		{models + "conv.onnx", "skainet: IMPORT_OPTION: ", []string{"--shape=x=1,3,16,16"}},
		{models + "conv.onnx", "skainet: ONNX_OPTION: ", []string{"--shape=image=1,3,16"}},
	} {
		status, _, _, stderr := run(t, c.file, c.args...)
		require.Equal(t, 1, status, stderr)
		require.Contains(t, stderr, c.want)
	}
}
