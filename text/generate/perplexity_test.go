package generate_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/generatetest"
)

// Each token is scored once; in the windows after the first, behind half a window.
func TestMeasure(t *testing.T) {
	text := []int32{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9}
	nats := func(context []int32, next int32) float64 {
		sum := 0.0
		for _, v := range generatetest.After(context) {
			sum += math.Exp(float64(v))
		}
		return math.Log(sum) - float64(generatetest.After(context)[next])
	}
	for window, firsts := range map[int][]int{
		13:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		100: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		6:   {0, 0, 0, 0, 0, 3, 3, 3, 6, 6, 6, 9},
		2:   {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
	} {
		want := 0.0
		for i, first := range firsts {
			want += nats(text[first:i+1], text[i+1]) / 12
		}
		done := 0
		p, err := generate.Measure(context.Background(), generatetest.New(t), text, window, func(n int) { done = n })
		require.NoError(t, err)
		require.Equal(t, 12, p.Tokens)
		require.InDelta(t, want, p.Nats, 1e-12, "window %d: sums in another order", window)
		require.InEpsilon(t, math.Exp(want), p.Perplexity, 1e-11)
		require.Equal(t, 13, done)
	}
}

func TestMeasureRefusals(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	code := func(f *generatetest.Program, text []int32, window int) errs.Code {
		_, err := generate.Measure(ctx, f, text, window, nil)
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
	f.Before = func(string) error { return errBroken }
	_, err := generate.Measure(ctx, f, []int32{1, 2}, 2, nil)
	require.ErrorIs(t, err, errBroken)
	cancel()
	require.Equal(t, generate.CodeCanceled, code(generatetest.New(t), []int32{1, 2}, 2))
}
