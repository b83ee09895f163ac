package tokenizer

import "strings"

// wordPiece takes words apart into the longest tokens from the left (Wu et al.
// 2016; Devlin et al. 2019).
type wordPiece struct {
	t     *table
	basic basic
	// A token that begins a word begins with start, one that goes on with middle:
	// "" and "##" in the files of BERT, U+2581 and "" in GGUF.
	start, middle string
	unknown       int32
	longest       int // characters of a word; a longer one is unknown; 0 for no limit
}

func (m *wordPiece) encode(s *scratch, ids []int32, text string, _ bool) ([]int32, error) {
	m.basic.words(text, func(word []byte) { ids = m.encodeWord(s, ids, word) })
	return ids, nil
}

func (m *wordPiece) encodeWord(s *scratch, ids []int32, word []byte) []int32 {
	if known, ok := s.remembered(string(word)); ok {
		return append(ids, known...)
	}
	from := len(ids)
	if m.longest > 0 && len(word) > m.longest && strings.Count(string(word), "")-1 > m.longest {
		return append(ids, m.unknown)
	}
	for at := 0; at < len(word); {
		prefix := m.middle
		if at == 0 {
			prefix = m.start
		}
		s.word = append(append(s.word[:0], prefix...), word[at:min(len(word), at+m.t.longest)]...)
		end := len(s.word)
		id := int32(-1)
		// GGUF's beginning of a word may be a token by itself, before any character.
		for ; end > 0 && (end > len(prefix) || at == 0); end-- {
			if end < len(s.word) && s.word[end]&0xC0 == 0x80 {
				continue // in a character
			}
			if id = m.t.find(string(s.word[:end])); id >= 0 {
				break
			}
		}
		if id < 0 {
			ids = append(ids[:from], m.unknown)
			break
		}
		ids = append(ids, id)
		if end == len(prefix) { // go on with the first character, as if in a word
			ids = m.rest(s, ids, from, word)
			break
		}
		at += end - len(prefix)
	}
	s.remember(string(word), ids[from:])
	return ids
}

// rest is the rare case that the mark of a word's beginning is a token of its own.
func (m *wordPiece) rest(s *scratch, ids []int32, from int, word []byte) []int32 {
	for at := 0; at < len(word); {
		end := min(len(word), at+m.t.longest)
		id := int32(-1)
		for ; end > at; end-- {
			if id = m.t.find(string(word[at:end])); id >= 0 {
				break
			}
		}
		if id < 0 {
			return append(ids[:from], m.unknown)
		}
		ids, at = append(ids, id), end
	}
	return ids
}

// wordSpeller puts tokens together as Hugging Face's WordPiece decoder does.
type wordSpeller struct {
	middle string // of tokens that go on with a word
	tidy   bool   // no space before some punctuation
}

// tidier is the clean-up of that decoder, which sees one token at a time.
var tidier = strings.NewReplacer(" .", ".", " ?", "?", " !", "!", " ,", ",", " ' ", "'", " n't", "n't", " 'm", "'m",
	" do not", " don't", " 's", "'s", " 've", "'ve", " 're", "'re")

func (p wordSpeller) spell(b []byte, v *vocabulary, id int32, first bool) []byte {
	name := v.name(id)
	if !first {
		if rest, ok := strings.CutPrefix(name, p.middle); ok {
			name = rest
		} else {
			name = " " + name
		}
	}
	if p.tidy {
		name = tidier.Replace(name)
	}
	return append(b, name...)
}
