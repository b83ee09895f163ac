package tokenizer

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// What is verbatim between two control tokens has the ids of the literal text, which
// are those of llama.cpp (TestEncodeAgreesWithPeers), and the tokens around it stay.
func TestVerbatimBetweenControlTokens(t *testing.T) {
	var want expected
	read(t, "encode_expect.json", &want)
	for name, token := range map[string]string{
		"spm": "<end_of_turn>", "spm-prefix": "<end_of_turn>", "bpe-gpt-2": "<|endoftext|>", "bpe-hf": "<|endoftext|>",
	} {
		tok, _ := named(t, name)
		id, ok := tok.ID(token)
		require.True(t, ok, name)
		spelled := 0
		for _, line := range want.Lines {
			literal, err := tok.EncodeWith(line, Options{Literal: true})
			require.NoError(t, err)
			ids, err := tok.EncodeWith(token+line+token, Options{Verbatim: []Span{{len(token), len(token) + len(line)}}})
			require.NoError(t, err)
			if diff := cmp.Diff(append(append([]int32{id}, literal...), id), ids); diff != "" {
				t.Fatalf("%s, %q: %s", name, line, diff)
			}
			// The parts that spell control tokens are enough.
			spans := tok.Controls(line)
			ids, err = tok.EncodeWith(line, Options{Verbatim: spans})
			require.NoError(t, err)
			require.Equal(t, literal, ids, "%s, %q", name, line)
			plain, err := tok.Encode(line, false)
			require.NoError(t, err)
			if len(spans) == 0 {
				require.Equal(t, literal, plain, "%s, %q", name, line)
				// Borders within a text change nothing.
				ids, err = tok.EncodeWith(line, Options{Verbatim: []Span{{len(line) / 3, len(line) / 2}}})
				require.NoError(t, err)
				require.Equal(t, plain, ids)
			} else {
				spelled++
				require.NotEqual(t, literal, plain, "%s, %q", name, line)
			}
		}
		require.Greater(t, spelled, 1, name)
	}
}

// A token that begins before a part, or ends after it, is not one either.
func TestVerbatimCutsTokens(t *testing.T) {
	for _, name := range []string{"spm", "bpe-hf"} {
		tok, _ := named(t, name)
		token := map[string]string{"spm": "<end_of_turn>", "bpe-hf": "<|endoftext|>"}[name]
		id, _ := tok.ID(token)
		count := func(text string, spans ...Span) int {
			ids, err := tok.EncodeWith(text, Options{Verbatim: spans})
			require.NoError(t, err)
			return len(ids) - len(slices.DeleteFunc(ids, func(x int32) bool { return x == id }))
		}
		n := len(token)
		for _, s := range []Span{{0, 1}, {n - 1, n}, {4, 6}, {n - 1, n + 1}, {0, n}} {
			require.Zero(t, count(token, s), "%v", s)
			require.Equal(t, 2, count(token+token+token, Span{n + s.Start, n + min(s.End, n)}))
		}
		for _, s := range []Span{{n, n + 1}, {n, n}, {3, 3}, {0, 0}} {
			require.Equal(t, 1, count(token, s), "%v", s)
		}
		require.Equal(t, 1, count("<"+token, Span{0, 1}))
		require.Equal(t, []Span{{2, 2 + n}, {2 + n, 2 + 2*n}}, tok.Controls("a "+token+token+"b"))
		require.Nil(t, tok.Controls(strings.TrimSuffix(token, ">")))
	}
	lines, err := Parse([]byte("a\nb"))
	require.NoError(t, err)
	require.Nil(t, lines.Controls("a"))
}
