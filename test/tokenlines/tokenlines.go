// Package tokenlines generates lines of text to test tokenizers with: words of a vocabulary,
// every block of Unicode, code, emoji, control characters, runs of white space,
// special tokens whole and broken, stacked marks, and mixtures of these.
//
// # Errors
//
// None.
//
// # Determinism
//
// The lines depend on the seed, the words and the special tokens alone; the random
// numbers are those of math/rand/v2's PCG, whose sequence is fixed.
package tokenlines

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// Source is what lines are made from.
type Source struct {
	Words    []string // texts of tokens
	Specials []string // spellings of control tokens and those of a user
}

// Vocabulary is the part of a tokenizer that lines are made from.
type Vocabulary interface {
	Size() int
	Token(id int32) (string, bool)
	Special(id int32) bool
	Decode(ids []int32) string
}

// Of takes the words and special tokens of a tokenizer.
func Of(v Vocabulary) Source {
	var s Source
	for id := range int32(v.Size()) {
		name, _ := v.Token(id)
		word := v.Decode([]int32{id})
		switch {
		case v.Special(id):
			s.Specials = append(s.Specials, name)
		case word != "" && !strings.ContainsRune(word, utf8.RuneError):
			s.Words = append(s.Words, word)
		}
	}
	return s
}

// maker makes the parts of a line.
type maker struct {
	Source
	r *rand.Rand
}

// Lines returns n lines, of at most some hundred characters each.
func Lines(s Source, seed uint64, n int) []string {
	m := &maker{s, rand.New(rand.NewPCG(seed, 0x736b61696e6574))}
	kinds := []func() string{
		m.words, m.block, m.block, m.mixed, m.code, m.emoji, m.controls, m.blanks,
		m.special, m.marks, m.rightToLeft, m.cjk, m.abugida, m.jamo, m.figures, m.ascii,
	}
	out := make([]string, n)
	for i := range out {
		k := i % (len(kinds) + 2)
		if k < len(kinds) {
			out[i] = kinds[k]()
			continue
		}
		var b strings.Builder
		for range 2 + m.r.IntN(4) {
			b.WriteString(kinds[m.r.IntN(len(kinds))]())
			b.WriteString(m.pick("", "", " ", "  ", "\n", "\t"))
		}
		out[i] = b.String()
	}
	return out
}

func (m *maker) pick(from ...string) string { return from[m.r.IntN(len(from))] }

// between returns a character of a range. Some are not assigned: which ones depends on
// the version of Unicode, and lines must not.
func (m *maker) between(lo, hi rune) rune {
	for {
		if r := lo + rune(m.r.IntN(int(hi-lo+1))); utf8.ValidRune(r) {
			return r
		}
	}
}

func (m *maker) run(lo, hi rune, most int) string {
	var b strings.Builder
	for range 1 + m.r.IntN(most) {
		b.WriteRune(m.between(lo, hi))
	}
	return b.String()
}

func (m *maker) words() string {
	var b strings.Builder
	for range 1 + m.r.IntN(14) {
		b.WriteString(m.pick("", " ", " ", " ", ", "))
		if len(m.Words) > 0 {
			b.WriteString(m.pick(m.Words...))
		}
	}
	return b.String()
}

// block returns characters of one stretch of 128.
func (m *maker) block() string {
	// Most scripts are below U+3400, the others in a few places above.
	at := rune(m.r.IntN(0x3400))
	switch m.r.IntN(6) {
	case 0:
		at = 0xA000 + rune(m.r.IntN(0x800))
	case 1:
		at = 0xF900 + rune(m.r.IntN(0x700))
	case 2:
		at = 0x10000 + rune(m.r.IntN(0x4000))
	case 3:
		at = 0x16800 + rune(m.r.IntN(0x9000))
	}
	at &^= 0x7F
	var b strings.Builder
	for range 1 + m.r.IntN(5) {
		b.WriteString(m.run(at, at+0x7F, 8))
		b.WriteString(m.pick("", " ", " ", "."))
	}
	return b.String()
}

func (m *maker) mixed() string {
	var b strings.Builder
	for range 1 + m.r.IntN(40) {
		switch m.r.IntN(4) {
		case 0:
			b.WriteRune(m.between(0x20, 0x7E))
		case 1:
			b.WriteRune(m.between(0xA0, 0x24F))
		case 2:
			b.WriteRune(m.between(0x250, 0xFFFF))
		default:
			b.WriteRune(m.between(0x10000, 0x1FBFF))
		}
	}
	return b.String()
}

func (m *maker) code() string {
	name := func() string {
		return m.pick("x", "fooBar", "HTTPServer", "snake_case_name", "i", "__init__", "αβ", "größe", "$el", "data2vec")
	}
	indent := strings.Repeat(m.pick(" ", "  ", "    ", "\t"), m.r.IntN(5))
	n := m.r.IntN(100000)
	return fmt.Sprintf(m.pick(
		"%[1]sfor (int %[2]s = 0; %[2]s < %[4]d; ++%[2]s) { %[3]s[%[2]s] += 0x%[4]X; }\n",
		"%[1]sdef %[2]s(self, *%[3]s, **kw):\n%[1]s    return f\"{%[2]s!r:>%[4]d}\"\r\n",
		"%[1]sif err := %[2]s.%[3]s(%[4]d); err != nil {\n%[1]s\treturn fmt.Errorf(\"%%w\", err)\n%[1]s}\n\n\n",
		"%[1]s<div class=\"%[2]s\" id='%[3]s'>&nbsp;%[4]d</div>",
		"%[1]sSELECT %[2]s FROM %[3]s WHERE id >= %[4]d -- it's he'll WE'VE I'm",
		"%[1]s\\frac{%[2]s}{\\sqrt{%[3]s^{%[4]d}}} \\\\ ",
		"%[1]s{\"%[2]s\": [%[4]d, -1.5e-%[4]d, null], \"%[3]s\": \"\\u00e9\\n\"}",
		"%[1]shttps://%[2]s.example.org/%[3]s?q=%[4]d&x=%%20#%[2]s",
	), indent, name(), name(), n)
}

func (m *maker) emoji() string {
	var b strings.Builder
	for range 1 + m.r.IntN(8) {
		b.WriteString(m.pick("👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇺🇦🇩🇪", "1️⃣", "❤️", "👨🏿‍🚀", "🤷‍♀️", "☺", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u200d", "️"))
		if m.r.IntN(2) == 0 {
			b.WriteRune(m.between(0x1F300, 0x1FAF8))
		}
		b.WriteString(m.pick("", "", " ", "!"))
	}
	return b.String()
}

func (m *maker) controls() string {
	var b strings.Builder
	for range 1 + m.r.IntN(20) {
		switch m.r.IntN(6) {
		case 0:
			b.WriteRune(m.between(0x01, 0x1F))
		case 1:
			b.WriteRune(m.between(0x7F, 0xA0))
		case 2:
			b.WriteRune(m.between(0x2000, 0x206F))
		case 3:
			b.WriteString(m.pick("\uFEFF", "\uFFFD", "\u00AD", "\u180E", "\uE000", "\U000E0001", "\U000F1234", "\u061C", "\uFFF9"))
		default:
			b.WriteString(m.pick("a", "Word", " ", "7", "。"))
		}
	}
	return b.String()
}

func (m *maker) blanks() string {
	var b strings.Builder
	for range 1 + m.r.IntN(8) {
		b.WriteString(strings.Repeat(m.pick(" ", " ", "\n", "\t", "\r\n", "\u00A0", "\u3000", "\u2003", "▁"), 1+m.r.IntN(40)))
		b.WriteString(m.pick("", "", "a", "The", "9", "'s", "-", "é"))
	}
	return b.String()
}

func (m *maker) special() string {
	var b strings.Builder
	for range 1 + m.r.IntN(6) {
		b.WriteString(m.pick("", " ", "user\n", "Hello", "  ", "ß"))
		if len(m.Specials) == 0 {
			continue
		}
		s := m.pick(m.Specials...)
		if m.r.IntN(4) == 0 { // a part of one
			runes := []rune(s)
			s = string(runes[:m.r.IntN(len(runes))])
		}
		b.WriteString(s)
	}
	return b.String()
}

func (m *maker) marks() string {
	var b strings.Builder
	for range 1 + m.r.IntN(10) {
		b.WriteString(m.pick("e", "A", "o", "ǘ", "ñ", "İ", "ı", "ſ", "ß", "Å", "ệ", "й", "が", "क", "א", " "))
		for range m.r.IntN(4) {
			b.WriteRune(m.between(0x300, 0x36F))
		}
	}
	return b.String()
}

func (m *maker) rightToLeft() string {
	var b strings.Builder
	for range 1 + m.r.IntN(8) {
		switch m.r.IntN(3) {
		case 0:
			b.WriteString(m.run(0x621, 0x652, 8))
		case 1:
			b.WriteString(m.run(0x5B0, 0x5EA, 8))
		default:
			b.WriteString(m.run(0x660, 0x6D3, 4))
		}
		b.WriteString(m.pick(" ", " ", "، ", "؟", "\u200F", "\u202B123\u202C"))
	}
	return b.String()
}

func (m *maker) cjk() string {
	var b strings.Builder
	for range 1 + m.r.IntN(8) {
		switch m.r.IntN(5) {
		case 0:
			b.WriteString(m.run(0x3041, 0x30FF, 10))
		case 1:
			b.WriteString(m.run(0xFF01, 0xFF9F, 5))
		case 2:
			b.WriteString(m.run(0x20000, 0x2A6DF, 2))
		default:
			b.WriteString(m.run(0x4E00, 0x9FA5, 8))
		}
		b.WriteString(m.pick("", "，", "。", "「", "」", " ", "2024年", "ABC"))
	}
	return b.String()
}

func (m *maker) abugida() string {
	var b strings.Builder
	for range 1 + m.r.IntN(6) {
		at := []rune{0xE01, 0xE81, 0x1780, 0x1000, 0x905, 0x985, 0xB85, 0xC05, 0xD05, 0xF40, 0x1200}[m.r.IntN(11)]
		b.WriteString(m.run(at, at+0x4D, 12))
		b.WriteString(m.pick("", " ", "।", "\u200D"))
	}
	return b.String()
}

func (m *maker) jamo() string {
	var b strings.Builder
	for range 1 + m.r.IntN(6) {
		switch m.r.IntN(3) {
		case 0:
			b.WriteRune(m.between(0x1100, 0x1112))
			b.WriteRune(m.between(0x1161, 0x1175))
			if m.r.IntN(2) == 0 {
				b.WriteRune(m.between(0x11A8, 0x11C2))
			}
		case 1:
			b.WriteString(m.run(0x3131, 0x318E, 5))
		default:
			b.WriteString(m.run(0xAC00, 0xD7A3, 6))
		}
		b.WriteString(m.pick("", " ", "."))
	}
	return b.String()
}

func (m *maker) figures() string {
	var b strings.Builder
	for range 1 + m.r.IntN(10) {
		b.WriteString(m.pick("1", "12", "1234567", "3.14", "1,000", "½", "Ⅷ", "٣٤", "१२३", "x²", "①", "'s", "'LL", "don't", "I’ve", "$", "€", "--", "…", "!?", "#", "(", ")]"))
		b.WriteString(m.pick("", "", " ", "  "))
	}
	return b.String()
}

func (m *maker) ascii() string { return m.run(0x20, 0x7E, 60) }
