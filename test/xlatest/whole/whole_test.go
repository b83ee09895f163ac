//go:build integration

// Package whole_test compares whole models with their real weights on two virtual devices of
// XLA with themselves on one, and in buckets with the CPU backend.
package whole_test

import (
	"context"
	"os"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	backends "github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/models/bert"
	"github.com/skainet-dev/skainet-go/models/gemma3"
	"github.com/skainet-dev/skainet-go/models/llama"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// fetched returns the path of the file of weights that a variable names, a path or a place in
// the runfiles.
func fetched(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Skipf("%s names no file of weights", variable)
	}
	if _, err := os.Stat(path); err != nil {
		place, err := runfiles.Rlocation(path)
		require.NoError(t, err)
		path = place
	}
	return path
}

// of returns the graph of a model with a file of weights, and the file's index.
func of(t *testing.T, path string, model lang.Constructor) (*dag.Graph, *tensor.Index) {
	t.Helper()
	w, err := weights.Open(path)
	require.NoError(t, err)
	index, err := w.Index()
	require.NoError(t, err)
	require.NoError(t, w.Close())
	g, err := lang.Capture("model", index, model)
	require.NoError(t, err)
	return g, index
}

// onTwo compares a model with its real weights on two devices with itself on one.
func onTwo(t *testing.T, path, mesh string, model lang.Constructor, layout func(*tensor.Index) (shard.Layout, error), cases func(*contract.Contract) ([]parity.Case, error), rules parity.Rules) {
	t.Helper()
	xlatest.Plugin(t)
	t.Setenv("SKAINET_CACHE", t.TempDir())
	g, index := of(t, path, model)
	l, err := layout(index)
	require.NoError(t, err)
	axes, err := shard.ParseAxes(mesh)
	require.NoError(t, err)
	spread, err := shard.Apply(g, axes, l)
	require.NoError(t, err)
	require.EqualValues(t, 2, spread.Mesh.Devices())
	c, err := describe.Contract(g)
	require.NoError(t, err)
	list, err := cases(c)
	require.NoError(t, err)
	on := func(g *dag.Graph) parity.Open {
		return func() (backend.Executable, error) {
			return backends.Graph(context.Background(), g, backends.Options{Backend: backends.XLA, Weights: path})
		}
	}
	for _, one := range list {
		reports, err := parity.Run(context.Background(), one, on(g), on(spread), rules)
		require.NoError(t, err)
		require.NotEmpty(t, reports)
		for _, r := range reports {
			require.NoError(t, r.Err(), r.Title)
			for _, res := range r.Results {
				t.Logf("%s, %s: differs by %.2g", r.Title, res.Name, res.MaxAbs)
			}
		}
	}
}

// inBuckets compares a model with its real weights in buckets with the CPU backend.
func inBuckets(t *testing.T, path string, model lang.Constructor, cases func(*contract.Contract) ([]parity.Case, error), rules parity.Rules, buckets ...string) {
	t.Helper()
	xlatest.Plugin(t)
	t.Setenv("SKAINET_CACHE", t.TempDir())
	g, _ := of(t, path, model)
	c, err := describe.Contract(g)
	require.NoError(t, err)
	list, err := cases(c)
	require.NoError(t, err)
	ranges, err := xla.ParseBuckets(buckets...)
	require.NoError(t, err)
	kept, err := cache.Open("")
	require.NoError(t, err)
	on := func(o backends.Options) parity.Open {
		return func() (backend.Executable, error) {
			o.Weights, o.Cache, o.Buckets = path, kept, ranges
			o.Progress.Unfit = func(entry string, why error) { t.Errorf("%s: %v", entry, why) }
			return backends.Graph(context.Background(), g, o)
		}
	}
	for _, one := range list {
		reports, err := parity.Run(context.Background(), one, on(backends.Options{Backend: backends.CPU}), on(backends.Options{Backend: backends.XLA}), rules)
		require.NoError(t, err)
		require.NotEmpty(t, reports)
		for _, r := range reports {
			require.NoError(t, r.Err(), r.Title)
			for _, res := range r.Results {
				t.Logf("%s, %s: differs by %.2g", r.Title, res.Name, res.MaxAbs)
			}
		}
	}
}

// halved are the rules for a model whose keys and values are rounded to halves in the caches: logits
// of 20 may move by some 1e-2 where sums are in another order.
func halved() parity.Rules {
	rules := parity.Default()
	for d := range rules.Float {
		rules.Float[d] = parity.Tolerance{Abs: 5e-2, Rel: 1e-3}
	}
	return rules
}

// steps are a text, tokens after it, and more text, of several lengths; they are the same for all
// of lang/nn/causal.
func steps(c *contract.Contract) ([]parity.Case, error) {
	all, err := llama.ParityCases(c)
	if err != nil {
		return nil, err
	}
	return all[:1], nil
}

func TestWholeGemmaInBuckets(t *testing.T) {
	inBuckets(t, fetched(t, "SKAINET_GEMMA3_GGUF"), gemma3.Model, steps, halved(), "seq=8,32")
}

func TestWholeSmolLM2InBuckets(t *testing.T) {
	inBuckets(t, fetched(t, "SKAINET_SMOLLM2_GGUF"), llama.Model, steps, halved(), "seq=8,32")
}

func TestWholeMiniLMInBuckets(t *testing.T) {
	inBuckets(t, fetched(t, "SKAINET_MINILM_SAFETENSORS"), bert.Heads(12), bert.ParityCases, parity.Default(), xla.AutoBuckets)
}

// The whole of Gemma 3 270M, whose feed-forward rows and heads two devices have half of each.
func TestWholeGemmaOnTwoDevices(t *testing.T) {
	calls := func(c *contract.Contract) ([]parity.Case, error) {
		all, err := gemma3.ParityCases(c)
		if err != nil {
			return nil, err
		}
		return []parity.Case{{Name: all[0].Name, Calls: all[0].Calls[:3]}}, nil // a text, and two tokens after it
	}
	onTwo(t, fetched(t, "SKAINET_GEMMA3_GGUF"), "model=2", gemma3.Model, gemma3.TensorParallel, calls, halved())
}

// The whole of MiniLM, of whose texts two devices have half each.
func TestWholeMiniLMOnTwoDevices(t *testing.T) {
	layout := func(*tensor.Index) (shard.Layout, error) { return bert.DataParallel(), nil }
	cases := func(c *contract.Contract) ([]parity.Case, error) {
		var even []parity.Case
		all, err := bert.ParityCases(c)
		for _, one := range all {
			calls := one.Calls[:0:0]
			for _, call := range one.Calls {
				if call.Args[0].Type.Shape[0].Size%2 == 0 {
					calls = append(calls, call)
				}
			}
			if one.Calls = calls; len(calls) > 0 {
				even = append(even, one)
			}
		}
		return even, err
	}
	onTwo(t, fetched(t, "SKAINET_MINILM_SAFETENSORS"), "data=2", bert.Heads(12), layout, cases, parity.Default())
}
