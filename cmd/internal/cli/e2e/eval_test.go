//go:build integration

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
	"github.com/skainet-dev/skainet-go/io/npy"
)

// scaled is a hand-written graph that multiplies x by a weight and adds x.
const scaled = `{"schema": 1, "name": "scaled", "states": [], "functions": [
 {"name": "main", "entry": true, "args": [{"name": "x", "id": 0, "dtype": "f32", "shape": [2]}],
  "nodes": [
   {"op": "parameter", "path": "w", "inputs": [], "attributes": {"type": {"dtype": "f32", "shape": [2]}, "key": "w"}, "outputs": [{"id": 1}]},
   {"op": "multiply", "path": "product", "inputs": [0, 1], "outputs": [{"id": 2}]},
   {"op": "add", "path": "sum", "inputs": [2, 0], "outputs": [{"id": 3}]}
  ],
  "results": [{"name": "y", "value": 3}], "writes": []}]}`

// A document not written by us runs on both backends with weights from a file.
func TestEvalOnBothBackends(t *testing.T) {
	dir := t.TempDir()
	graph, weights, out := filepath.Join(dir, "g.json"), filepath.Join(dir, "w.safetensors"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(graph, []byte(scaled), 0o644))
	header := `{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  `
	require.Zero(t, len(header)%8)
	data := append([]byte{byte(len(header)), 0, 0, 0, 0, 0, 0, 0}, header...)
	data = append(data, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40) // 1 and 2
	require.NoError(t, os.WriteFile(weights, data, 0o644))
	for _, backend := range [][]string{
		{"--backend", "cpu"},
		{"--backend", "iree", "--iree-compile", path(t, "IREE_COMPILE"), "--lld", path(t, "IREE_LLD"), "--library", path(t, "IREERT_LIBRARY")},
		{"--backend", "iree", "--iree-compile", path(t, "IREE_COMPILE"), "--lld", path(t, "IREE_LLD"), "--iree-run-module", path(t, "IREE_RUN_MODULE")},
	} {
		require.NoError(t, os.RemoveAll(out))
		var stdout, stderr bytes.Buffer
		args := append([]string{"eval", "--graph", graph, "--weights", weights, "--input", "x=3,-5", "--output", out}, backend...)
		require.Zero(t, cli.Main(args, &stdout, &stderr), stderr.String())
		require.Empty(t, stdout.String()+stderr.String())
		v, err := npy.ReadFile(filepath.Join(out, "y.npy"))
		require.NoError(t, err)
		require.Equal(t, of(t, []float32{6, -15}, 2), v)
	}
}
