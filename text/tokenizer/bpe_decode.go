package tokenizer

import "github.com/skainet-dev/skainet-go/internal/errs"

// piece is one token.
type piece struct {
	name    string // as the file spells it
	bytes   string // what it stands for; may be a part of a character
	special bool
}

// BPE is a byte-level BPE vocabulary. It never changes once built.
type BPE struct {
	pieces []piece
	ids    map[string]int32
}

var _ Tokenizer = (*BPE)(nil)

// Size gives the number of ids.
func (t *BPE) Size() int { return len(t.pieces) }

// ID gives the id of the token that the file spells so.
func (t *BPE) ID(token string) (int32, bool) {
	id, ok := t.ids[token]
	return id, ok
}

// Token gives the spelling of id in the file.
func (t *BPE) Token(id int32) (string, bool) {
	if !t.has(id) {
		return "", false
	}
	return t.pieces[id].name, true
}

// Special tells whether id is a control token.
func (t *BPE) Special(id int32) bool { return t.has(id) && t.pieces[id].special }

func (t *BPE) has(id int32) bool { return id >= 0 && int(id) < len(t.pieces) }

// appendBytes appends what id stands for.
func (t *BPE) appendBytes(b []byte, id int32, skipSpecial bool) ([]byte, error) {
	if !t.has(id) {
		return b, errs.New(CodeID, "id %d; the vocabulary has 0 to %d", id, len(t.pieces)-1).
			Hint("the tokenizer belongs to another model")
	}
	if p := &t.pieces[id]; !p.special || !skipSpecial {
		if len(b)+len(p.bytes) > MaxText {
			return b, errs.New(CodeTooLarge, "the text exceeds %d bytes", MaxText)
		}
		b = append(b, p.bytes...)
	}
	return b, nil
}

// Decode gives the text of ids; skipSpecial leaves special tokens out.
func (t *BPE) Decode(ids []int32, skipSpecial bool) (string, error) {
	var b []byte
	var err error
	for _, id := range ids {
		if b, err = t.appendBytes(b, id, skipSpecial); err != nil {
			return "", err
		}
	}
	text, _ := lossy(b, true)
	return text, nil
}

// Stream decodes piece by piece.
func (t *BPE) Stream(skipSpecial bool) Stream { return &bpeStream{t: t, skip: skipSpecial} }

// bpeStream holds at most the three bytes of a character that is not whole.
type bpeStream struct {
	t    *BPE
	skip bool
	held []byte
}

func (s *bpeStream) Add(id int32) (string, error) {
	b, err := s.t.appendBytes(s.held, id, s.skip)
	if err != nil {
		return "", err
	}
	text, rest := lossy(b, false)
	s.held = append([]byte(nil), rest...)
	return text, nil
}

func (s *bpeStream) Flush() string {
	text, _ := lossy(s.held, true)
	s.held = nil
	return text
}
