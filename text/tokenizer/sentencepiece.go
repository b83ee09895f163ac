package tokenizer

import (
	"math"
	"strings"
	"unicode/utf8"
)

// space is how SentencePiece writes a space: U+2581, three bytes.
const space = "\u2581"

// sentencePiece joins neighbours whose joined text is a token, the one with the
// highest score first (Kudo and Richardson 2018, as llama.cpp does it for GGUF's
// "llama"). What is then not a token is encoded byte by byte.
type sentencePiece struct {
	t      *table
	ranks  []int32 // of a token: the higher its score, the lower
	prefix bool    // a space is put before a text
	octets [256]int32
	// bridges are the characters after which some token has a space. After all
	// others a space begins a new word: nothing is joined over that border.
	bridges map[rune]bool
}

func newSentencePiece(t *table, scores []float32, unknown int32) *sentencePiece {
	m := &sentencePiece{t: t, ranks: make([]int32, len(scores)), bridges: map[rune]bool{}}
	for i, s := range scores {
		m.ranks[i] = rankOf(s)
	}
	const hex = "0123456789ABCDEF"
	for i := range m.octets {
		id := t.find("<0x" + string(hex[i>>4]) + string(hex[i&15]) + ">")
		if id < 0 {
			id = t.find(string([]byte{byte(i)}))
		}
		if id < 0 {
			id = unknown
		}
		m.octets[i] = id
	}
	for id := range int32(t.Size()) {
		name := t.name(id)
		for at := 1; at < len(name); at++ {
			i := strings.Index(name[at:], space)
			if i < 0 {
				break
			}
			at += i
			if r, _ := utf8.DecodeLastRuneInString(name[:at]); r != '\u2581' {
				m.bridges[r] = true
			}
		}
	}
	return m
}

// rankOf turns scores into integers in reverse order.
func rankOf(score float32) int32 {
	bits := int32(math.Float32bits(score + 0)) // -0 becomes 0
	if bits < 0 {
		return bits & math.MaxInt32
	}
	return -bits
}

func (m *sentencePiece) merge(text string, a, b *symbol) (rank, id int32, ok bool) {
	id = m.t.find(text[a.start:b.end])
	if id < 0 {
		return 0, 0, false
	}
	return m.ranks[id], id, true
}

func (m *sentencePiece) encode(s *scratch, ids []int32, text string, after bool) ([]int32, error) {
	text = strings.ReplaceAll(text, " ", space)
	if m.prefix && after {
		text = space + text
	}
	for len(text) > 0 {
		end := m.border(text)
		ids = m.encodeWord(s, ids, text[:end])
		text = text[end:]
	}
	return ids, nil
}

// border returns where the first word of text ends.
func (m *sentencePiece) border(text string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], space)
		if i < 0 {
			return len(text)
		}
		at += i
		if at > 0 {
			if r, _ := utf8.DecodeLastRuneInString(text[:at]); r != '\u2581' && !m.bridges[r] {
				return at
			}
		}
		at += len(space)
	}
}

func (m *sentencePiece) encodeWord(s *scratch, ids []int32, word string) []int32 {
	if known, ok := s.remembered(word); ok {
		return append(ids, known...)
	}
	from := len(ids)
	s.symbols = s.symbols[:0]
	for at := 0; at < len(word); {
		_, n := utf8.DecodeRuneInString(word[at:])
		s.add(at, at+n, m.t.find(word[at:at+n]))
		at += n
	}
	s.merge(word, m)
	for _, x := range s.symbols {
		if x.id >= 0 {
			ids = append(ids, x.id)
			continue
		}
		for _, c := range []byte(word[x.start:x.end]) {
			ids = append(ids, m.octets[c])
		}
	}
	s.remember(word, ids[from:])
	return ids
}

// pieceSpeller spells SentencePiece tokens.
type pieceSpeller struct{}

func (pieceSpeller) spell(b []byte, v *vocabulary, id int32, _ bool) []byte {
	name := v.name(id)
	switch v.kinds[id] {
	case octet:
		if c, ok := hexByte(name); ok {
			return append(b, c)
		}
	case user:
		return append(b, name...)
	case unused:
		return b
	}
	return append(b, strings.ReplaceAll(name, space, " ")...)
}

// hexByte reads a token of the form <0x0A>.
func hexByte(name string) (byte, bool) {
	if len(name) != 6 || name[:3] != "<0x" || name[5] != '>' {
		return 0, false
	}
	var c byte
	for _, d := range []byte(name[3:5]) {
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d >= 'A' && d <= 'F':
			d -= 'A' - 10
		case d >= 'a' && d <= 'f':
			d -= 'a' - 10
		default:
			return 0, false
		}
		c = c<<4 | d
	}
	return c, true
}
