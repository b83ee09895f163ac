package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

var nfd = normalForm(norm.NFD)

// basic is BERT's basic tokenisation: control characters are removed, accents and case
// if requested, and words are split at white space, punctuation and Chinese characters.
type basic struct {
	lower   bool // lower case
	strip   bool // NFD, and combining marks go
	keep    bool // control characters stay
	chinese bool // Chinese characters are words
	// gguf is llama.cpp's variant: of what NFD makes of a character only the first
	// is kept, all marks go, U+0085 is white space, lower case is character by
	// character, and the categories are those of a newer Unicode.
	gguf bool
}

// words calls yield with each word, which is valid until the next call.
func (b *basic) words(text string, yield func(word []byte)) {
	if !ascii(text) && !b.gguf {
		text = b.clean(text) // what is removed must not come between what NFD orders
		if b.strip {
			text = nfd(text)
		}
	}
	var word []byte
	flush := func() {
		if len(word) > 0 {
			yield(word)
			word = word[:0]
		}
	}
	for _, r := range text {
		if b.gguf && b.strip && r >= utf8.RuneSelf {
			r = base(r)
		}
		switch {
		case r < utf8.RuneSelf:
			switch {
			case r == ' ' || r == '\t' || r == '\n' || r == '\r', isSpace(r) && (b.keep || b.gguf):
				flush() // to Hugging Face the other two are control characters
			case r < ' ' || r == 0x7F:
				if b.keep {
					word = append(word, byte(r))
				}
			case b.parts(r):
				flush()
				yield(append(word, byte(r)))
			default:
				if b.lower && r >= 'A' && r <= 'Z' {
					r += 'a' - 'A'
				}
				word = append(word, byte(r))
			}
		case isSpace(r):
			flush()
		case b.removed(r):
		case b.parts(r), b.chinese && chinese(r):
			flush()
			yield(b.appendLower(word, r))
			word = word[:0]
		default:
			word = b.appendLower(word, r)
		}
	}
	flush()
}

// clean removes what words would remove before it strips accents.
func (b *basic) clean(text string) string {
	if b.keep {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || !b.gone(r) {
			return r
		}
		return -1
	}, text)
}

// gone reports whether a character is removed, such as a control character.
func (b *basic) gone(r rune) bool {
	return r == 0 || r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Co) ||
		unicode.Is(unicode.Cf, r) && (b.gguf || unicode.Is(unicode8(), r))
}

func (b *basic) removed(r rune) bool {
	if !b.keep && b.gone(r) {
		return true
	}
	if b.gguf {
		return b.strip && unicode.Is(unicode.M, r)
	}
	return b.strip && mark8(r)
}

// parts reports whether a character is punctuation, and so a word.
func (b *basic) parts(r rune) bool {
	if r < utf8.RuneSelf { // all that is neither letter nor digit, space nor control
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	if b.gguf {
		return unicode.Is(unicode.P, r)
	}
	return unicode.Is(unicode.P, r) && unicode.Is(unicode8(), r) || r == chiSign || r == sharadaMark
}

func (b *basic) appendLower(word []byte, r rune) []byte {
	if b.lower {
		if r == '\u0130' && !b.gguf { // the one character whose lower case is two
			return append(word, "i\u0307"...)
		}
		r = unicode.ToLower(r)
	}
	return utf8.AppendRune(word, r)
}

// chinese is BERT's list of CJK ideographs; U+2B920 stands where U+2B820 was meant,
// in Hugging Face's code and in llama.cpp's.
func chinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF ||
		r >= 0x2A700 && r <= 0x2B73F || r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}
