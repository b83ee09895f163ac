package causal_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// generated calls the entry point; tokens are those that count.
func generated(t *testing.T, x backend.Executable, prompt []int32, start, most int, s generate.Sampling, stop ...int32) (tokens, all []int32) {
	t.Helper()
	one := func(v float32) tensor.Value {
		if v == 0 {
			v = 1
		}
		return scalar(t, v)
	}
	out := call(t, x, "generate", of(t, prompt, int64(len(prompt))), scalar(t, int32(start)), scalar(t, int32(most)),
		scalar(t, s.Temperature), scalar(t, int32(s.TopK)), one(s.TopP), scalar(t, s.MinP), one(s.RepeatPenalty),
		of(t, []int32{int32(s.Seed), int32(s.Seed >> 32)}, 2), of(t, stop, int64(len(stop))))
	all = slice[int32](t, out[0])
	return all[:slice[int32](t, out[1])[0]], all
}

// stepwise is generation by prefill and decode, with the choice on the host.
func stepwise(t *testing.T, x backend.Executable, prompt []int32, start, most int, s generate.Sampling) []int32 {
	t.Helper()
	sampler, err := generate.NewSampler(s)
	require.NoError(t, err)
	sampler.Observe(prompt...)
	tokens := []int32{}
	for logits := prefill(t, x, prompt, start); ; {
		token, err := sampler.Next(logits)
		require.NoError(t, err)
		sampler.Observe(token)
		if tokens = append(tokens, token); len(tokens) == most {
			return tokens
		}
		logits = decode(t, x, token)
	}
}

// The sampler on the host has tests of its own, against NumPy.
func TestGenerateIsItsSteps(t *testing.T) {
	eachCase(t, func(t *testing.T, x backend.Executable, _ causal.Config, ids []int32, _ [][]float32) {
		for name, s := range map[string]generate.Sampling{
			"greedy":  {},
			"penalty": {RepeatPenalty: 3},
			"drawn":   {Temperature: 1.2, Seed: 7<<32 | 5},
			"all":     {Temperature: 2, TopK: 12, TopP: 0.9, MinP: 0.01, RepeatPenalty: 1.1, Seed: 2},
		} {
			t.Run(name, func(t *testing.T) {
				want := stepwise(t, x, ids[:5], 0, 9, s)
				got, _ := generated(t, x, ids[:5], 0, 9, s, -1)
				require.Equal(t, want, got)

				// A part of the prompt may be there from before.
				prefill(t, x, ids[:3], 0)
				if s.RepeatPenalty == 0 { // the newest tokens are those of the call
					got, _ = generated(t, x, ids[3:5], 3, 9, s, -1)
					require.Equal(t, want, got)
				}
			})
		}
	})
}

func TestGenerateEnds(t *testing.T) {
	ids, cases := goldens(t)
	c := cases["gemma"].config()
	x := load(t, c)
	drawn := generate.Sampling{Temperature: 3, Seed: 1}
	free := stepwise(t, x, ids[:5], 0, 11, drawn)
	later := free[3]
	require.NotContains(t, free[:3], later, "the model says more than one thing")
	for name, tt := range map[string]struct {
		most int
		stop []int32
		want []int32
	}{
		"at the most":           {4, []int32{-1}, free[:4]},
		"one":                   {1, []int32{-1}, free[:1]},
		"at least one":          {0, []int32{-1}, free[:1]},
		"where caches are full": {100, []int32{-1}, free},
		"at once":               {9, []int32{free[0]}, []int32{}},
		"later":                 {9, []int32{later}, free[:3]},
		"at any of several":     {9, []int32{-1, 1000, later}, free[:3]},
		"at the last":           {4, []int32{later}, free[:3]},
	} {
		t.Run(name, func(t *testing.T) {
			got, all := generated(t, x, ids[:5], 0, tt.most, drawn, tt.stop...)
			require.Equal(t, tt.want, got)
			require.Len(t, all, int(c.Context))
			if slices.Contains(tt.stop, free[len(tt.want)%len(free)]) {
				require.Equal(t, free[len(tt.want)], all[len(got)], "the stop token lies behind the tokens")
			}
		})
	}
}

// Behind generate the caches hold all that was chosen, the stop token too.
func TestTheTextGoesOnAfterGenerate(t *testing.T) {
	eachCase(t, func(t *testing.T, x backend.Executable, _ causal.Config, ids []int32, _ [][]float32) {
		free, _ := generated(t, x, ids[:5], 0, 5, generate.Sampling{}, -1)
		more := append(slices.Clone(ids[:5]), free...)
		want := prefill(t, x, append(more, 7), 0)
		generated(t, x, ids[:5], 0, 5, generate.Sampling{}, -1)
		requireLogits(t, want, decode(t, x, 7))

		stopped, _ := generated(t, x, ids[:5], 0, 5, generate.Sampling{}, free[1])
		want = prefill(t, x, append(append(slices.Clone(ids[:5]), free[:len(stopped)+1]...), 7), 0)
		generated(t, x, ids[:5], 0, 5, generate.Sampling{}, free[1])
		requireLogits(t, want, decode(t, x, 7))
	})
}

// Damaged weights end it at the token -1, drawn or not.
func TestGenerateWithoutAChoice(t *testing.T) {
	ids, cases := goldens(t)
	for _, damaged := range []string{"output_norm.weight", "token_embd.weight"} {
		for _, s := range []generate.Sampling{{}, {Temperature: 1}, {Temperature: 1, TopK: 3, TopP: 0.5, RepeatPenalty: 2}} {
			x := load(t, cases["gemma"].config(), damaged)
			got, all := generated(t, x, ids[:5], 0, 9, s, 1)
			require.Empty(t, got)
			require.Equal(t, int32(-1), all[0])
			got, _ = generated(t, x, ids[:5], 0, 2, s, slices.Repeat([]int32{1}, 64)...)
			require.Equal(t, []int32{-1, -1}, got)
		}
	}
}

// The penalty looks at as many tokens here as on the host.
func TestPenaltyLooksAsFarAsTheHost(t *testing.T) {
	_, cases := goldens(t)
	c := cases["llama"].config()
	c.Context = 128
	x := load(t, c)
	prompt := make([]int32, 70)
	for i := range prompt {
		prompt[i] = int32(i * i % 23)
	}
	s := generate.Sampling{RepeatPenalty: 4}
	got, _ := generated(t, x, prompt, 0, 20, s, -1)
	require.Equal(t, stepwise(t, x, prompt, 0, 20, s), got)
}
