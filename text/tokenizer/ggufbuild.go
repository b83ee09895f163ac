package tokenizer

import (
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
)

func (r *ggufReader) sentencePiece() error {
	if err := r.ids(Specials{BOS: 1, EOS: 2, Unknown: 0, SEP: -1, PAD: -1, Mask: -1}); err != nil {
		return err
	}
	if err := r.around(true, false); err != nil {
		return err
	}
	scores, err := r.scores()
	if err != nil {
		return err
	}
	m := newSentencePiece(r.v.table, scores, r.v.specials.Unknown)
	for b, id := range m.octets {
		if id < 0 {
			return badValue(keyTokens, "neither a token for the byte 0x%02X nor an unknown token", b)
		}
	}
	if m.prefix, err = r.flag("tokenizer.ggml.add_space_prefix", true); err != nil {
		return err
	}
	r.v.encoder, r.v.speller, r.v.skipSpace = m, pieceSpeller{}, m.prefix
	return nil
}

// scores reads those of the tokens.
func (r *ggufReader) scores() ([]float32, error) {
	scores := make([]float32, r.v.Size())
	a, ok, err := r.array(keyScores, int64(r.v.Size()))
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, missing(keyScores)
	}
	i := 0
	for x, err := range a.Floats() {
		if err != nil {
			return nil, err
		}
		if math.IsNaN(x) {
			return nil, badValue(fmt.Sprintf("%s[%d]", keyScores, i), "the score is not a number")
		}
		scores[i] = float32(x)
		i++
	}
	return scores, nil
}

func (r *ggufReader) unigram() error {
	if err := r.ids(Specials{BOS: -1, EOS: 1, Unknown: 2, SEP: -1, PAD: 0, Mask: -1}); err != nil {
		return err
	}
	if err := r.around(false, true); err != nil {
		return err
	}
	m := unigram{t: r.v.table, kinds: r.v.kinds, unknown: r.v.specials.Unknown}
	if m.unknown < 0 {
		return badValue(keyTokens, "no unknown token")
	}
	var err error
	if m.scores, err = r.scores(); err != nil {
		return err
	}
	if m.prefix, err = r.flag("tokenizer.ggml.add_space_prefix", false); err != nil {
		return err
	}
	if m.merge, err = r.flag("tokenizer.ggml.remove_extra_whitespaces", false); err != nil {
		return err
	}
	if m.charmap, err = r.charmap(); err != nil {
		return err
	}
	r.v.encoder, r.v.speller, r.v.skipSpace = newUnigram(m), pieceSpeller{}, m.prefix
	return nil
}

// charmap reads the map of characters; nil where the file has none.
func (r *ggufReader) charmap() (*charmap, error) {
	a, ok, err := r.array(keyCharmap, -1)
	if err != nil || !ok || a.Len() == 0 {
		return nil, err
	}
	if a.Len() > MaxBytes {
		return nil, errs.New(CodeTooLarge, "the map of characters takes more than %d bytes", MaxBytes).On(keyCharmap)
	}
	data := make([]byte, 0, a.Len())
	for n, err := range a.Ints() {
		if err != nil {
			return nil, err
		}
		if n < -128 || n > 255 {
			return nil, badValue(keyCharmap, "the number %d is no byte", n)
		}
		data = append(data, byte(n))
	}
	return parseCharmap(data)
}

func (r *ggufReader) bpe() error {
	name, ok, err := text(r.m, keyPre)
	if err != nil {
		return err
	}
	if !ok {
		name = "default"
	}
	pre, err := preTokenizerOf(name)
	if err != nil {
		return err
	}
	if err := r.ids(Specials{BOS: 11, EOS: 11, Unknown: -1, SEP: -1, PAD: -1, Mask: -1}); err != nil {
		return err
	}
	if err := r.around(pre.addBOS, false); err != nil {
		return err
	}
	m, err := r.merges()
	if err != nil {
		return err
	}
	m.whole = pre.whole
	if m.cutters, err = cuttersOf(pre.patterns); err != nil {
		return err
	}
	r.v.encoder, r.v.speller = m, byteSpeller{literal: true}
	return nil
}

// merges reads those of a BPE.
func (r *ggufReader) merges() (*bpe, error) {
	a, ok, err := r.array(keyMerges, -1)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, missing(keyMerges)
	}
	m := newBPE(r.v.table, int(a.Len()))
	rank := 0
	for line, err := range a.Strings() {
		if err != nil {
			return nil, err
		}
		if err := m.mergeText(rank, line); err != nil {
			return nil, err.On(fmt.Sprintf("%s[%d]", keyMerges, rank)).Hint("convert the model again")
		}
		rank++
	}
	return m, nil
}

func (r *ggufReader) runeBPE() error {
	if err := r.ids(noSpecials()); err != nil {
		return err
	}
	if err := r.around(true, false); err != nil {
		return err
	}
	if s := &r.v.specials; s.BOS >= 0 { // whatever the file says, as llama.cpp has it
		s.AddBOS, r.v.prefix = true, []int32{s.BOS}
	}
	m, err := r.merges()
	if err != nil {
		return err
	}
	r.v.encoder, r.v.speller = newRuneBPE(m), pieceSpeller{}
	return nil
}

func (r *ggufReader) wordPiece() error {
	if err := r.ids(Specials{BOS: 101, EOS: -1, Unknown: 100, SEP: 102, PAD: 0, Mask: 103}); err != nil {
		return err
	}
	s := &r.v.specials
	switch {
	case s.BOS < 0 || s.SEP < 0:
		return badValue(keyTokens, "no tokens that begin and end a text")
	case s.Unknown < 0:
		return badValue(keyTokens, "no unknown token")
	}
	r.v.prefix, r.v.suffix = []int32{s.BOS}, []int32{s.SEP}
	lower, err := r.flag("tokenizer.ggml.normalizer.lowercase", true)
	if err != nil {
		return err
	}
	strip, err := r.flag("tokenizer.ggml.normalizer.strip_accents", lower)
	if err != nil {
		return err
	}
	r.v.encoder = newWordPiece(wordPiece{t: r.v.table, start: space, unknown: s.Unknown, basic: basic{lower: lower, strip: strip, chinese: true, gguf: true}})
	r.v.speller, r.v.skipSpace = pieceSpeller{}, true
	return nil
}
