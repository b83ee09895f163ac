package tokenizer

import (
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// kind is what a token is, as GGUF's token_type numbers it.
type kind uint8

const (
	normal  kind = 1
	unknown kind = 2 // for what the vocabulary cannot spell
	control kind = 3 // stands for no text, as <end_of_turn>
	user    kind = 4 // found in a text before all else
	unused  kind = 5
	octet   kind = 6 // a byte, as <0x0A>
)

// encoder turns text without special tokens into ids.
type encoder interface {
	// encode appends ids; after reports whether a special token, or nothing, is before
	// the text.
	encode(s *scratch, ids []int32, text string, after bool) ([]int32, error)
}

// speller spells tokens.
type speller interface {
	// spell appends the text of an id that is not a control token; first reports
	// whether no text is before it.
	spell(b []byte, v *vocabulary, id int32, first bool) []byte
}

// vocabulary is a Tokenizer. It never changes once built.
type vocabulary struct {
	*table
	kinds    []kind
	specials Specials

	finder   *finder
	leftmost bool            // the finder's state; see fragments
	trim     map[int32]sides // white space that a special token takes away

	prefix, suffix []int32 // what Encode puts around a text
	encoder        encoder
	why            string // why there is no encoder
	speller        speller
	skipSpace      bool // Decode leaves out the space before the first word
}

var _ Tokenizer = (*vocabulary)(nil)

// Special reports whether id is a control token.
func (v *vocabulary) Special(id int32) bool {
	return v.has(id) && (v.kinds[id] == control || v.kinds[id] == unknown)
}

// Specials returns the special tokens.
func (v *vocabulary) Specials() Specials { return v.specials }

// Encode turns text into ids.
func (v *vocabulary) Encode(text string, special bool) ([]int32, error) {
	return v.EncodeWith(text, Options{Around: special})
}

// EncodeWith turns text into ids.
func (v *vocabulary) EncodeWith(text string, o Options) ([]int32, error) {
	switch {
	case v.encoder == nil:
		return nil, errs.New(CodeDecodeOnly, "this tokenizer only decodes: %s", v.why).
			Hint("use the tokenizer.json or the GGUF file of the model")
	case len(text) > MaxText:
		return nil, errs.New(CodeTooLarge, "a text of more than %d bytes", MaxText).At(MaxText)
	}
	if at := firstBroken(text); at >= 0 {
		return nil, errs.New(CodeUTF8, "the text is not valid UTF-8").At(int64(at)).Hint("convert the text to UTF-8")
	}
	ids := make([]int32, 0, len(text)/3+len(v.prefix)+len(v.suffix)+1)
	if o.Around {
		ids = append(ids, v.prefix...)
	}
	s := scratch{steps: stepsMin + stepsPerByte*len(text)}
	var err error
	after := true
	finding := stepsMin + stepsFinding*len(text)
	parts := v.finder.fragments(text, v.leftmost, &finding, o.wants(v))
	if finding < 0 {
		return nil, errVocabularyCost()
	}
	for i, p := range parts {
		if p.id >= 0 {
			ids, after = append(ids, p.id), true
			continue
		}
		part := v.trimmed(text[p.start:p.end], parts, i)
		if part == "" {
			continue
		}
		if ids, err = v.encoder.encode(&s, ids, part, after); err != nil {
			return nil, err
		}
		after = false
	}
	if o.Around {
		ids = append(ids, v.suffix...)
	}
	return ids, nil
}

// firstBroken returns the offset of the first byte that is not UTF-8, or -1.
func firstBroken(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// appendBytes appends what id stands for; special shows control tokens too.
func (v *vocabulary) appendBytes(b []byte, id int32, special, first bool) ([]byte, error) {
	if !v.has(id) {
		return b, errs.New(CodeID, "id %d; the vocabulary has 0 to %d", id, v.Size()-1).
			Hint("the tokenizer belongs to another model")
	}
	n := len(b)
	if !v.Special(id) {
		b = v.speller.spell(b, v, id, first)
	} else if special {
		b = append(b, v.name(id)...)
	}
	if len(b) > MaxText {
		return b[:n], errs.New(CodeTooLarge, "the text exceeds %d bytes", MaxText)
	}
	return b, nil
}

// Text returns the text of ids.
func (v *vocabulary) Text(ids []int32, special bool) (string, error) {
	var b []byte
	var err error
	first := true
	for _, id := range ids {
		n := len(b)
		if b, err = v.appendBytes(b, id, special, first); err != nil {
			return "", err
		}
		first = first && len(b) == n
	}
	if v.skipSpace && len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	text, _ := lossy(b, true)
	return text, nil
}

// Decode returns the text of ids without control tokens.
func (v *vocabulary) Decode(ids []int32) string {
	var b []byte
	first := true
	for _, id := range ids {
		n := len(b)
		var err error
		if b, err = v.appendBytes(b, id, false, first); err != nil {
			b = utf8.AppendRune(b, utf8.RuneError)
		}
		first = first && len(b) == n
	}
	if v.skipSpace && len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	text, _ := lossy(b, true)
	return text
}

// Stream decodes piece by piece.
func (v *vocabulary) Stream() *Stream { return &Stream{v: v, first: true} }
