package tokenizer

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// parts gives the matches that each finds.
func parts(t testing.TB, p *pattern, text string) (found []string) {
	var all strings.Builder
	m := new(machine)
	m.allow(text, 1)
	require.NoError(t, p.each(m, text, func(part string, match bool) error {
		require.NotEmpty(t, part)
		all.WriteString(part)
		if match {
			found = append(found, part)
		}
		return nil
	}))
	require.Equal(t, text, all.String())
	return found
}

// Where Go's regular expressions have all that a pattern needs, both find the same.
func TestPatternsAgreeWithGo(t *testing.T) {
	const space = `[\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}]`
	patterns := []string{
		`a`, `ab|a|b`, `a|ab`, `(a|ab)(c|bcd)`, `a*b`, `a+?b`, `(?:ab){2,3}`, `(ab?)+c`, `[^ab]+`, `\p{L}+|\p{N}{1,3}`,
		`(?i:'s|'ll|É)|x`, `\s+|\d+|\D`, `[\s.]+`, `\S+`, `.a`, `(?s:.)b`, `a??b`, `(a|b)*?c`, `a{2}b{0,2}`, `(?:a|b)+c$`, `b+$`, `\p{Lu}?\p{Ll}+`, `[\p{Lu}x]`,
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, source := range patterns {
		p, err := compile(source)
		require.NoError(t, err)
		outside := strings.NewReplacer(`[\s.]`, `[.`+space[1:], `\s`, space, `\S`, `[^`+space[1:], `\d`, `\p{Nd}`, `\D`, `\P{Nd}`).Replace(source)
		goes := regexp.MustCompile(outside)
		for range 300 {
			var b strings.Builder
			for range r.IntN(14) {
				b.WriteString([]string{"a", "b", "c", "ab", "É", "é", "'s", "'LL", " ", "\u00a0", "7", "٣", "x", ".", "\n", "𝐀", "Ж"}[r.IntN(17)])
			}
			text := b.String()
			var want []string
			for _, m := range goes.FindAllString(text, -1) {
				if m != "" {
					want = append(want, m)
				}
			}
			require.Equal(t, want, parts(t, p, text), "pattern %q, text %q", source, text)
		}
	}
}

// Look-ahead, which Go does not have: the cases of GPT-2's own pattern.
func TestLookAhead(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          []string
	}{
		{`\s+(?!\S)|\s+`, "a   b  ", []string{"  ", " ", "  "}},
		{`a(?=b)`, "ab ac aab", []string{"a", "a"}},
		{`(?!ab)\p{L}`, "abab", []string{"b", "b"}},
		{`\d{1,3}(?=(?:\d{3})*$)`, "1234567", []string{"1", "234", "567"}},
		{gpt2Pattern, "I'm  here's 42!?\n\n x", []string{"I", "'m", " ", " here", "'s", " 42", "!?", "\n\n", " x"}},
	} {
		p, err := compile(tt.pattern)
		require.NoError(t, err)
		require.Equal(t, tt.want, parts(t, p, tt.text), tt.pattern)
	}
}

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

func FuzzPattern(f *testing.F) {
	for _, p := range []string{gpt2Pattern, llama3, tekken, deepseekV3, `(a|b)*c`, `[^\s]{2,}`, `a(?!b)$`} {
		f.Add(p, "ab  c12\n")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		p, err := compile(source)
		if err != nil || !utf8.ValidString(text) {
			return
		}
		var all strings.Builder
		m := new(machine)
		m.allow(text, 1)
		if p.each(m, text, func(part string, _ bool) error { all.WriteString(part); return nil }) == nil {
			require.Equal(t, text, all.String())
		}
	})
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
			_, n := decode(text, at)
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
			_, n := decode(text, at)
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
