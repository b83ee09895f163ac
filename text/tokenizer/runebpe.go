package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// runeBPE is byte-pair encoding of characters, as GGUF's "gemma4" has it: spaces are
// U+2581, words are lines and the runs of newlines between them, and what is no token is
// encoded byte by byte.
type runeBPE struct {
	*bpe
	bytes [256]int32 // the token <0x0A> of each byte, -1 for none
}

func newRuneBPE(m *bpe) *runeBPE {
	b := &runeBPE{bpe: m}
	const hex = "0123456789ABCDEF"
	for i := range b.bytes {
		b.bytes[i] = m.t.find("<0x" + string(hex[i>>4]) + string(hex[i&15]) + ">")
	}
	return b
}

func (m *runeBPE) encode(s *scratch, ids []int32, text string, _ bool) ([]int32, error) {
	text = strings.ReplaceAll(text, " ", space)
	for text != "" {
		n := strings.IndexByte(text, '\n')
		if n == 0 {
			n = len(text) - len(strings.TrimLeft(text, "\n"))
		} else if n < 0 {
			n = len(text)
		}
		ids = m.encodeWord(s, ids, text[:n])
		text = text[n:]
	}
	return ids, nil
}

func (m *runeBPE) encodeWord(s *scratch, ids []int32, word string) []int32 {
	if known, ok := s.remembered(word); ok {
		return append(ids, known...)
	}
	from := len(ids)
	if id := m.t.find(word); id >= 0 && word[0] == '\n' {
		return append(ids, id)
	}
	s.symbols = s.symbols[:0]
	for at := 0; at < len(word); {
		_, n := utf8.DecodeRuneInString(word[at:])
		s.add(at, at+n, m.t.find(word[at:at+n]))
		at += n
	}
	s.merge(word, m.bpe)
	for _, x := range s.symbols {
		if x.id >= 0 {
			ids = append(ids, x.id)
			continue
		}
		for _, c := range []byte(word[x.start:x.end]) {
			if id := m.bytes[c]; id >= 0 {
				ids = append(ids, id)
			}
		}
	}
	s.remember(word, ids[from:])
	return ids
}
