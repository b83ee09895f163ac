package tokenizer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestAllPreTokenizersCompile(t *testing.T) {
	names := PreTokenizers()
	require.Len(t, slices.Compact(slices.Clone(names)), len(names), "a name twice")
	for _, name := range names {
		pre, err := preTokenizerOf(name)
		require.NoError(t, err)
		cutters, err := cuttersOf(pre.patterns)
		require.NoError(t, err, name)
		require.NotEmpty(t, cutters)
	}
}

// counter counts the questions of a merge.
type counter struct {
	merger
	n int
}

func (c *counter) merge(text string, a, b *symbol) (int32, int32, bool) {
	c.n++
	return c.merger.merge(text, a, b)
}

// However long a word without a border, each merge asks for two neighbours at most.
func TestMergeIsNotQuadratic(t *testing.T) {
	tok, err := fromGGUF(t, spm(t))
	require.NoError(t, err)
	m := tok.(*vocabulary).encoder.(*sentencePiece)
	for _, text := range []string{strings.Repeat("a", 200000), strings.Repeat("ab", 100000), strings.Repeat("e\u0301", 50000)} {
		var s scratch
		for at := 0; at < len(text); {
			_, n := utf8.DecodeRuneInString(text[at:])
			s.add(at, at+n, m.t.find(text[at:at+n]))
			at += n
		}
		c := &counter{merger: m}
		n := len(s.symbols)
		s.merge(text, c)
		require.LessOrEqual(t, c.n, 3*n)
		require.NotEmpty(t, s.symbols)
	}
}

// Both ways of merging give the same, on words of any length around the limit.
func TestMergeShortAndLongAgree(t *testing.T) {
	tok, err := fromGGUF(t, spm(t))
	require.NoError(t, err)
	m := tok.(*vocabulary).encoder.(*sentencePiece)
	var words []string
	for id := range int32(tok.Size()) {
		name, _ := tok.Token(id)
		words = append(words, name)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var text string
		for range 1 + r.IntN(12) {
			text += words[r.IntN(len(words))]
		}
		var short, long scratch
		for at := 0; at < len(text); {
			_, n := utf8.DecodeRuneInString(text[at:])
			short.add(at, at+n, m.t.find(text[at:at+n]))
			at += n
		}
		long.symbols = slices.Clone(short.symbols)
		short.mergeShort(text, m)
		long.mergeLong(text, m)
		ids := func(s scratch) (out []int32) {
			for _, x := range s.symbols {
				out = append(out, x.id)
			}
			return out
		}
		require.Equal(t, ids(short), ids(long), "%q", text)
	}
}
