package tokenizer

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// wordPiece splits words into the longest tokens from the left (Wu et al.
// 2016; Devlin et al. 2019).
type wordPiece struct {
	t     *table
	basic basic
	// A token that begins a word begins with start, one that goes on with middle:
	// "" and "##" in the files of BERT, U+2581 and "" in GGUF.
	start, middle string
	unknown       int32
	all           func() wordTokens
	longest       int // characters of a word; a longer one is unknown; 0 for no limit
}

// shortWord is how many bytes of a word are worth looking up each beginning; longer
// words walk down the tokens in order.
const shortWord = 64

// wordTokens are all tokens, and where those of the middle of a word are.
type wordTokens struct {
	*finder
	lo, hi int32
}

// newWordPiece completes m.
func newWordPiece(m wordPiece) *wordPiece {
	m.all = sync.OnceValue(func() wordTokens {
		ids := make([]int32, 0, m.t.Size())
		for id := range int32(m.t.Size()) {
			if !m.t.beside[id] {
				ids = append(ids, id)
			}
		}
		f := newFinder(m.t, ids)
		lo, hi := f.within(m.middle)
		return wordTokens{f, lo, hi}
	})
	return &m
}

func (m *wordPiece) encode(s *scratch, ids []int32, text string, _ bool) ([]int32, error) {
	m.basic.words(text, func(word []byte) {
		if s.steps >= 0 {
			ids = m.encodeWord(s, ids, word)
		}
	})
	if s.steps < 0 {
		return nil, errVocabularyCost()
	}
	return ids, nil
}

func (m *wordPiece) encodeWord(s *scratch, ids []int32, word []byte) []int32 {
	if known, ok := s.remembered(string(word)); ok {
		return append(ids, known...)
	}
	from := len(ids)
	if m.longest > 0 && len(word) > m.longest && utf8.RuneCount(word) > m.longest {
		return append(ids, m.unknown)
	}
	best := m.lookUp
	if len(word) > shortWord {
		best = m.walk
	}
	// The mark of a word's beginning may be a token of its own, before any character.
	text := m.start + string(word)
	for at := 0; at < len(text); {
		middle := m.middle
		if at == 0 {
			middle = ""
		}
		id, n := best(s, middle, text[at:])
		if id < 0 {
			ids = append(ids[:from], m.unknown)
			break
		}
		ids = append(ids, id)
		at += n
	}
	s.remember(string(word), ids[from:])
	return ids
}

// lookUp returns the longest token that is middle and a beginning of text, in whole
// characters, and the length of that beginning; -1 for none.
func (m *wordPiece) lookUp(s *scratch, middle, text string) (id int32, n int) {
	n = min(len(text), m.t.longest)
	s.word = append(append(s.word[:0], middle...), text[:n]...)
	for ; n > 0; n-- {
		if n == len(text) || utf8.RuneStart(text[n]) {
			if id = m.t.piece(string(s.word[:len(middle)+n])); id >= 0 {
				return id, n
			}
		}
	}
	return -1, 0
}

// walk is lookUp that takes steps by the length of what it finds and of what begins as
// text does.
func (m *wordPiece) walk(s *scratch, middle, text string) (id int32, n int) {
	all := m.all()
	id = -1
	lo, hi := int32(0), int32(len(all.sorted))
	if middle != "" {
		lo, hi = all.lo, all.hi
	}
	lo, hi = all.narrow(lo, hi, len(middle), text[0])
	all.finder.walk(lo, hi, len(middle)+1, text[1:], &s.steps, func(i int32) {
		if l := len(all.name(i)) - len(middle); l == len(text) || utf8.RuneStart(text[l]) {
			id, n = all.sorted[i], l
		}
	})
	return id, n
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
