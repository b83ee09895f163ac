package tokenizer

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regex"
)

func is(flag *bool, def bool) bool {
	if flag == nil {
		return def
	}
	return *flag
}

// unknownToken finds the token for text that the vocabulary cannot spell.
func (r *hfReader) unknownToken() (int32, error) {
	u := r.f.Model.Unknown
	if u == nil {
		return -1, nil
	}
	id := r.v.find(*u)
	if id < 0 {
		return -1, unlike("model.unk_token", "%q is not a token", *u)
	}
	return id, nil
}

func (r *hfReader) bpe() error {
	m := r.f.Model
	b := newBPE(r.v.table, len(m.Merges))
	var err error
	if b.unknown, err = r.unknownToken(); err != nil {
		return err
	}
	b.whole, b.fuse, b.skip = m.IgnoreMerges, m.FuseUnknown, true
	for i, raw := range m.Merges {
		if err := addMerge(b, i, raw); err != nil {
			return err.On(fmt.Sprintf("model.merges[%d]", i)).Hint("the file is damaged; fetch it again")
		}
	}
	r.v.speller = byteSpeller{literal: true, made: b.makes(r.v)}
	if b.normalise, err = normaliser(r.f.Normalizer, "normalizer"); err != nil {
		return err
	}
	switch {
	case m.Merges == nil:
		r.v.why = "the file has no merges"
		return nil
	case r.f.PreTokenizer == nil:
		r.v.why = "the file has no pre_tokenizer"
		return nil
	}
	if err := b.preTokenizer(r.f.PreTokenizer, "pre_tokenizer"); err != nil {
		return err
	}
	r.v.encoder = b
	return nil
}

// addMerge takes both forms of a merge: "a b", and ["a", "b"] of newer files.
func addMerge(b *bpe, rank int, raw json.RawMessage) *errs.Error {
	var line string
	if json.Unmarshal(raw, &line) == nil {
		return b.mergeText(rank, line)
	}
	var two []string
	if json.Unmarshal(raw, &two) != nil || len(two) != 2 {
		return errs.New(CodeMerge, "merge %d is neither a text nor two texts", rank)
	}
	return b.addMerge(rank, two[0], two[1])
}

// normaliser composes the functions of a normalizer; nil for none.
func normaliser(p *hfPart, where string) (func(string) string, error) {
	if p == nil {
		return nil, nil
	}
	switch p.Type {
	case "Sequence":
		var all []func(string) string
		for i := range p.Normalizers {
			f, err := normaliser(&p.Normalizers[i], fmt.Sprintf("%s.normalizers[%d]", where, i))
			if err != nil {
				return nil, err
			}
			all = append(all, f)
		}
		return func(s string) string {
			for _, f := range all {
				s = f(s)
			}
			return s
		}, nil
	case "NFC":
		return normalForm(norm.NFC), nil
	case "NFD":
		return normalForm(norm.NFD), nil
	case "NFKC":
		return normalForm(norm.NFKC), nil
	case "NFKD":
		return normalForm(norm.NFKD), nil
	}
	return nil, unlike(where, "a normalizer of type %q", p.Type)
}

// preTokenizer adds the cutters of a pre-tokeniser.
func (m *bpe) preTokenizer(p *hfPart, where string) error {
	add := func(pattern string, matches, gaps bool) error {
		c, err := compile(pattern)
		if err != nil {
			return errs.Wrap(CodePattern, err, "the pattern cannot be used").On(where)
		}
		if m.code += c.Code(); m.code > regex.MaxCode {
			return errs.New(CodePattern, "all patterns together have more than %d instructions", regex.MaxCode).On(where)
		}
		m.cutters = append(m.cutters, cutter{c, matches, gaps})
		return nil
	}
	switch p.Type {
	case "Sequence":
		for i := range p.Pretokenizers {
			if err := m.preTokenizer(&p.Pretokenizers[i], fmt.Sprintf("%s.pretokenizers[%d]", where, i)); err != nil {
				return err
			}
		}
		return nil
	case "ByteLevel":
		if is(p.AddPrefixSpace, true) {
			if len(m.cutters) > 0 {
				return unlike(where, "a space before each word, where words are cut before")
			}
			m.space = true
		}
		if !is(p.UseRegex, true) {
			return nil
		}
		return add(gpt2Pattern, true, true)
	case "Digits":
		if p.Individual {
			return add(`\p{N}`, true, true)
		}
		return add(`\p{N}+`, true, true)
	case "Split":
		var pattern string
		switch {
		case p.Pattern.Regex != nil:
			pattern = *p.Pattern.Regex
		case p.Pattern.String != nil:
			pattern = regexp.QuoteMeta(*p.Pattern.String)
		default:
			return unlike(where+".pattern", "no pattern")
		}
		switch {
		case p.Behavior == "Isolated":
			return add(pattern, true, true)
		case p.Behavior == "Removed":
			return add(pattern, p.Invert, !p.Invert)
		}
		return unlike(where+".behavior", "a split with the behavior %q", p.Behavior)
	}
	return unlike(where, "a pre-tokeniser of type %q", p.Type)
}

func (r *hfReader) wordPiece() error {
	m := r.f.Model
	id, err := r.unknownToken()
	switch {
	case err != nil:
		return err
	case id < 0:
		return unlike("model.unk_token", "no unknown token")
	case r.f.PreTokenizer == nil || r.f.PreTokenizer.Type != "BertPreTokenizer":
		return unlike("pre_tokenizer", "WordPiece whose pre-tokeniser is not BERT's")
	}
	w := wordPiece{t: r.v.table, middle: "##", unknown: id, longest: 100}
	if m.Prefix != nil {
		w.middle = *m.Prefix
	}
	if m.Longest != nil {
		w.longest = *m.Longest
	}
	if n := r.f.Normalizer; n != nil {
		if n.Type != "BertNormalizer" {
			return unlike("normalizer", "WordPiece with a normalizer of type %q", n.Type)
		}
		lower := is(n.Lowercase, true)
		w.basic = basic{lower: lower, strip: is(n.StripAccents, lower), keep: !is(n.CleanText, true), chinese: is(n.Chinese, true)}
	} else {
		w.basic.keep = true
	}
	r.v.encoder = newWordPiece(w)
	s := wordSpeller{middle: w.middle}
	if d := r.f.Decoder; d != nil {
		if d.Type != "WordPiece" {
			return unlike("decoder", "WordPiece with a decoder of type %q", d.Type)
		}
		s.tidy = is(d.Cleanup, true)
	}
	r.v.speller = s
	return nil
}

// template reads the tokens that are put around a text.
func (r *hfReader) template(p *hfPart, where string) error {
	if p == nil {
		return nil
	}
	switch p.Type {
	case "ByteLevel": // only moves offsets
		return nil
	case "Sequence":
		for i := range p.Processors {
			if err := r.template(&p.Processors[i], fmt.Sprintf("%s.processors[%d]", where, i)); err != nil {
				return err
			}
		}
		return nil
	case "BertProcessing", "RobertaProcessing":
		for _, x := range []struct {
			pair []any
			to   *[]int32
			name string
		}{{p.CLS, &r.v.prefix, "cls"}, {p.SEP, &r.v.suffix, "sep"}} {
			id := -1.0
			if len(x.pair) == 2 {
				id, _ = x.pair[1].(float64)
			}
			if id != float64(int32(id)) || !r.v.has(int32(id)) {
				return badValue(where+"."+x.name, "not a token and its id")
			}
			*x.to = []int32{int32(id)}
		}
		return nil
	case "TemplateProcessing":
		return r.pieces(p, where)
	}
	return unlike(where, "a post-processor of type %q", p.Type)
}

func (r *hfReader) pieces(p *hfPart, where string) error {
	behind := false
	for i, x := range p.Single {
		at := fmt.Sprintf("%s.single[%d]", where, i)
		switch {
		case x.Sequence != nil:
			if behind {
				return unlike(at, "a template with the text twice")
			}
			behind = true
		case x.SpecialToken != nil:
			t, ok := p.Special[x.SpecialToken.ID]
			if !ok {
				return badValue(at, "special_tokens has no %q", x.SpecialToken.ID)
			}
			for _, id := range t.IDs {
				if !r.v.has(id) {
					return badValue(at, "id %d; the vocabulary has 0 to %d", id, r.v.Size()-1)
				}
			}
			if len(r.v.prefix)+len(r.v.suffix)+len(t.IDs) > maxAround {
				return errs.New(CodeTooLarge, "a template puts more than %d tokens around a text", maxAround).On(at)
			}
			if behind {
				r.v.suffix = append(r.v.suffix, t.IDs...)
			} else {
				r.v.prefix = append(r.v.prefix, t.IDs...)
			}
		default:
			return badValue(at, "neither a token nor the text")
		}
	}
	if !behind {
		return unlike(where+".single", "a template without the text")
	}
	return nil
}

// fromLines makes the vocabulary of a vocabulary.txt: BERT's where it has the
// tokens [UNK], [CLS] and [SEP], else of byte-level BPE, which only decodes.
func fromLines(v *vocab) (*vocabulary, error) {
	var bert [3]int32
	for i, n := range []string{"[UNK]", "[CLS]", "[SEP]"} {
		id, ok := v.byName[n]
		if !ok {
			out, err := v.build()
			if err != nil {
				return nil, err
			}
			out.speller, out.why = byteSpeller{}, "a vocabulary.txt has no merges"
			return out, nil
		}
		bert[i] = id
	}
	lower := true
	for name, id := range v.byName {
		if len(name) > 2 && name[0] == '[' && name[len(name)-1] == ']' {
			v.special[id] = v.special[id] || strings.ToUpper(name) == name && !strings.HasPrefix(name, "[unused")
		} else if strings.ToLower(name) != name {
			lower = false
		}
	}
	out, err := v.build()
	if err != nil {
		return nil, err
	}
	out.prefix, out.suffix = bert[1:2], bert[2:]
	s := &out.specials
	s.Unknown, s.BOS, s.SEP, s.PAD, s.Mask = bert[0], bert[1], bert[2], out.find("[PAD]"), out.find("[MASK]")
	out.encoder = newWordPiece(wordPiece{t: out.table, middle: "##", unknown: bert[0], longest: 100, basic: basic{lower: lower, strip: lower, chinese: true}})
	out.speller = wordSpeller{middle: "##", tidy: true}
	return out, nil
}
