package generate_test

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// The oracle is NumPy in float64: testdata/gen_sampling.py made the file.
//
//go:embed testdata/sampling.json
var samplingJSON []byte

type samplingFile struct {
	Origin string
	Logits []float32
	Recent []int32
	Cases  []samplingCase
}

type samplingCase struct {
	Temperature   float32
	TopK          int     `json:"top_k"`
	TopP          float32 `json:"top_p"`
	MinP          float32 `json:"min_p"`
	RepeatPenalty float32 `json:"repeat_penalty"`
	Probabilities []float64
}

func (c samplingCase) sampling(seed uint64) generate.Sampling {
	return generate.Sampling{
		Temperature: c.Temperature, TopK: c.TopK, TopP: c.TopP, MinP: c.MinP, RepeatPenalty: c.RepeatPenalty, Seed: seed,
	}
}

func samplings(t *testing.T) samplingFile {
	var f samplingFile
	require.NoError(t, json.Unmarshal(samplingJSON, &f))
	require.Contains(t, f.Origin, "NumPy")
	return f
}

// Pearson's chi-squared of as many draws against NumPy's probabilities, over tokens
// that are expected at least five times. Draws depend on the seed, so the test gives
// the same each time; of right samplers one in a thousand exceeds the bound, which is
// the normal approximation of Wilson and Hilferty.
func TestDrawsHaveNumPysProbabilities(t *testing.T) {
	const draws = 20000
	f := samplings(t)
	for _, c := range f.Cases {
		s, err := generate.NewSampler(c.sampling(5))
		require.NoError(t, err)
		s.Observe(f.Recent...)
		counts := make([]float64, len(f.Logits))
		for range draws {
			token, err := s.Next(slices.Clone(f.Logits))
			require.NoError(t, err)
			counts[token]++
		}
		chi, degrees := 0.0, -1.0
		for i, p := range c.Probabilities {
			if p == 0 {
				require.Zero(t, counts[i], "token %d of %+v", i, c)
			}
			if want := p * draws; want >= 5 {
				chi += (counts[i] - want) * (counts[i] - want) / want
				degrees++
			}
		}
		require.GreaterOrEqual(t, degrees, 0.0)
		if degrees == 0 {
			require.Zero(t, chi)
			continue
		}
		h := 2 / (9 * degrees)
		require.Less(t, chi, degrees*math.Pow(1-h+3.09*math.Sqrt(h), 3), "%+v", c)
	}
}

func TestSameSeedSameTokens(t *testing.T) {
	f := samplings(t)
	draw := func(seed uint64) []int32 {
		s, err := generate.NewSampler(generate.Sampling{Temperature: 1, Seed: seed})
		require.NoError(t, err)
		var tokens []int32
		for range 100 {
			token, err := s.Next(slices.Clone(f.Logits))
			require.NoError(t, err)
			tokens = append(tokens, token)
		}
		return tokens
	}
	once := draw(1)
	require.Equal(t, once, draw(1))
	require.NotEqual(t, draw(1), draw(2))
	require.NotEqual(t, draw(1), draw(1<<32+1), "the high half of the seed counts")
}

// The penalty looks at the newest 64 tokens only.
func TestWindowOfThePenalty(t *testing.T) {
	s, err := generate.NewSampler(generate.Sampling{RepeatPenalty: 4})
	require.NoError(t, err)
	next := func() int32 {
		token, err := s.Next([]float32{1, 3, 2, -1})
		require.NoError(t, err)
		return token
	}
	require.Equal(t, int32(1), next())
	s.Observe(1, -1, 4) // the latter two are not tokens
	require.Equal(t, int32(2), next())
	for range generate.Window - 2 {
		s.Observe(3)
	}
	require.Equal(t, int32(1), next())
}

func TestGreedyTakesTheFirstOfEquals(t *testing.T) {
	s, err := generate.NewSampler(generate.Sampling{})
	require.NoError(t, err)
	token, err := s.Next([]float32{1, 5, 5, float32(math.Inf(-1))})
	require.NoError(t, err)
	require.Equal(t, int32(1), token)
}

func TestSamplingRefusals(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, s := range map[string]generate.Sampling{
		"temperature":    {Temperature: -1},
		"no temperature": {Temperature: nan},
		"top_k":          {TopK: -1},
		"top_p":          {TopP: 1.5},
		"no top_p":       {TopP: nan},
		"min_p":          {MinP: -0.5},
		"repeat_penalty": {RepeatPenalty: inf},
	} {
		_, err := generate.NewSampler(s)
		require.Equal(t, generate.CodeSampling, errs.CodeOf(err), name)
	}
	s, err := generate.NewSampler(generate.Sampling{})
	require.NoError(t, err)
	for _, logits := range [][]float32{nil, {1, nan}, {-inf, -inf}, {1, inf}} {
		_, err := s.Next(logits)
		require.Equal(t, generate.CodeLogits, errs.CodeOf(err), "%v", logits)
	}
}
