package tokenizer

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
)

// set returns a change of one key; nil takes it away.
func set(key string, value any) func(pairs) {
	return func(p pairs) {
		if value == nil {
			delete(p, key)
			return
		}
		p[key] = value
	}
}

// at returns a change of one element.
func at[T any](key string, i int, value T) func(pairs) {
	return func(p pairs) {
		list := append([]T(nil), p[key].([]T)...)
		list[i] = value
		p[key] = list
	}
}

func TestFromGGUFRefuses(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name   string
		base   pairs
		change func(pairs)
		code   errs.Code
		where  string
	}{
		{"no_model", spm(t), set("model", nil), CodeMissingKey, keyModel},
		{"other_model", spm(t), set("model", "rwkv"), CodeModel, keyModel},
		{"no_tokens", spm(t), set("tokens", nil), CodeMissingKey, keyTokens},
		{"empty_tokens", pairs{"model": "llama", "tokens": []string{}}, func(pairs) {}, CodeBadValue, keyTokens},
		{"token_twice", spm(t), at("tokens", 300, "<s>"), CodeDuplicate, keyTokens + "[300]"},
		{"type_zero", spm(t), at("token_type", 5, int32(0)), CodeBadValue, keyTypes + "[5]"},
		{"type_seven", spm(t), at("token_type", 5, int32(7)), CodeBadValue, keyTypes + "[5]"},
		{"bos_outside", spm(t), set("bos_token_id", uint32(900)), CodeBadValue, "bos_token_id"},
		{"eos_outside", bpePairs(t, "gpt-2"), set("eos_token_id", uint32(1<<31)), CodeBadValue, "eos_token_id"},
		{"no_scores", spm(t), set("scores", nil), CodeMissingKey, keyScores},
		{"score_nan", spm(t), at("scores", 4, nan), CodeBadValue, keyScores + "[4]"},
		{"no_bytes", pairs{"model": "llama", "tokens": []string{"a"}, "scores": []float32{0}, "add_bos_token": false, "unknown_token_id": uint32(0)}, set("unknown_token_id", nil), "", ""},
		{"no_merges", bpePairs(t, "gpt-2"), set("merges", nil), CodeMissingKey, keyMerges},
		{"merge_of_one", bpePairs(t, "gpt-2"), at("merges", 7, "ab"), CodeMerge, keyMerges + "[7]"},
		{"merge_empty", bpePairs(t, "gpt-2"), at("merges", 7, ""), CodeMerge, keyMerges + "[7]"},
		{"merge_first_unknown", bpePairs(t, "gpt-2"), at("merges", 7, "€ a"), CodeMerge, keyMerges + "[7]"},
		{"merge_second_unknown", bpePairs(t, "gpt-2"), at("merges", 7, "a €"), CodeMerge, keyMerges + "[7]"},
		{"merge_to_nothing", bpePairs(t, "gpt-2"), at("merges", 7, "z ~"), CodeMerge, keyMerges + "[7]"},
		{"other_pre", bpePairs(t, "no-such"), func(pairs) {}, CodeModel, keyPre},
		{"bos_to_add_missing", pairs{"model": "gpt2", "tokens": []string{"a"}, "merges": []string{}, "add_bos_token": true}, func(pairs) {}, CodeBadValue, "add_bos_token"},
		{"flag_no_bool", spm(t), set("add_space_prefix", nil), "", ""},
		{"bert_no_unknown", pairs{"model": "bert", "tokens": []string{"a", "b"}, "bos_token_id": uint32(0), "seperator_token_id": uint32(1)}, func(pairs) {}, CodeBadValue, keyTokens},
		{"bert_no_sep", pairs{"model": "bert", "tokens": []string{"a", "b"}, "bos_token_id": uint32(0)}, func(pairs) {}, CodeBadValue, keyTokens},
		{"lower_no_bool", bertPairs(t), set("normalizer.lowercase", uint32(1)), gguf.CodeWrongType, "normalizer.lowercase"},
		{"strip_no_bool", bertPairs(t), set("normalizer.strip_accents", "yes"), gguf.CodeWrongType, "normalizer.strip_accents"},
		{"mask_no_number", bertPairs(t), set("mask_token_id", "x"), gguf.CodeWrongType, "mask_token_id"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.change(tt.base)
			tok, err := fromGGUF(t, tt.base)
			if tt.code == "" { // good, beside the bad ones
				require.NoError(t, err)
				require.NotNil(t, tok)
				return
			}
			require.Nil(t, tok)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.where)
		})
	}
}

// Without tokens for bytes what is unknown is the token for it.
func TestUnknownBytes(t *testing.T) {
	tok, err := fromGGUF(t, pairs{"model": "llama", "tokens": []string{"?", "a", "▁"}, "scores": []float32{0, 0, 0}, "add_bos_token": false, "unknown_token_id": uint32(0), "add_space_prefix": false})
	require.NoError(t, err)
	ids, err := tok.Encode("a é", true)
	require.NoError(t, err)
	require.Equal(t, []int32{1, 2, 0, 0}, ids)

	p := pairs{"model": "llama", "tokens": []string{"a", "b"}, "scores": []float32{0, 0}, "add_bos_token": false}
	tok, err = fromGGUF(t, p) // id 0 stands for the unknown where no key says
	require.NoError(t, err)
	require.EqualValues(t, 0, tok.Specials().Unknown)
}

// tokenizerJSON is wordpiece.json or tiny.json with a text replaced.
func TestTokenizerJSONRefuses(t *testing.T) {
	const good = `{"added_tokens":[%s],"normalizer":%s,"pre_tokenizer":%s,"post_processor":%s,"decoder":{"type":"ByteLevel"},` +
		`"model":{"type":"BPE","unk_token":%s,"vocab":{"a":0,"b":1,"ab":2},"merges":%s}}`
	const level = `{"type":"ByteLevel","add_prefix_space":false}`
	const bert = `{"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0}},"normalizer":%s,"pre_tokenizer":%s,"decoder":%s}`
	file := func(parts ...any) string {
		all := []any{"", "null", level, "null", "null", `["a b"]`}
		for i := 0; i < len(parts); i += 2 {
			all[parts[i].(int)] = parts[i+1]
		}
		return fmt.Sprintf(good, all...)
	}
	const added, normal, pre, post, unk, merges = 0, 1, 2, 3, 4, 5
	tok, err := Parse([]byte(file()))
	require.NoError(t, err)
	ids, err := tok.Encode("abba", true)
	require.NoError(t, err)
	require.Equal(t, []int32{2, 1, 0}, ids)

	split := func(pattern, more string) string {
		return `{"type":"Split","pattern":{"Regex":"` + pattern + `"},"behavior":"Isolated"` + more + `}`
	}
	for name, tt := range map[string]struct {
		file  string
		code  errs.Code
		where string
	}{
		"merge_text":         {file(merges, `["ab"]`), CodeMerge, "model.merges[0]"},
		"merge_three":        {file(merges, `["a b",["a","b","c"]]`), CodeMerge, "model.merges[1]"},
		"merge_unknown":      {file(merges, `[["a","c"]]`), CodeMerge, "model.merges[0]"},
		"merge_number":       {file(merges, `[1]`), CodeMerge, "model.merges[0]"},
		"unknown":            {file(unk, `"c"`), CodeModel, "model.unk_token"},
		"normalizer":         {file(normal, `{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Precompiled"}]}`), CodeModel, "normalizer.normalizers[1]"},
		"pre":                {file(pre, `{"type":"Sequence","pretokenizers":[{"type":"Whitespace"}]}`), CodeModel, "pre_tokenizer.pretokenizers[0]"},
		"pre_space_late":     {file(pre, `{"type":"Sequence","pretokenizers":[{"type":"Digits"},{"type":"ByteLevel"}]}`), CodeModel, "pre_tokenizer.pretokenizers[1]"},
		"split_bad":          {file(pre, split("(", "")), CodePattern, "pre_tokenizer"},
		"split_backwards":    {file(pre, split(`(?<=a)b`, "")), CodePattern, "pre_tokenizer"},
		"split_word":         {file(pre, split(`\\w+`, "")), CodePattern, "pre_tokenizer"},
		"split_class":        {file(pre, split(`[a[bc]]`, "")), CodePattern, "pre_tokenizer"},
		"split_intersection": {file(pre, split(`[a-z&&b]`, "")), CodePattern, "pre_tokenizer"},
		"split_begin":        {file(pre, split(`^a`, "")), CodePattern, "pre_tokenizer"},
		"split_empty_loop":   {file(pre, split(`(a?)*`, "")), CodePattern, "pre_tokenizer"},
		"split_long":         {file(pre, split(`(a{1000}){4}(ab{1000}){5}`, "")), CodePattern, "pre_tokenizer"},
		"split_many":         {file(pre, `{"type":"Sequence","pretokenizers":[`+strings.Repeat(split(`(ab|c){400}x`, "")+",", 4)+split("a", "")+`]}`), CodePattern, "pretokenizers[2]"},
		"split_none":         {file(pre, `{"type":"Split","pattern":{},"behavior":"Isolated"}`), CodeModel, "pre_tokenizer.pattern"},
		"split_behavior":     {file(pre, `{"type":"Split","pattern":{"String":"a"},"behavior":"Contiguous"}`), CodeModel, "pre_tokenizer.behavior"},
		"post":               {file(post, `{"type":"Sequence","processors":[{"type":"ByteLevel"},{"type":"Other"}]}`), CodeModel, "post_processor.processors[1]"},
		"post_no_id":         {file(post, `{"type":"RobertaProcessing","cls":["a",0],"sep":["b"]}`), CodeBadValue, "post_processor.sep"},
		"post_bad_id":        {file(post, `{"type":"BertProcessing","cls":["a",3],"sep":["b",1]}`), CodeBadValue, "post_processor.cls"},
		"template_no_text":   {file(post, `{"type":"TemplateProcessing","single":[]}`), CodeModel, "post_processor.single"},
		"template_twice":     {file(post, `{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A"}},{"Sequence":{"id":"A"}}]}`), CodeModel, "single[1]"},
		"template_unknown":   {file(post, `{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x"}}]}`), CodeBadValue, "single[0]"},
		"template_id":        {file(post, `{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x"}}],"special_tokens":{"x":{"ids":[9]}}}`), CodeBadValue, "single[0]"},
		"template_neither":   {file(post, `{"type":"TemplateProcessing","single":[{}]}`), CodeBadValue, "single[0]"},
		"added_word":         {file(added, `{"id":0,"content":"a","single_word":true}`), CodeModel, "added_tokens[0].single_word"},
		"added_normalized":   {file(added, `{"id":0,"content":"a","normalized":true}`, normal, `{"type":"NFC"}`), CodeModel, "added_tokens[0].normalized"},
		"dropout":            {strings.Replace(file(), `"unk_token"`, `"dropout":0.5,"unk_token"`, 1), CodeModel, "model.dropout"},
		"bert_pre":           {fmt.Sprintf(bert, "null", "null", "null"), CodeModel, "pre_tokenizer"},
		"bert_normalizer":    {fmt.Sprintf(bert, `{"type":"NFC"}`, `{"type":"BertPreTokenizer"}`, "null"), CodeModel, "normalizer"},
		"bert_decoder":       {fmt.Sprintf(bert, "null", `{"type":"BertPreTokenizer"}`, `{"type":"ByteLevel"}`), CodeModel, "decoder"},
	} {
		t.Run(name, func(t *testing.T) {
			tok, err := Parse([]byte(tt.file))
			require.Nil(t, tok)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.where)
		})
	}
	_, err = Parse(make([]byte, MaxBytes+1))
	require.Equal(t, CodeTooLarge, errs.CodeOf(err))
}

func TestEncodeRefuses(t *testing.T) {
	tok := tiny(t)
	for _, text := range []string{"ab\xff", "ab\xed\xa0\x80", "ab\xc3", "ab\xf4\x90\x80\x80"} {
		_, err := tok.Encode(text, false)
		require.Equal(t, CodeUTF8, errs.CodeOf(err))
		require.ErrorContains(t, err, "byte 2")
	}
	_, err := tok.Encode(strings.Repeat("a", MaxText+1), false)
	require.Equal(t, CodeTooLarge, errs.CodeOf(err))

	lines, err := Parse([]byte("a\nb\n"))
	require.NoError(t, err)
	_, err = lines.Encode("a", false)
	require.Equal(t, CodeDecodeOnly, errs.CodeOf(err))
	bare, err := Parse([]byte(hf(`{"a":0}`, "")))
	require.NoError(t, err)
	_, err = bare.Encode("a", false)
	require.Equal(t, CodeDecodeOnly, errs.CodeOf(err))
	require.ErrorContains(t, err, "merges")

	require.Equal(t, "a\uFFFD", lines.Decode([]int32{0, 7}))
	require.Equal(t, "\uFFFDb", lines.Decode([]int32{-1, 1}))
}

func FuzzFromGGUF(f *testing.F) {
	f.Add("llama", "a\x00b\x00ab\x00▁", "a b", []byte{1, 2, 3, 4}, "ab a\n", uint8(0))
	f.Add("gpt2", "a\x00b\x00ab\x00Ġ\x00<|im_end|>", "a b", []byte{1, 1, 1, 1, 3}, "ab <|im_end|>", uint8(4))
	f.Add("bert", "[CLS]\x00[SEP]\x00▁a\x00b", "", []byte{3, 3, 1, 1}, "Ab É", uint8(1))
	f.Add("t5", "<pad>\x00</s>\x00<unk>\x00▁a\x00b\x00▁ab", "", []byte{3, 3, 2, 1, 1, 4}, "Ab  a", uint8(1))
	f.Add("t5", "<pad>\x00</s>\x00<unk>\x00▁a\x00b", "", []byte{8, 0, 0, 0, 0, 4, 0, 0, 97, 5, 0, 0, 120, 0}, "a", uint8(1))
	f.Add("gemma4", "a\x00b\x00ab\x00▁\x00<0x0A>\x00\n\n", "a b", []byte{1, 1, 1, 1, 6}, "ab \n\n\n", uint8(0))
	f.Fuzz(func(t *testing.T, model, tokens, merges string, types []byte, text string, id uint8) {
		names := strings.Split(tokens, "\x00")
		p := pairs{"model": strings.ToValidUTF8(model, ""), "tokens": names, "merges": strings.Split(merges, "\x00"), "bos_token_id": uint32(id), "unknown_token_id": uint32(0), "seperator_token_id": uint32(id)}
		kinds, scores := make([]int32, len(names)), make([]float32, len(names))
		for i := range names {
			kinds[i], scores[i] = 1, float32(i%3)
			if i < len(types) {
				kinds[i] = int32(types[i])
			}
		}
		p["token_type"], p["scores"] = kinds, scores
		if len(types) > 8 {
			p["precompiled_charsmap"] = types
		}
		tok, err := fromGGUF(t, p)
		if err != nil {
			require.NotEmpty(t, errs.CodeOf(err))
			return
		}
		ids, err := tok.Encode(text, true)
		if err != nil {
			require.True(t, !utf8.ValidString(text) || errs.CodeOf(err) == CodeBadValue, "%v", err)
			return
		}
		s, streamed := tok.Stream(), ""
		for _, id := range ids {
			_, ok := tok.Token(id)
			require.True(t, ok)
			piece, err := s.Add(id)
			require.NoError(t, err)
			streamed += piece
		}
		streamed += s.Flush()
		all := tok.Decode(ids) // without the space that was put before the text
		require.Contains(t, []string{all, " " + all}, streamed)
	})
}
