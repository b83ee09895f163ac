//go:build integration

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/irpa"
)

// The programs that the rules' actions run, on invalid weight files: each
// reports one coded error and leaves no output, so Bazel has nothing to cache.
func TestActionsRefuseBadFiles(t *testing.T) {
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	weights, contract, index := path(t, "WEIGHTS"), path(t, "CONTRACT"), path(t, "INDEX")
	size, err := os.Stat(weights)
	require.NoError(t, err)
	none, notes := filepath.Join(t.TempDir(), "none.bin"), text(t, "notes.bin", "These are notes and no weights.\n")
	foreign := text(t, "index.json", `{"format": "ctranslate2", "tensors": [{"name": "a", "dtype": "f32", "shape": [2], "encoding": "dense", "bytes": 8}]}`)
	lacking := archive(t, func(items []irpa.Item) []irpa.Item { return items[1:] })
	shorter := archive(t, func(items []irpa.Item) []irpa.Item { items[0].Length -= 2; return items })
	first := options(t, "PROGRAM_CPU").Contract.Parameters[0].Key

	type action struct {
		program string
		args    []string
		want    []string
	}
	actions := map[string]action{
		"index of nothing":        {"SKAINET", []string{"inspect", "--index", "--output", out("i.json"), none}, []string{none}},
		"index of notes":          {"SKAINET", []string{"inspect", "--index", "--output", out("i.json"), notes}, []string{"WEIGHTS_", notes}},
		"index of a program":      {"SKAINET", []string{"inspect", "--index", "--output", out("i.json"), path(t, "PROGRAM_CPU")}, []string{"WEIGHTS_", "vmfb"}},
		"export of other weights": {"EXPORTER", []string{"--index", foreign, "--text", out("m.mlir"), "--contract", out("m.json"), "--constants", out("m.irpa")}, []string{"WHISPER_WEIGHTS", "encoder/conv1/weight"}},
		"export of no index":      {"EXPORTER", []string{"--index", notes, "--text", out("m.mlir"), "--contract", out("m.json"), "--constants", out("m.irpa")}, []string{"INDEX_BAD", notes}},
		"export without index":    {"EXPORTER", []string{"--text", out("m.mlir"), "--contract", out("m.json"), "--constants", out("m.irpa")}, []string{"LANG_NO_WEIGHTS"}},
		"pack of notes":           {"SKAINET", []string{"pack", "--contract", contract, "--weights", notes, "--output", out("p.irpa")}, []string{"WEIGHTS_", notes}},
		"pack of other weights":   {"SKAINET", []string{"pack", "--contract", contract, "--weights", path(t, "BASE_WEIGHTS"), "--output", out("p.irpa")}, []string{"decoder/", "51864"}},
		"pack for no contract":    {"SKAINET", []string{"pack", "--contract", index, "--weights", weights, "--output", out("p.irpa")}, []string{"CONTRACT_BAD", index}},
		"verify lacking a key":    {"SKAINET", []string{"verify", "--contract", contract, "--archive", lacking, "--output", out("v")}, []string{lacking, first}},
		"verify other length":     {"SKAINET", []string{"verify", "--contract", contract, "--archive", shorter, "--output", out("v")}, []string{shorter, first}},
		"verify of weights":       {"SKAINET", []string{"verify", "--contract", contract, "--archive", weights, "--output", out("v")}, []string{"IRPA_", weights, "byte 0"}},
	}
	for _, n := range []int64{3, 100, 5_000, size.Size() / 2, size.Size() - 1} {
		short := cut(t, "WEIGHTS", n)
		where := []string{"CT2_TRUNCATED", short, "byte "}
		if n < 4 {
			where = []string{"WEIGHTS_", short}
		}
		actions["index cut at "+strconv.FormatInt(n, 10)] = action{"SKAINET", []string{"inspect", "--index", "--output", out("i.json"), short}, where}
		actions["pack cut at "+strconv.FormatInt(n, 10)] = action{"SKAINET", []string{"pack", "--contract", contract, "--weights", short, "--output", out("p.irpa")}, where}
	}
	for name, a := range actions {
		t.Run(name, func(t *testing.T) {
			refused(t, start(t, a.program, nil, a.args...), 1, a.want...)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left, "nothing is left, not even a temporary file")
		})
	}
}
