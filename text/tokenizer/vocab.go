package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// vocab gathers tokens until all are known.
type vocab struct {
	byID    map[int32]string
	byName  map[string]int32
	special map[int32]bool
}

// newVocab makes room for the tokens of a file of size bytes; real ones take 8 bytes each and more.
func newVocab(size int) *vocab {
	n := min(size/8, 1<<16)
	return &vocab{byID: make(map[int32]string, n), byName: make(map[string]int32, n), special: map[int32]bool{}}
}

// add notes one token. The same pair may come again, as added tokens do.
func (v *vocab) add(id int32, name string) *errs.Error {
	if old, ok := v.byID[id]; ok && old != name {
		return errs.New(CodeDuplicate, "id %d is %q and %q", id, old, name)
	}
	if old, ok := v.byName[name]; ok && old != id {
		return errs.New(CodeDuplicate, "token %q has the ids %d and %d", name, old, id)
	}
	v.byID[id], v.byName[name] = name, id
	return nil
}

// hfFile is the part of tokenizer.json that decoding needs.
type hfFile struct {
	AddedTokens []struct {
		ID      *int32
		Content *string
		Special bool
	} `json:"added_tokens"`
	Decoder *struct{ Type string }
	Model   *struct {
		Type         string
		Vocab        json.RawMessage
		Prefix       *string `json:"continuing_subword_prefix"`
		Suffix       *string `json:"end_of_word_suffix"`
		ByteFallback bool    `json:"byte_fallback"`
	}
}

func (v *vocab) parseJSON(data []byte) error {
	var f hfFile
	if err := json.Unmarshal(data, &f); err != nil {
		return jsonError(err)
	}
	unlike := func(where, what string, args ...any) error {
		return errs.New(CodeModel, what, args...).On(where).Hint("this reader takes byte-level BPE, as Whisper and GPT-2 have it")
	}
	switch m := f.Model; {
	case m == nil:
		return unlike("model", "no model")
	case m.Type != "BPE":
		return unlike("model.type", "a tokenizer of type %q", m.Type)
	case m.ByteFallback, m.Prefix != nil && *m.Prefix != "", m.Suffix != nil && *m.Suffix != "":
		return unlike("model", "BPE with byte fallback, a prefix or a suffix")
	case f.Decoder == nil || f.Decoder.Type != "ByteLevel":
		return unlike("decoder", "the decoder is not ByteLevel")
	case len(m.Vocab) == 0:
		return unlike("model.vocab", "no vocabulary")
	}
	if err := v.parseMap(f.Model.Vocab); err != nil {
		return err
	}
	for i, a := range f.AddedTokens {
		where := fmt.Sprintf("added_tokens[%d]", i)
		if a.ID == nil || a.Content == nil {
			return errs.New(CodeSyntax, "an added token without id or content").On(where)
		}
		if err := v.add(*a.ID, *a.Content); err != nil {
			return err.On(where)
		}
		if a.Special {
			v.special[*a.ID] = true
		}
	}
	return nil
}

// parseMap reads the object token -> id. A Go map would hide a key that is there twice.
func (v *vocab) parseMap(raw []byte) error {
	const where = "model.vocab"
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errs.New(CodeSyntax, "the vocabulary is no object").On(where)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return errs.Wrap(CodeSyntax, err, "broken JSON").On(where)
		}
		name := key.(string) // an object's keys are strings, or Token has failed
		val, err := d.Token()
		if err != nil {
			return errs.Wrap(CodeSyntax, err, "broken JSON").On(where)
		}
		num, ok := val.(json.Number)
		id, err := num.Int64()
		if !ok || err != nil || id < 0 || id > math.MaxInt32 {
			return errs.New(CodeSyntax, "token %q has the id %v, which is no int32 from 0 up", name, val).On(where)
		}
		if _, twice := v.byName[name]; twice {
			return errs.New(CodeDuplicate, "token %q is there twice", name).On(where)
		}
		if err := v.add(int32(id), name); err != nil {
			return err.On(where)
		}
	}
	return nil
}

func jsonError(err error) error {
	e := errs.Wrap(CodeSyntax, err, "no tokenizer.json")
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		e.At(syntax.Offset)
	case errors.As(err, &typ):
		e.At(typ.Offset).On(typ.Field)
	}
	return e.Hint("the file is damaged or of another kind; fetch it again")
}

// parseLines reads one token a line; the line's number from 0 is the id. Tokens
// of the form <|...|> are special.
func (v *vocab) parseLines(data []byte) error {
	if len(data) == 0 {
		return errs.New(CodeSyntax, "the file is empty").At(0).Hint("fetch it again")
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	at := int64(0)
	for i, line := range lines {
		name := strings.TrimSuffix(line, "\r")
		if !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
			return errs.New(CodeSyntax, "line %d is no UTF-8 text", i+1).At(at).Hint("the file is damaged or no vocabulary.txt")
		}
		if err := v.add(int32(i), name); err != nil {
			return err.On(fmt.Sprintf("line %d", i+1))
		}
		if strings.HasPrefix(name, "<|") && strings.HasSuffix(name, "|>") && len(name) > 4 {
			v.special[int32(i)] = true
		}
		at += int64(len(line)) + 1
	}
	return nil
}

// build checks that the ids are 0 to n-1 and makes the decoder.
func (v *vocab) build() (*BPE, error) {
	v.addTimestamps()
	n := len(v.byID)
	if n == 0 {
		return nil, errs.New(CodeGap, "the vocabulary is empty").On("model.vocab")
	}
	t := &BPE{pieces: make([]piece, n), ids: v.byName}
	for i := range t.pieces {
		name, ok := v.byID[int32(i)]
		if !ok {
			return nil, errs.New(CodeGap, "no token has the id %d, though there are %d tokens", i, n).On("model.vocab").
				Hint("the file is not whole; fetch it again")
		}
		t.pieces[i] = piece{name: name, bytes: toBytes(name), special: v.special[int32(i)]}
	}
	return t, nil
}
