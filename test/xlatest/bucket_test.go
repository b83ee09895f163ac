package xlatest_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/models/gemma3"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// inBuckets compares a model in buckets with the CPU backend, and returns what was compiled.
func inBuckets(t *testing.T, g *dag.Graph, files map[string][]string, params cpu.Params, cases []parity.Case, buckets ...string) []string {
	t.Helper()
	c, err := describe.Contract(g)
	require.NoError(t, err)
	kept, err := cache.Open(t.TempDir())
	require.NoError(t, err)
	ranges, err := xla.ParseBuckets(buckets...)
	require.NoError(t, err)
	var made []string
	program := func() (backend.Executable, error) {
		return xla.Open(context.Background(), xla.Options{
			Graph: g, Archives: files, Lazy: true, Cache: kept, Buckets: ranges,
			Unfit: func(entry string, why error) { t.Errorf("%s: %v", entry, why) },
			Compiling: func(entry string, sizes map[string]int64) func() {
				made = append(made, strings.TrimSpace(entry+" "+xla.Spelled(sizes)))
				return func() {}
			},
		})
	}
	for _, one := range cases {
		reports, err := parity.Run(context.Background(), one, func() (backend.Executable, error) { return cpu.Load(g, c, params) }, program, parity.Default())
		require.NoError(t, err)
		require.NotEmpty(t, reports)
		for _, r := range reports {
			require.NoError(t, r.Err(), r.Title)
			for _, res := range r.Results {
				t.Logf("%s, %s: differs by %.2g", r.Title, res.Name, res.MaxAbs)
			}
		}
	}
	slices.Sort(made)
	return made
}

// Texts of any length up to 16 run one program.
func TestMiniLMInBuckets(t *testing.T) {
	xlatest.Plugin(t)
	g, files, params := cutMiniLM(t)
	text := func(batch, length int64) parity.Call {
		var ids, mask []int32
		for i := range batch * length {
			ids = append(ids, int32((i*7919+3)%words))
			mask = append(mask, map[bool]int32{true: 1}[i%length < length-i/length]) // each text is a word shorter
		}
		a, err := tensor.Of(ids, batch, length)
		require.NoError(t, err)
		b, err := tensor.Of(mask, batch, length)
		require.NoError(t, err)
		return parity.Call{Entry: "embed", Args: []tensor.Value{a, b}}
	}
	one := []parity.Case{{Name: "embed", Calls: []parity.Call{text(1, 5), text(1, 9), text(1, 13), text(1, 16), text(1, 1)}}}
	require.Equal(t, []string{"embed batch=1,seq=16"}, inBuckets(t, g, files, params, one, "seq=16"))
	several := []parity.Case{{Name: "embed", Calls: []parity.Call{text(2, 5), text(3, 9), text(4, 13), text(3, 16)}}}
	require.Equal(t, []string{"embed batch=4,seq=16"}, inBuckets(t, g, files, params, several, "seq=16", "batch=4"))
}

// Prompts of several lengths, one after the other on the same caches, run one program for each
// bucket; so do generation and the logits of whole texts.
func TestGemmaInBuckets(t *testing.T) {
	xlatest.Plugin(t)
	g, _, files, params := cutGemma(t)
	c, err := describe.Contract(g)
	require.NoError(t, err)
	cases, err := gemma3.ParityCases(c)
	require.NoError(t, err)
	require.Equal(t, []string{
		"decode", "generate seq=8,stops=1", "logits seq=8", "prefill seq=32", "prefill seq=8",
	}, inBuckets(t, g, files, params, cases, "seq=8,32"))
	require.Equal(t, []string{
		"decode", "generate seq=4,stops=1", "generate seq=8,stops=1", "logits seq=1", "logits seq=8", "prefill seq=1", "prefill seq=32", "prefill seq=8",
	}, inBuckets(t, g, files, params, cases, xla.AutoBuckets))
}
