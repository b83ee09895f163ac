package generate_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/generatetest"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// Each token is scored once; in the windows after the first, after half a window.
func TestMeasure(t *testing.T) {
	text := []int32{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9}
	nats := func(context []int32, next int32) float64 {
		sum := 0.0
		for _, v := range generatetest.After(context) {
			sum += math.Exp(float64(v))
		}
		return math.Log(sum) - float64(generatetest.After(context)[next])
	}
	for _, tt := range []struct {
		size   int
		bos    []int32
		firsts []int // where the window begins in which a token is scored, -1 for none
	}{
		{13, nil, []int{-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{100, nil, []int{-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{6, nil, []int{-1, 0, 0, 0, 0, 0, 3, 3, 3, 6, 6, 6, 9}},
		{2, nil, []int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{14, []int32{7}, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{13, []int32{7}, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6}},
		{6, []int32{7}, []int{0, 0, 0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 9}},
		{3, []int32{7}, []int{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{2, []int32{7}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
	} {
		want, tokens := 0.0, 0
		for i, first := range tt.firsts {
			if first >= 0 {
				want += nats(append(slices.Clone(tt.bos), text[first:i]...), text[i])
				tokens++
			}
		}
		want /= float64(tokens)
		done := 0
		w := generate.Windows{Size: tt.size, BOS: -1, Progress: func(n int) { done = n }}
		if tt.bos != nil {
			w.BOS = tt.bos[0]
		}
		p, err := generate.Measure(context.Background(), generatetest.New(t), text, w)
		require.NoError(t, err)
		require.Equal(t, tokens, p.Tokens)
		require.InDelta(t, want, p.Nats, 1e-12, "%+v: sums in another order", tt)
		require.InEpsilon(t, math.Exp(want), p.Perplexity, 1e-11)
		require.Equal(t, 13, done)
	}
}

// A model may hold a text for impossible; JSON has no number for that.
func TestPerplexityAsJSON(t *testing.T) {
	for want, p := range map[string]generate.Perplexity{
		`{"tokens":2,"nats_per_token":0.5,"perplexity":1.5}`:   {Tokens: 2, Nats: 0.5, Perplexity: 1.5},
		`{"tokens":2,"nats_per_token":800,"perplexity":null}`:  {Tokens: 2, Nats: 800, Perplexity: math.Inf(1)},
		`{"tokens":2,"nats_per_token":null,"perplexity":null}`: {Tokens: 2, Nats: math.Inf(1), Perplexity: math.Inf(1)},
	} {
		b, err := json.Marshal(p)
		require.NoError(t, err)
		require.Equal(t, want, string(b))
	}
}

func TestMeasureRefusals(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	code := func(f *generatetest.Program, text []int32, window int) errs.Code {
		_, err := generate.Measure(ctx, f, text, generate.Windows{Size: window, BOS: -1})
		return errs.CodeOf(err)
	}
	require.Equal(t, generate.CodeOptions, code(generatetest.New(t), []int32{1, 2}, 1))
	require.Equal(t, generate.CodePrompt, code(generatetest.New(t), []int32{1}, 2))
	long := make([]int32, generatetest.Context+2)
	require.Equal(t, generate.CodeOptions, code(generatetest.New(t), long, len(long)), "more than the program looks at")
	require.Empty(t, code(generatetest.New(t), long, len(long)-1))
	require.Equal(t, generate.CodeToken, code(generatetest.New(t), []int32{1, generatetest.Vocabulary}, 2))
	f := generatetest.New(t)
	f.Document.Entries = f.Document.Entries[:3]
	require.Equal(t, generate.CodeProgram, code(f, []int32{1, 2}, 2))
	f = generatetest.New(t)
	f.Document.Entries[3].Results = []contract.Named{f.Document.Entries[1].Results[0]}
	require.Equal(t, generate.CodeProgram, code(f, []int32{1, 2}, 2))
	f = generatetest.New(t)
	f.Document.Entries[3].Results[0].Shape[1].Size = 1 << 60
	require.Equal(t, generate.CodeProgram, code(f, []int32{1, 2}, 2), "a vocabulary that no memory holds")
	f = generatetest.New(t)
	f.Before = func(string) error { return errBroken }
	_, err := generate.Measure(ctx, f, []int32{1, 2}, generate.Windows{Size: 2, BOS: -1})
	require.ErrorIs(t, err, errBroken)
	w := generate.Windows{Size: 100, BOS: 1}
	_, err = generate.Measure(ctx, generatetest.New(t), nil, w)
	require.Equal(t, generate.CodePrompt, errs.CodeOf(err))
	_, err = generate.Measure(ctx, generatetest.New(t), []int32{2}, w)
	require.NoError(t, err)
	_, err = generate.Measure(ctx, generatetest.New(t), long[1:], w)
	require.Equal(t, generate.CodeOptions, errs.CodeOf(err))
	w.BOS = generatetest.Vocabulary
	_, err = generate.Measure(ctx, generatetest.New(t), []int32{2}, w)
	require.Equal(t, generate.CodeToken, errs.CodeOf(err))
	cancel()
	require.Equal(t, generate.CodeCanceled, code(generatetest.New(t), []int32{1, 2}, 2))
}
