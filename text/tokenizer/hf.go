package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/jsonlimit"
)

// hfFile is a tokenizer.json of Hugging Face's tokenizers. Truncation and padding are
// for batches and are ignored.
type hfFile struct {
	AddedTokens   hfAddedTokens `json:"added_tokens"`
	Normalizer    *hfPart
	PreTokenizer  *hfPart `json:"pre_tokenizer"`
	PostProcessor *hfPart `json:"post_processor"`
	Decoder       *hfPart
	Model         *hfModel
}

type hfAdded struct {
	ID         *int32
	Content    *string
	Special    bool
	SingleWord bool `json:"single_word"`
	LStrip     bool
	RStrip     bool
	Normalized bool
}

type hfModel struct {
	Type         string
	Vocab        json.RawMessage
	Merges       hfMerges
	Unknown      *string `json:"unk_token"`
	Prefix       *string `json:"continuing_subword_prefix"`
	Suffix       *string `json:"end_of_word_suffix"`
	Longest      *int    `json:"max_input_chars_per_word"`
	Dropout      *float64
	ByteFallback bool `json:"byte_fallback"`
	FuseUnknown  bool `json:"fuse_unk"`
	IgnoreMerges bool `json:"ignore_merges"`
}

// hfPart is a component; which fields it has depends on its type.
type hfPart struct {
	Type string

	Normalizers   hfParts // of a Sequence of normalizers
	Pretokenizers hfParts
	Processors    hfParts
	Decoders      hfParts

	Pattern  struct{ String, Regex *string } // of Split
	Behavior string
	Invert   bool

	AddPrefixSpace *bool `json:"add_prefix_space"` // of ByteLevel
	UseRegex       *bool `json:"use_regex"`
	Individual     bool  `json:"individual_digits"` // of Digits

	CleanText    *bool `json:"clean_text"` // of BertNormalizer
	Chinese      *bool `json:"handle_chinese_chars"`
	StripAccents *bool `json:"strip_accents"`
	Lowercase    *bool

	Single  hfPieces                         // of TemplateProcessing
	Special map[string]struct{ IDs []int32 } `json:"special_tokens"`

	Prefix  *string // of WordPiece as a decoder
	Cleanup *bool

	CLS []any // of BertProcessing and RobertaProcessing: a token and its id
	SEP []any
}

// hfPiece is a part of a template.
type hfPiece struct {
	SpecialToken *struct{ ID string }
	Sequence     *struct{ ID string }
}

// hfReader makes a vocabulary of a file.
type hfReader struct {
	f hfFile
	v *vocabulary
}

// unlike is the error for a component that this reader does not support.
func unlike(where, what string, args ...any) *errs.Error {
	return errs.New(CodeModel, what, args...).On(where).
		Hint("this reader supports byte-level BPE, as in GPT-2 and Whisper, and BERT's WordPiece")
}

// parseJSON reads a tokenizer.json.
func parseJSON(data []byte) (*vocabulary, error) {
	r := new(hfReader)
	if at := jsonlimit.Exceeds(data, maxNesting, math.MaxInt); at >= 0 {
		return nil, errs.New(CodeSyntax, "values nested more than %d deep", maxNesting).At(int64(at)).
			Hint("the file is not a tokenizer.json of a model")
	}
	if err := json.Unmarshal(data, &r.f); err != nil {
		return nil, jsonError(err)
	}
	r.f.Normalizer = r.f.Normalizer.simple()
	m := r.f.Model
	switch {
	case m == nil:
		return nil, unlike("model", "no model")
	case m.Type != "BPE" && m.Type != "WordPiece":
		return nil, unlike("model.type", "a tokenizer of type %q", m.Type)
	case len(m.Vocab) == 0:
		return nil, unlike("model.vocab", "no vocabulary")
	}
	build := r.bpe
	if m.Type == "WordPiece" {
		build = r.wordPiece
	} else if err := r.likeGPT2(); err != nil {
		return nil, err
	}
	if err := r.vocab(len(data)); err != nil {
		return nil, err
	}
	if err := build(); err != nil {
		return nil, err
	}
	if err := r.template(r.f.PostProcessor, "post_processor"); err != nil {
		return nil, err
	}
	r.specials()
	return r.v, nil
}

// likeGPT2 refuses BPE that is not byte-level.
func (r *hfReader) likeGPT2() error {
	m := r.f.Model
	switch {
	case m.ByteFallback, m.Prefix != nil && *m.Prefix != "", m.Suffix != nil && *m.Suffix != "":
		return unlike("model", "BPE with byte fallback, a prefix or a suffix")
	case m.Dropout != nil && *m.Dropout != 0:
		return unlike("model.dropout", "BPE with dropout, which is for training")
	case r.f.Decoder == nil || !r.f.Decoder.byteLevel():
		return unlike("decoder", "the decoder is not ByteLevel")
	}
	return nil
}

// simple returns the only part of a Sequence of normalizers, nil for an empty one, which
// does nothing, and any other normalizer as it is.
func (p *hfPart) simple() *hfPart {
	if p == nil || p.Type != "Sequence" {
		return p
	}
	var parts hfParts
	for i := range p.Normalizers {
		if part := p.Normalizers[i].simple(); part != nil {
			parts = append(parts, *part)
		}
	}
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return &parts[0]
	}
	p.Normalizers = parts
	return p
}

// byteLevel reports whether a decoder is ByteLevel or a sequence of it alone.
func (p *hfPart) byteLevel() bool {
	return p.Type == "ByteLevel" || p.Type == "Sequence" && len(p.Decoders) == 1 && p.Decoders[0].byteLevel()
}

// vocab reads the tokens of the model and the added ones.
func (r *hfReader) vocab(size int) error {
	v := newVocab(size)
	if err := v.parseMap(r.f.Model.Vocab); err != nil {
		return err
	}
	trim := map[int32]sides{}
	for i, a := range r.f.AddedTokens {
		where := fmt.Sprintf("added_tokens[%d]", i)
		switch {
		case a.ID == nil || a.Content == nil:
			return errs.New(CodeSyntax, "an added token without id or content").On(where)
		case a.SingleWord:
			return unlike(where+".single_word", "an added token with single_word")
		case a.Normalized && !a.Special && r.f.Normalizer != nil:
			return unlike(where+".normalized", "an added token that is matched after the normalizer")
		}
		if _, own := v.byName[*a.Content]; !own {
			v.beside[*a.ID] = true
		}
		if err := v.add(*a.ID, *a.Content); err != nil {
			return err.On(where)
		}
		v.added[*a.ID] = true
		if a.Special {
			v.special[*a.ID] = true
		}
		if a.LStrip || a.RStrip {
			trim[*a.ID] = sides{a.LStrip, a.RStrip}
		}
	}
	var err error
	if r.v, err = v.build(); err != nil {
		return err
	}
	r.v.trim = trim
	return nil
}

func jsonError(err error) error {
	if errs.CodeOf(err) != "" {
		return err
	}
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

// sides are the sides of a token at which it strips white space.
type sides struct{ left, right bool }

// trimmed is a text without the white space that neighbouring tokens strip.
func (v *vocabulary) trimmed(text string, parts []fragment, i int) string {
	if len(v.trim) == 0 {
		return text
	}
	if i > 0 && v.trim[parts[i-1].id].right {
		text = strings.TrimLeftFunc(text, isSpace)
	}
	if i+1 < len(parts) && v.trim[parts[i+1].id].left {
		text = strings.TrimRightFunc(text, isSpace)
	}
	return text
}

// specials finds the special tokens by their names and by the template.
func (r *hfReader) specials() {
	s := &r.v.specials
	name := func(names ...string) int32 {
		for _, n := range names {
			if id := r.v.find(n); id >= 0 {
				return id
			}
		}
		return -1
	}
	s.SEP, s.PAD, s.Mask = name("[SEP]"), name("[PAD]", "<pad>"), name("[MASK]", "<mask>")
	if u := r.f.Model.Unknown; u != nil {
		s.Unknown = name(*u)
	}
	if r.f.Model.Type == "WordPiece" {
		s.BOS = name("[CLS]")
		return // nothing is generated with it
	}
	s.BOS = name("<|begin_of_text|>", "<s>", "<bos>", "<|startoftext|>", "<|im_start|>", "<|endoftext|>")
	s.EOS = name("<|end_of_text|>", "</s>", "<eos>", "<|im_end|>", "<|endoftext|>")
	s.AddBOS = len(r.v.prefix) > 0 && r.v.prefix[0] == s.BOS
	s.AddEOS = len(r.v.suffix) > 0 && r.v.suffix[0] == s.EOS
	r.v.stopsAmong()
}

// stopsAmong fills in EOT and Stop from the tokens that are special already.
func (v *vocabulary) stopsAmong() {
	kinds := append([]kind(nil), v.kinds...)
	v.findStops()
	v.kinds = kinds
}
