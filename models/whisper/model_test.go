package whisper

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func signature(ns []contract.Named) []string {
	var out []string
	for _, n := range ns {
		out = append(out, n.Name+" "+n.Type().String())
	}
	return out
}

func TestEntryPoints(t *testing.T) {
	g, doc := capture(t, small)
	require.NoError(t, dag.Verify(g))
	got := map[string][2][]string{}
	state := map[string]bool{}
	for _, e := range doc.Entries {
		got[e.Name] = [2][]string{signature(e.Args), signature(e.Results)}
		state[e.Name] = e.State
	}
	require.Equal(t, map[string][2][]string{
		"encode":      {{"mel f32[1x80x20]"}, {"encoded f32[10x8]"}},
		"prefill":     {{"encoded f32[10x8]", "prompt i32[8]", "prompt_length i32[scalar]"}, {"logits f32[1x50]"}},
		"decode_step": {{"token i32[1]"}, {"logits f32[1x50]"}},
		"transcribe": {
			{"mel f32[1x80x20]", "prompt i32[8]", "prompt_length i32[scalar]", "stop i32[scalar]", "suppress f32[50]", "suppress_first f32[50]", "max_tokens i32[scalar]", "no_speech i32[scalar]"},
			{"tokens i32[224]", "count i32[scalar]", "log_probability f32[scalar]", "no_speech_probability f32[scalar]"},
		},
	}, got)
	require.Equal(t, map[string]bool{"encode": false, "prefill": false, "decode_step": true, "transcribe": false}, state)

	// One archive for all: every weight once, under its name in the file.
	var keys, names []string
	for _, p := range doc.Parameters {
		require.Equal(t, "model", p.Scope)
		keys = append(keys, p.Key)
	}
	for _, s := range indexOf(small).Tensors {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	require.Equal(t, names, keys)
}

// The text must depend only on the index.
func TestCaptureIsDeterministic(t *testing.T) {
	_, a := capture(t, small)
	_, b := capture(t, small)
	require.Equal(t, a.TextSHA256, b.TextSHA256)
	require.Len(t, a.TextSHA256, 64)
}

func testMel(t *testing.T) tensor.Value {
	t.Helper()
	v, err := syntheticMel(tensor.TypeOf(dtype.F32, 1, small.MelBins, 2*small.AudioContext))
	require.NoError(t, err)
	return v
}

func padded(t *testing.T, ids ...int32) (prompt, length tensor.Value) {
	t.Helper()
	n := int32(len(ids))
	return of(t, append(ids, make([]int32, MaxPrompt-len(ids))...), MaxPrompt), of(t, []int32{n})
}

// greedy decodes step by step: prefill and decode_step return logits, and
// the choice, its log probability and the end are computed here, in float64.
func greedy(t *testing.T, prompt []int32, stop int32, suppress, first []float32, limit int) (ids []int32, logProb float64) {
	t.Helper()
	ctx := context.Background()
	x := load(t, small)
	encoded, err := x.Call(ctx, "encode", testMel(t))
	require.NoError(t, err)
	tokens, length := padded(t, prompt...)
	out, err := x.Call(ctx, "prefill", encoded[0], tokens, length)
	require.NoError(t, err)
	for ids = []int32{}; ; {
		logits := slices.Clone(slice[float32](t, out[0]))
		best, sum := 0, 0.0
		for i := range logits {
			logits[i] += suppress[i]
			if len(ids) == 0 {
				logits[i] += first[i]
			}
			if logits[i] > logits[best] {
				best = i
			}
		}
		for _, v := range logits {
			sum += math.Exp(float64(v) - float64(logits[best]))
		}
		logProb -= math.Log(sum)
		if int32(best) == stop {
			return ids, logProb
		}
		if ids = append(ids, int32(best)); len(ids) == limit {
			return ids, logProb
		}
		out, err = x.Call(ctx, "decode_step", of(t, []int32{int32(best)}, 1))
		require.NoError(t, err)
	}
}

// transcribe in one call returns the same as its parts step by step. The
// two are different graphs of the same layers; the tests with real weights
// compare the layers themselves with other implementations.
func TestTranscribeIsItsSteps(t *testing.T) {
	forbid := func(ids ...int32) []float32 {
		b := make([]float32, small.VocabSize)
		for _, id := range ids {
			b[id] = float32(math.Inf(-1))
		}
		return b
	}
	// The model's output without a stop token, to choose stops and
	// suppressions that have an effect.
	free, _ := greedy(t, []int32{3, 1}, -1, forbid(), forbid(), 12)
	require.Len(t, free, 12)
	distinct := slices.Compact(slices.Sorted(slices.Values(free)))
	require.Greater(t, len(distinct), 2, "the model generates different tokens: %v", free)
	var later int32 // a token that is generated, but not first
	for _, id := range free {
		if id != free[0] {
			later = id
			break
		}
	}
	for name, tt := range map[string]struct {
		prompt                 []int32
		stop                   int32
		suppress, first        []float32
		limit, wantLimit, want int // want is the count, -1 if not known in advance
	}{
		"up to the limit":       {[]int32{3, 1}, -1, forbid(), forbid(), 12, 12, 12},
		"one token":             {[]int32{3, 1}, -1, forbid(), forbid(), 1, 1, 1},
		"at least one token":    {[]int32{3, 1}, -1, forbid(), forbid(), 0, 1, 1},
		"stop comes at once":    {[]int32{3, 1}, free[0], forbid(), forbid(), 12, 12, 0},
		"stop comes later":      {[]int32{3, 1}, later, forbid(), forbid(), 12, 12, slices.Index(free, later)},
		"stop as last of limit": {[]int32{3, 1}, later, forbid(), forbid(), slices.Index(free, later) + 1, slices.Index(free, later) + 1, slices.Index(free, later)},
		"stop in the prompt":    {[]int32{3, later}, later, forbid(), forbid(), 5, 5, -1},
		"forbidden first":       {[]int32{3, 1}, -1, forbid(), forbid(free[0]), 12, 12, 12},
		"forbidden always":      {[]int32{3, 1}, -1, forbid(free[0], later), forbid(), 12, 12, 12},
		"prompt of one":         {[]int32{7}, -1, forbid(), forbid(), 9, 9, 9},
		"prompt of eight":       {[]int32{7, 6, 5, 4, 3, 2, 1, 0}, -1, forbid(), forbid(), 9, 9, 9},
	} {
		t.Run(name, func(t *testing.T) {
			want, wantProb := greedy(t, tt.prompt, tt.stop, tt.suppress, tt.first, tt.wantLimit)
			if tt.want >= 0 {
				require.Len(t, want, tt.want)
			}
			prompt, length := padded(t, tt.prompt...)
			out, err := load(t, small).Call(context.Background(), "transcribe", testMel(t), prompt, length,
				of(t, []int32{tt.stop}), of(t, tt.suppress, small.VocabSize), of(t, tt.first, small.VocabSize), of(t, []int32{int32(tt.limit)}), of(t, []int32{5}))
			require.NoError(t, err)
			count := slice[int32](t, out[1])[0]
			require.EqualValues(t, len(want), count)
			require.Equal(t, want, slices.Clone(slice[int32](t, out[0]))[:count:count])
			// Sums of at most 13 logarithms of size 1, in f32 against f64.
			require.InDelta(t, wantProb, slice[float32](t, out[2])[0], 1e-4)
			require.InDelta(t, probabilityAfter(t, tt.prompt[0], 5), slice[float32](t, out[3])[0], 1e-6)
			for _, id := range slice[int32](t, out[0])[count:] {
				require.Contains(t, []int32{0, tt.stop}, id, "only the stop token follows the tokens")
			}
		})
	}
}

// probabilityAfter is that of a token after a prompt of one.
func probabilityAfter(t *testing.T, prompt, token int32) float64 {
	x := load(t, small)
	encoded, err := x.Call(context.Background(), "encode", testMel(t))
	require.NoError(t, err)
	tokens, length := padded(t, prompt)
	out, err := x.Call(context.Background(), "prefill", encoded[0], tokens, length)
	require.NoError(t, err)
	sum, logits := 0.0, slice[float32](t, out[0])
	for _, v := range logits {
		sum += math.Exp(float64(v - logits[token]))
	}
	return 1 / sum
}

// A new window must not see the caches of the previous one.
func TestPrefillStartsAfresh(t *testing.T) {
	ctx := context.Background()
	x := load(t, small)
	encoded, err := x.Call(ctx, "encode", testMel(t))
	require.NoError(t, err)
	long, longLength := padded(t, 9, 8, 7, 6, 5)
	short, shortLength := padded(t, 2)
	fresh, err := x.Call(ctx, "prefill", encoded[0], short, shortLength)
	require.NoError(t, err)
	want := slices.Clone(slice[float32](t, fresh[0]))
	_, err = x.Call(ctx, "prefill", encoded[0], long, longLength)
	require.NoError(t, err)
	for range 3 {
		_, err = x.Call(ctx, "decode_step", of(t, []int32{4}, 1))
		require.NoError(t, err)
	}
	again, err := x.Call(ctx, "prefill", encoded[0], short, shortLength)
	require.NoError(t, err)
	require.Equal(t, want, slice[float32](t, again[0]))
}

// A cut has the entry points of the whole, fewer layers, and a shorter window.
func TestCut(t *testing.T) {
	index := indexOf(small)
	g, err := lang.Capture("whisper", index, Cut(1, 4))
	require.NoError(t, err)
	require.NoError(t, dag.Verify(g))
	c, err := describe.Contract(g)
	require.NoError(t, err)
	require.Len(t, c.Entries, 4)
	encode, err := c.Entry("encode")
	require.NoError(t, err)
	require.Equal(t, []string{"mel f32[1x80x8]"}, signature(encode.Args))
	require.Equal(t, []string{"encoded f32[4x8]"}, signature(encode.Results))
	for _, p := range c.Parameters {
		require.NotContains(t, p.Key, "layer_1")
	}
	for _, bad := range [][2]int64{{0, 4}, {3, 4}, {1, 0}, {1, 11}} {
		_, err := lang.Capture("whisper", index, Cut(bad[0], bad[1]))
		require.Equal(t, CodeWeights, errs.CodeOf(err), "%v", bad)
	}
}
