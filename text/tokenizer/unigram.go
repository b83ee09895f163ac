package tokenizer

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// unigram chooses the tokens whose scores, logarithms of probabilities, have the greatest
// sum (Kudo 2018, as llama.cpp does it for GGUF's "t5").
type unigram struct {
	t       *table
	kinds   []kind
	scores  []float32
	pieces  *finder // what a text may be made of
	users   *finder // what the normaliser leaves as it is
	charmap *charmap
	unknown int32
	// missing is the score of a character that no token has.
	missing float64
	prefix  bool // a space is put before a text
	merge   bool // spaces are one, and none is at the end
}

// missingPenalty is how much less than any token a character without one counts.
const missingPenalty = 10

func newUnigram(m unigram) *unigram {
	var pieces, users []int32
	least := math.Inf(1)
	for id, k := range m.kinds {
		switch k {
		case normal:
			least = min(least, float64(m.scores[id]))
			pieces = append(pieces, int32(id))
		case user:
			users, pieces = append(users, int32(id)), append(pieces, int32(id))
		case unused:
			pieces = append(pieces, int32(id))
		}
	}
	if math.IsInf(least, 1) {
		least = math.MaxFloat32 // as llama.cpp has it
	}
	m.missing = float64(float32(least) - missingPenalty)
	m.pieces, m.users = newFinder(m.t, pieces), newFinder(m.t, users)
	return &m
}

// best is the best way to a place: its last token, where that begins, and the sum.
type best struct {
	id   int32
	from int
	sum  float64
}

func (m *unigram) encode(s *scratch, ids []int32, text string, _ bool) ([]int32, error) {
	n := len(text)
	text, err := m.normalise(s, text)
	if err != nil || text == "" {
		return ids, err
	}
	if len(text) > MaxText {
		return nil, errs.New(CodeTooLarge, "the normaliser makes more than %d bytes of the text", MaxText)
	}
	s.steps += stepsPerByte * max(0, len(text)-n)
	ways := make([]best, len(text)+1)
	for i := range ways {
		ways[i] = best{m.unknown, 0, -math.MaxFloat64}
	}
	ways[0].sum = 0
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		sum, whole := ways[at].sum, false
		try := func(id int32, n int, score float64) {
			if x := sum + score; x > ways[at+n].sum {
				ways[at+n] = best{id, at, x}
			}
		}
		m.pieces.at(text[at:], &s.steps, func(i int32) {
			id, n := m.pieces.sorted[i], len(m.pieces.name(i))
			whole = whole || n == size
			score := float64(m.scores[id])
			if m.kinds[id] == user {
				score = 0
			}
			try(id, n, score)
		})
		if s.steps < 0 {
			return nil, errVocabularyCost()
		}
		if !whole {
			try(m.unknown, size, m.missing)
		}
		at += size
	}
	first, after := len(ids), false
	for at := len(text); at > 0; at = ways[at].from {
		if none := ways[at].id == m.unknown; !none || !after {
			ids, after = append(ids, ways[at].id), none
		}
	}
	slices.Reverse(ids[first:])
	return ids, nil
}

// normalise replaces what the map of characters has, and spaces.
func (m *unigram) normalise(s *scratch, text string) (string, error) {
	var b strings.Builder
	begun, word := false, false
	for text != "" {
		part, n, err := m.next(s, text)
		if err != nil {
			return "", err
		}
		for _, c := range []byte(part) {
			switch {
			case c == ' ':
				word = false
				if !m.merge {
					b.WriteString(space)
				}
				continue
			case !word:
				word = true
				if m.prefix && !begun || m.merge {
					b.WriteString(space)
					begun = true
				}
			}
			b.WriteByte(c)
		}
		text = text[n:]
		if b.Len() > MaxText {
			return b.String(), nil // the caller refuses it
		}
	}
	return b.String(), nil
}

// next returns what the beginning of text becomes, and the length of that beginning.
func (m *unigram) next(s *scratch, text string) (part string, n int, err error) {
	if len(m.users.sorted) > 0 {
		m.users.at(text, &s.steps, func(i int32) { n = len(m.users.name(i)) })
		if s.steps < 0 {
			return "", 0, errVocabularyCost()
		}
		if n > 0 {
			return text[:n], n, nil
		}
	}
	if m.charmap != nil {
		if part, n, err = m.charmap.longest(text); n > 0 || err != nil {
			return part, n, err
		}
	}
	_, n = utf8.DecodeRuneInString(text)
	return text[:n], n, nil
}
