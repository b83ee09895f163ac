//go:build integration

package adapters

import (
	"context"
	_ "embed"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/test/reference"
)

// The oracle is NumPy, with each adapter merged into the weights that gguf-py unpacked:
// testdata/gen_cut.py made the file.
//
//go:embed testdata/cut.json
var goldenJSON []byte

type golden struct {
	IDs    []int32
	Every  int
	Logits map[string][][]float32 // by adapter, "" for none: some of those after each token
}

func read(t *testing.T) golden {
	t.Helper()
	var g golden
	require.NoError(t, json.Unmarshal(goldenJSON, &g))
	require.Len(t, g.Logits, 3)
	return g
}

// requireLogits compares a session with NumPy, by prefill and decode.
func (g golden) requireLogits(t *testing.T, x backend.Executable, name string) {
	t.Helper()
	compare := func(at int, logits []float32) {
		for i, want := range g.Logits[name][at] {
			require.InDelta(t, want, logits[i*g.Every], reference.Tolerance, "adapter %q, after token %d, logit %d", name, at, i*g.Every)
		}
	}
	n := len(g.IDs)
	compare(n-1, reference.Prefill(t, x, g.IDs, 0))
	compare(2, reference.Prefill(t, x, g.IDs[:3], 0))
	for at := 3; at < n; at++ {
		compare(at, reference.Decode(t, x, g.IDs[at]))
	}
}

func archives(t *testing.T) map[string]string {
	return map[string]string{"": reference.Path(t, "NONE"), "poet": reference.Path(t, "POET"), "clerk": reference.Path(t, "CLERK")}
}

func program(t *testing.T) backend.Executable {
	t.Helper()
	x, err := iree.Open(iree.Options{
		Program: reference.Path(t, "PROGRAM"), Contract: reference.Contract(t), Library: reference.Path(t, "LIBRARY"), Device: "local-task", Workers: 2,
		Archives: map[string][]string{"model": {reference.Path(t, "ARCHIVE")}, causal.AdapterScope: {archives(t)[""]}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x
}

// One program, and an adapter for each session.
func TestProgramWithAdapters(t *testing.T) {
	g, base := read(t), program(t)
	weights := memory(t, base)
	for name, path := range archives(t) {
		x, err := base.(backend.Shared).Session(map[string][]string{causal.AdapterScope: {path}})
		require.NoError(t, err)
		defer x.Close()
		g.requireLogits(t, x, name)
		info, err := os.Stat(path)
		require.NoError(t, err)
		m := memory(t, x)
		require.Equal(t, info.Size(), m.Archives, "memory grows by the adapter")
		require.Equal(t, weights.Archives-size(t, archives(t)[""]), m.Shared, "and the weights are in memory once")
		require.Less(t, m.Archives, m.Shared/100)
	}
	g.requireLogits(t, base, "")
}

// The CPU backend takes what PEFT saved, and shares the weights too.
func TestCPUBackendWithAdapters(t *testing.T) {
	index, err := export.ReadIndex(reference.Path(t, "INDEX"))
	require.NoError(t, err)
	g, err := export.Capture(cpu.Evaluate, "cut", index, Cut, "", "")
	require.NoError(t, err)
	base, err := open.Graph(context.Background(), g, open.Options{
		Backend: open.CPU, Weights: reference.Path(t, "WEIGHTS"), Scopes: map[string]string{causal.AdapterScope: reference.Path(t, "NONE")},
	})
	require.NoError(t, err)
	defer base.Close()
	want := read(t)
	for name, variable := range map[string]string{"": "NONE", "poet": "POET_CONFIG", "clerk": "CLERK"} {
		x, err := base.(backend.Shared).Session(map[string][]string{causal.AdapterScope: {reference.Path(t, variable)}})
		require.NoError(t, err)
		defer x.Close()
		want.requireLogits(t, x, name)
	}
	want.requireLogits(t, base, "")
}

func memory(t *testing.T, x backend.Executable) iree.Memory {
	t.Helper()
	m, err := x.(iree.Metered).Memory()
	require.NoError(t, err)
	return m
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}

// Adapters choose other tokens than the model does, and the one of zeros the same.
func TestTokensOfAdapters(t *testing.T) {
	g, base := read(t), program(t)
	plain := reference.OnCPU(t, "plain", Plain)
	tokens := func(x backend.Executable) []int32 {
		list := []int32{reference.Best(reference.Prefill(t, x, g.IDs[:5], 0))}
		for len(list) < 12 {
			list = append(list, reference.Best(reference.Decode(t, x, list[len(list)-1])))
		}
		return list
	}
	said := map[string][]int32{}
	for name, path := range archives(t) {
		x, err := base.(backend.Shared).Session(map[string][]string{causal.AdapterScope: {path}})
		require.NoError(t, err)
		defer x.Close()
		said[name] = tokens(x)
	}
	require.Equal(t, tokens(plain), said[""])
	require.NotEqual(t, said[""], said["poet"])
	require.NotEqual(t, said[""], said["clerk"])
	require.NotEqual(t, said["poet"], said["clerk"])
}
