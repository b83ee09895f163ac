package tokenizer

import (
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regex"
)

// BPE: byte-pair encoding on bytes (Sennrich et al. 2016; Radford et al. 2019). A
// text is normalised, cut into words, and each word's bytes are joined by the
// merges, the first of the list first.
type bpe struct {
	t         *table
	normalise func(string) string // nil for none
	space     bool                // a space is put before a text that has none
	cutters   []cutter
	whole     bool       // a word that is a token is taken as it is
	octets    [256]int32 // the token of each byte, -1 for none
	unknown   int32      // the token for such a byte, -1 for none
	fuse      bool       // one of them for several such bytes in a row
	skip      bool       // without such a token, what is left and right of one meets
	merges    map[[2]int32]merged
	code      int // instructions of all cutters
}

type merged struct{ rank, id int32 }

// cutter cuts a text into words.
type cutter struct {
	p *regex.Pattern
	// Of the parts, matches and what lies between them, which are kept.
	matches, gaps bool
}

// spelled is the character that byte-level BPE uses for each byte.
var spelled = spelledTable()

func spelledTable() (t [256]string) {
	for r, b := range byteOf {
		if b >= 0 {
			t[b] = string(rune(r))
		}
	}
	return t
}

// maxRoom is how many entries room is made for before they were read: an array of GGUF
// may claim many that are not tokens and no merges.
const maxRoom = 1 << 20

func newBPE(t *table, merges int) *bpe {
	b := &bpe{t: t, unknown: -1, merges: make(map[[2]int32]merged, min(merges, maxRoom))}
	for i := range b.octets {
		b.octets[i] = t.piece(spelled[i])
	}
	return b
}

// addMerge adds a merge of the tokens first and second, before all later ones.
func (m *bpe) addMerge(rank int, first, second string) *errs.Error {
	ids := [2]int32{m.t.piece(first), m.t.piece(second)}
	for i, name := range []string{first, second} {
		if ids[i] < 0 {
			return errs.New(CodeMerge, "merge %d of %q and %q: %q is not a token", rank, first, second, name)
		}
	}
	id := m.t.piece(first + second)
	if id < 0 {
		return errs.New(CodeMerge, "merge %d of %q and %q: their concatenation is not a token", rank, first, second)
	}
	if _, twice := m.merges[ids]; !twice { // the first counts
		m.merges[ids] = merged{int32(rank), id}
	}
	return nil
}

// mergeText is addMerge of a line "first second"; a first may begin with a space.
func (m *bpe) mergeText(rank int, line string) *errs.Error {
	at := -1
	if len(line) > 1 {
		at = strings.IndexByte(line[1:], ' ') + 1
	}
	if at <= 0 {
		return errs.New(CodeMerge, "merge %d is %q, not two tokens with a space between them", rank, line)
	}
	return m.addMerge(rank, line[:at], line[at+1:])
}

func (m *bpe) merge(_ string, a, b *symbol) (rank, id int32, ok bool) {
	x, ok := m.merges[[2]int32{a.id, b.id}]
	return x.rank, x.id, ok
}

func (m *bpe) encode(s *scratch, ids []int32, text string, _ bool) ([]int32, error) {
	if m.normalise != nil {
		if text = m.normalise(text); len(text) > MaxText {
			return nil, errs.New(CodeTooLarge, "the normaliser makes more than %d bytes of the text", MaxText)
		}
	}
	if m.space && !strings.HasPrefix(text, " ") {
		text = " " + text
	}
	s.machine.Allow(text, len(m.cutters))
	err := m.cut(&s.machine, text, 0, func(word string) {
		ids = m.encodeWord(s, ids, word)
	})
	return ids, errPatternCost(err)
}

// cut returns the words of a text; each cutter cuts the words of the one before.
func (m *bpe) cut(mach *regex.Machine, text string, level int, yield func(word string)) error {
	if level == len(m.cutters) {
		if text != "" {
			yield(text)
		}
		return nil
	}
	c := &m.cutters[level]
	return c.p.Each(mach, text, func(part string, match bool) error {
		if match && !c.matches || !match && !c.gaps {
			return nil
		}
		return m.cut(mach, part, level+1, yield)
	})
}

func (m *bpe) encodeWord(s *scratch, ids []int32, word string) []int32 {
	if len(word) == 1 && m.octets[word[0]] >= 0 {
		return append(ids, m.octets[word[0]])
	}
	if known, ok := s.remembered(word); ok {
		return append(ids, known...)
	}
	from := len(ids)
	if m.whole {
		s.word = s.word[:0]
		for i := range len(word) {
			s.word = append(s.word, spelled[word[i]]...)
		}
		if id := m.t.piece(string(s.word)); id >= 0 {
			ids = append(ids, id)
			s.remember(word, ids[from:])
			return ids
		}
	}
	s.symbols = s.symbols[:0]
	for i := range len(word) {
		if id := m.octets[word[i]]; id >= 0 || m.unknown >= 0 || !m.skip {
			s.add(i, i+1, id)
		}
	}
	s.merge(word, m)
	fused := false
	for _, x := range s.symbols {
		switch {
		case x.id >= 0:
			ids = append(ids, x.id)
		case m.unknown >= 0 && !(fused && m.fuse):
			ids = append(ids, m.unknown)
		}
		fused = x.id < 0
	}
	s.remember(word, ids[from:])
	return ids
}

// byteSpeller spells byte-level tokens.
type byteSpeller struct {
	// Tokens of a user are meant as they are written: they never went through the
	// alphabet of bytes. Those that the model makes of a text too did.
	literal bool
	made    map[int32]bool
}

func (p byteSpeller) spell(b []byte, v *vocabulary, id int32, _ bool) []byte {
	name := v.name(id)
	if v.kinds[id] == octet {
		if c, ok := hexByte(name); ok {
			return append(b, c)
		}
	}
	if p.literal && v.kinds[id] == user && !p.made[id] {
		return append(b, name...)
	}
	return append(b, toBytes(name)...)
}

// makes returns the tokens of a user that the model makes of a text's bytes.
func (m *bpe) makes(v *vocabulary) map[int32]bool {
	made := map[int32]bool{}
	note := func(id int32) {
		if id >= 0 && v.kinds[id] == user {
			made[id] = true
		}
	}
	for _, id := range m.octets {
		note(id)
	}
	for _, x := range m.merges {
		note(x.id)
	}
	if m.whole {
		for id := range int32(v.Size()) {
			if !v.beside[id] {
				note(id)
			}
		}
	}
	return made
}
