// Package reference compares a language model with other implementations: it reads
// files made by models/gemma3/testdata/gen_reference.py.
//
// # Errors
//
// All errors fail the test.
//
// # Determinism
//
// Those of the backend.
package reference

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Tolerance is how far logits may be from those of NumPy: about as far as those of
// llama.cpp with the same weights in f32 are (0.012 was seen), which like this
// keeps keys and values in f16.
const Tolerance = 0.02

// File holds the results of the other implementations.
type File struct {
	Origin string
	Stride int     // of Every
	IDs    []int32 // a text
	Logits []Logits
	Greedy []Greedy
}

// Logits are those after the token at a position of the text.
type Logits struct {
	Position int
	Top      [][2]float64 // token and logit, the largest first
	Every    []float32    // of the tokens 0, Stride, 2 Stride, ...
}

// Greedy is a text continued with the most likely tokens, each of which beats the runner-up
// by at least Margin.
type Greedy struct {
	Name, Text     string
	Prompt, Tokens []int32
	Margin         float64
}

// Read reads a file.
func Read(t testing.TB, path string) File {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	var f File
	require.NoError(t, json.Unmarshal(b, &f))
	require.Contains(t, f.Origin, "NumPy")
	require.Len(t, f.Logits, 6)
	require.GreaterOrEqual(t, len(f.Greedy), 5)
	return f
}

// Call calls an entry point and returns its results.
func Call(t testing.TB, x backend.Executable, entry string, args ...tensor.Value) []tensor.Value {
	t.Helper()
	out, err := x.Call(context.Background(), entry, args...)
	require.NoError(t, err)
	return out
}

// Of makes a tensor; without sizes a scalar.
func Of[T tensor.Element](t testing.TB, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}

// Slice returns the elements of a tensor, which a later call may overwrite.
func Slice[T tensor.Element](t testing.TB, v tensor.Value) []T {
	t.Helper()
	s, err := tensor.Slice[T](v)
	require.NoError(t, err)
	return s
}

// Prefill returns the logits after tokens at position start.
func Prefill(t testing.TB, x backend.Executable, tokens []int32, start int) []float32 {
	t.Helper()
	return Slice[float32](t, Call(t, x, "prefill", Of(t, tokens, int64(len(tokens))), Of(t, []int32{int32(start)}))[0])
}

// Decode returns the logits after one more token.
func Decode(t testing.TB, x backend.Executable, token int32) []float32 {
	t.Helper()
	return Slice[float32](t, Call(t, x, "decode", Of(t, []int32{token}, 1))[0])
}

// Require compares the logits after a position with the file's and returns the largest
// difference.
func (f File) Require(t testing.TB, want Logits, got []float32) (worst float64) {
	t.Helper()
	compare := func(token int, want float64) {
		d := float64(got[token]) - want
		if d < 0 {
			d = -d
		}
		worst = max(worst, d)
		require.LessOrEqual(t, d, Tolerance, "token %d after position %d: %g, want %g", token, want, got[token], want)
	}
	require.Len(t, want.Every, (len(got)+f.Stride-1)/f.Stride)
	for i, v := range want.Every {
		compare(i*f.Stride, float64(v))
	}
	for _, p := range want.Top {
		compare(int(p[0]), p[1])
	}
	require.EqualValues(t, want.Top[0][0], Best(got), "the likeliest token after position %d", want.Position)
	return worst
}

// Best returns the first token with the largest logit.
func Best(logits []float32) int32 {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return int32(best)
}

// Chunks feeds the text in pieces that end at the positions of the file, and
// compares the logits after each.
func (f File) Chunks(t testing.TB, x backend.Executable) {
	t.Helper()
	at, worst := 0, 0.0
	for _, l := range f.Logits {
		worst = max(worst, f.Require(t, l, Prefill(t, x, f.IDs[at:l.Position+1], at)))
		at = l.Position + 1
	}
	t.Logf("in pieces: within %.4f of NumPy", worst)
}

// Continue continues with the most likely tokens, step by step.
func (f File) Continue(t testing.TB, x backend.Executable, prompts ...Greedy) {
	t.Helper()
	for _, g := range prompts {
		logits := Prefill(t, x, g.Prompt, 0)
		for i, want := range g.Tokens {
			got := Best(logits)
			require.Equal(t, want, got, "%s: token %d; before it %d", g.Name, i, g.Tokens[:i])
			logits = Decode(t, x, got)
		}
	}
}

// Generate makes the program choose the tokens in one call.
func (f File) Generate(t testing.TB, x backend.Executable, prompts ...Greedy) {
	t.Helper()
	for _, g := range prompts {
		out := Call(t, x, "generate", Of(t, g.Prompt, int64(len(g.Prompt))), Of(t, []int32{0}), Of(t, []int32{int32(len(g.Tokens))}),
			Of(t, []float32{0}), Of(t, []int32{0}), Of(t, []float32{1}), Of(t, []float32{0}), Of(t, []float32{1}),
			Of(t, []int32{0, 0}, 2), Of(t, []int32{-1}, 1))
		count := Slice[int32](t, out[1])[0]
		require.Equal(t, g.Tokens, Slice[int32](t, out[0])[:count], g.Name)
	}
}
