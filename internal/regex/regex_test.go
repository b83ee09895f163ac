package regex

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// gpt2 is the pattern of GPT-2.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// parts returns the matches that each finds.
func parts(t testing.TB, p *Pattern, text string) (found []string) {
	var all strings.Builder
	m := new(Machine)
	m.Allow(text, 1)
	require.NoError(t, p.Each(m, text, func(part string, match bool) error {
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

// Where Go's regular expressions support a pattern, both find the same matches.
func TestPatternsAgreeWithGo(t *testing.T) {
	const space = `[\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}]`
	patterns := []string{
		`a`, `ab|a|b`, `a|ab`, `(a|ab)(c|bcd)`, `a*b`, `a+?b`, `(?:ab){2,3}`, `(ab?)+c`, `[^ab]+`, `\p{L}+|\p{N}{1,3}`,
		`(?i:'s|'ll|É)|x`, `\s+|\d+|\D`, `[\s.]+`, `\S+`, `.a`, `(?s:.)b`, `a??b`, `(a|b)*?c`, `a{2}b{0,2}`, `(?:a|b)+c$`, `b+$`, `\p{Lu}?\p{Ll}+`, `[\p{Lu}x]`,
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, source := range patterns {
		p, err := Compile(source)
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
		{gpt2, "I'm  here's 42!?\n\n x", []string{"I", "'m", " ", " here", "'s", " 42", "!?", "\n\n", " x"}},
	} {
		p, err := Compile(tt.pattern)
		require.NoError(t, err)
		require.Equal(t, tt.want, parts(t, p, tt.text), tt.pattern)
	}
}

func isCost(t *testing.T, err error) {
	t.Helper()
	var cost *CostError
	require.ErrorAs(t, err, &cost)
}

// A pattern that would take exponential time ends with an error.
func TestPatternCost(t *testing.T) {
	p, err := Compile(`(a|aa)+b`)
	require.NoError(t, err)
	m := new(Machine)
	m.Allow(strings.Repeat("a", 100), 1)
	err = p.Each(m, strings.Repeat("a", 100), func(string, bool) error { return nil })
	isCost(t, err)
}

// The number of open choices is bounded.
func TestMemory(t *testing.T) {
	p, err := Compile(`(?:a|b)+c`)
	require.NoError(t, err)
	m := new(Machine)
	text := strings.Repeat("ab", 1<<17)
	m.Allow(text, 1)
	isCost(t, p.Each(m, text, func(string, bool) error { return nil }))
	require.LessOrEqual(t, len(m.choices), 2*maxChoices)
	require.LessOrEqual(t, cap(m.choices), 4*maxChoices)
}

func TestPatternsInMessagesAreShort(t *testing.T) {
	for _, source := range []string{strings.Repeat("a", MaxBytes+1), strings.Repeat("ä", 2000) + "(", strings.Repeat("é", 5000), "(?<" + strings.Repeat("n", 9000) + ">a)"} {
		_, err := Compile(source)
		var bad *Error
		require.ErrorAs(t, err, &bad)
		require.Less(t, len(err.Error()), 700)
	}
	p, err := Compile("(a|aa)+b|" + strings.Repeat("c", 1000))
	require.NoError(t, err)
	require.Less(t, len((&CostError{p.source}).Error()), 500)
}

func FuzzPattern(f *testing.F) {
	for _, p := range []string{gpt2, `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{M}]*[\p{Ll}\p{M}]+|\p{N}{1,3}`, "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+", `(a|b)*c`, `[^\s]{2,}`, `a(?!b)$`} {
		f.Add(p, "ab  c12\n")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		p, err := Compile(source)
		if err != nil || !utf8.ValidString(text) {
			return
		}
		var all strings.Builder
		m := new(Machine)
		m.Allow(text, 1)
		if p.Each(m, text, func(part string, _ bool) error { all.WriteString(part); return nil }) == nil {
			require.Equal(t, text, all.String())
		}
	})
}
