package tokenizer

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"
)

// Hugging Face's tokenizers has the categories of Unicode 8.0 and the normal forms
// of 9.0. Files were made with it, so this package uses the same: a later character is
// neither a mark nor punctuation, and is not decomposed.
var (
	unicode8 = sync.OnceValue(func() *unicode.RangeTable { return rangetable.Assigned("8.0.0") })
	unicode9 = sync.OnceValue(func() *unicode.RangeTable { return rangetable.Assigned("9.0.0") })
)

// normalForm returns the function of a normal form as Unicode 9.0 has it.
func normalForm(f norm.Form) func(string) string {
	return func(text string) string {
		if ascii(text) {
			return text
		}
		newer := func(r rune) bool { return r >= utf8.RuneSelf && !unicode.Is(unicode9(), r) }
		at := strings.IndexFunc(text, newer)
		if at < 0 {
			return f.String(text)
		}
		var b strings.Builder
		for at >= 0 {
			_, n := utf8.DecodeRuneInString(text[at:])
			b.WriteString(f.String(text[:at]))
			b.WriteString(text[at : at+n])
			text = text[at+n:]
			at = strings.IndexFunc(text, newer)
		}
		b.WriteString(f.String(text))
		return b.String()
	}
}

// base returns the first character of the canonical decomposition.
func base(r rune) rune {
	if r >= hangul && r < hangul+hangulCount {
		return 0x1100 + (r-hangul)/hangulTrails
	}
	if d := norm.NFD.PropertiesString(string(r)).Decomposition(); len(d) > 0 {
		r, _ = utf8.DecodeRune(d)
	}
	return r
}

// Hangul syllables, which are decomposed by arithmetic (Unicode 15, section 3.12).
const (
	hangul       = 0xAC00
	hangulCount  = 11172
	hangulTrails = 21 * 28 // syllables with one leading consonant
)

// mark8 reports zero-width marks by Unicode 8.0, including the few that have become or
// ceased to be marks since.
func mark8(r rune) bool {
	switch r {
	case 0x1734:
		return true
	case 0x1885, 0x1886, 0xA9BD, sharadaMark:
		return false
	}
	return unicode.Is(unicode.Mn, r) && unicode.Is(unicode8(), r)
}

// Characters that were punctuation in Unicode 8.0.
const (
	sharadaMark = 0x111C9
	chiSign     = 0x166D
)

func isSpace(r rune) bool { return unicode.Is(unicode.White_Space, r) }

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
