package tokenizer

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
)

// Keys of GGUF's metadata.
const (
	keyModel  = "tokenizer.ggml.model"
	keyPre    = "tokenizer.ggml.pre"
	keyTokens = "tokenizer.ggml.tokens"
	keyScores = "tokenizer.ggml.scores"
	keyTypes  = "tokenizer.ggml.token_type"
	keyMerges = "tokenizer.ggml.merges"
)

// Metadata is the key-value pairs of a GGUF file; *gguf.File is one.
type Metadata interface {
	Get(key string) (gguf.Value, bool)
}

// FromGGUF makes the tokenizer that a GGUF file describes: SentencePiece ("llama"
// in tokenizer.ggml.model, or "t5" of unigrams), byte-level BPE ("gpt2", with the
// pre-tokenisers that PreTokenizers lists), BPE of characters ("gemma4") or WordPiece
// ("bert"). Ids and texts are llama.cpp's.
// Errors name the key, and the token or merge in it.
func FromGGUF(m Metadata) (Tokenizer, error) {
	r := &ggufReader{m: m}
	v, err := r.read()
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Described reports whether a GGUF file says that it has a tokenizer: "no_vocab", which
// llama.cpp writes of a model without one, does not.
func Described(m Metadata) bool {
	v, ok := m.Get(keyModel)
	if !ok {
		return false
	}
	model, err := v.Text()
	return err != nil || model != "no_vocab"
}

type ggufReader struct {
	m Metadata
	v *vocabulary
}

func (r *ggufReader) read() (*vocabulary, error) {
	model, ok, err := text(r.m, keyModel)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, missing(keyModel)
	}
	var build func() error
	switch model {
	case "llama":
		build = r.sentencePiece
	case "gpt2":
		build = r.bpe
	case "bert":
		build = r.wordPiece
	case "t5":
		build = r.unigram
	case "gemma4":
		build = r.runeBPE
	default:
		return nil, errs.New(CodeModel, "a tokenizer of type %q", model).On(keyModel).
			Hint("known are llama and t5 (SentencePiece), gpt2 (byte-level BPE), gemma4 (BPE of characters) and bert (WordPiece)")
	}
	if err := r.tokens(); err != nil {
		return nil, err
	}
	if err := build(); err != nil {
		return nil, err
	}
	r.v.findStops()
	var ids []int32
	for id, k := range r.v.kinds {
		if k == control || k == user || k == unknown {
			ids = append(ids, int32(id))
		}
	}
	r.v.finder = newFinder(r.v.table, ids)
	return r.v, nil
}

func missing(key string) error {
	return errs.New(CodeMissingKey, "the file has no such key").On(key).
		Hint("it has no tokenizer; use a file written by llama.cpp's converter")
}

func badValue(key, what string, args ...any) error {
	return errs.New(CodeBadValue, what, args...).On(key).Hint("convert the model again")
}

// text returns a string, if the key is there.
func text(m Metadata, key string) (string, bool, error) {
	x, ok := m.Get(key)
	if !ok {
		return "", false, nil
	}
	s, err := x.Text()
	return s, true, err
}

// flag returns a bool, or def where the key is not there.
func (r *ggufReader) flag(key string, def bool) (bool, error) {
	x, ok := r.m.Get(key)
	if !ok {
		return def, nil
	}
	return x.Bool()
}

// id returns a token by a key, or def where the key is not there and def is in the
// vocabulary, else -1.
func (r *ggufReader) id(key string, def int32) (int32, error) {
	x, ok := r.m.Get(key)
	if !ok {
		if !r.v.has(def) {
			return -1, nil
		}
		return def, nil
	}
	n, err := x.Int()
	if err != nil {
		return -1, err
	}
	if n < 0 || n >= int64(r.v.Size()) {
		return -1, badValue(key, "id %d; the vocabulary has 0 to %d", n, r.v.Size()-1)
	}
	return int32(n), nil
}

// array returns an array of a number of elements, or of any number with n < 0.
func (r *ggufReader) array(key string, n int64) (a gguf.Array, ok bool, err error) {
	x, ok := r.m.Get(key)
	if !ok {
		return a, false, nil
	}
	if a, err = x.Array(); err != nil {
		return a, true, err
	}
	if n >= 0 && a.Len() != n {
		return a, true, badValue(key, "%d elements for %d tokens", a.Len(), n)
	}
	return a, true, nil
}

// tokens reads the texts and types of tokens.
func (r *ggufReader) tokens() error {
	a, ok, err := r.array(keyTokens, -1)
	switch {
	case err != nil:
		return err
	case !ok:
		return missing(keyTokens)
	case a.Len() == 0:
		return badValue(keyTokens, "no tokens")
	}
	t := newTable(int(a.Len()))
	for name, err := range a.Strings() {
		if err != nil {
			return err
		}
		if name == "" { // as llama.cpp calls it
			name = fmt.Sprintf("[EMPTY_%d]", t.Size())
		}
		if err := t.add(name); err != nil {
			return err.On(fmt.Sprintf("%s[%d]", keyTokens, t.Size()))
		}
	}
	r.v = &vocabulary{table: t, kinds: make([]kind, t.Size()), specials: noSpecials()}
	for i := range r.v.kinds {
		r.v.kinds[i] = normal
	}
	types, ok, err := r.array(keyTypes, a.Len())
	if err != nil || !ok {
		return err
	}
	i := 0
	for n, err := range types.Ints() {
		if err != nil {
			return err
		}
		if n < int64(normal) || n > int64(octet) {
			return badValue(fmt.Sprintf("%s[%d]", keyTypes, i), "type %d; there are 1 to 6", n)
		}
		r.v.kinds[i] = kind(n)
		i++
	}
	return nil
}

// ids reads the special tokens; of those that no key tells, def has the ids.
func (r *ggufReader) ids(def Specials) error {
	s := &r.v.specials
	for _, x := range []struct {
		key string
		id  *int32
		def int32
	}{
		{"tokenizer.ggml.bos_token_id", &s.BOS, def.BOS},
		{"tokenizer.ggml.eos_token_id", &s.EOS, def.EOS},
		{"tokenizer.ggml.eot_token_id", &s.EOT, -1},
		{"tokenizer.ggml.unknown_token_id", &s.Unknown, def.Unknown},
		{"tokenizer.ggml.seperator_token_id", &s.SEP, def.SEP}, // spelled so in the format
		{"tokenizer.ggml.padding_token_id", &s.PAD, def.PAD},
		{"tokenizer.ggml.mask_token_id", &s.Mask, def.Mask},
	} {
		var err error
		if *x.id, err = r.id(x.key, x.def); err != nil {
			return err
		}
	}
	return nil
}

// around fills in the tokens that Encode puts around a text.
func (r *ggufReader) around(bos, eos bool) (err error) {
	s := &r.v.specials
	for _, x := range []struct {
		key string
		add *bool
		def bool
		id  int32
		ids *[]int32
	}{
		{"tokenizer.ggml.add_bos_token", &s.AddBOS, bos, s.BOS, &r.v.prefix},
		{"tokenizer.ggml.add_eos_token", &s.AddEOS, eos, s.EOS, &r.v.suffix},
	} {
		if *x.add, err = r.flag(x.key, x.def); err != nil {
			return err
		}
		if *x.add && x.id < 0 {
			return badValue(x.key, "the vocabulary does not have a token that is to be added")
		}
		if *x.add {
			*x.ids = []int32{x.id}
		}
	}
	return nil
}
