//go:build integration

package e2e_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/rangetable"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/test/tokenizers"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// answer is what peers.py prints.
type answer struct {
	IDs     [][]int32
	Text    []string // of llama.cpp: what the ids stand for, in hexadecimal
	Decoded []string // of Hugging Face's
	Stop    []int32
	BOS     int32
	EOS     int32
	EOT     int32
	Seconds float64
}

func ask(t *testing.T, peer, file string, list []string, options ...string) answer {
	t.Helper()
	b, err := json.Marshal(list)
	require.NoError(t, err)
	lines := filepath.Join(t.TempDir(), "lines.json")
	require.NoError(t, os.WriteFile(lines, b, 0o644))
	cmd := exec.Command(path(t, "PYTHON"), append([]string{path(t, "PEERS"), peer, file, lines}, options...)...)
	var says strings.Builder
	cmd.Stderr = &says
	out, err := cmd.Output()
	require.NoError(t, err, says.String())
	var a answer
	require.NoError(t, json.Unmarshal(out, &a))
	require.Len(t, a.IDs, len(list))
	return a
}

func same(t *testing.T, list []string, want, got [][]int32) {
	t.Helper()
	for i := range list {
		if !slices.Equal(want[i], got[i]) {
			t.Fatalf("line %d, %q:\nwant %v\n got %v", i, list[i], want[i], got[i])
		}
	}
}

// agree compares a tokenizer with llama.cpp: ids, texts, special tokens.
func agree(t *testing.T, file string, tok tokenizer.Tokenizer, list []string, options ...string) answer {
	t.Helper()
	a := ask(t, "llama", file, list, options...)
	o := tokenizer.Options{Around: slices.Contains(options, "add"), Literal: slices.Contains(options, "literal")}
	same(t, list, a.IDs, encode(t, tok, list, o))
	return a
}

func TestLlamaCPP(t *testing.T) {
	for _, s := range tokenizers.Subjects[:2] {
		t.Run(s.Name, func(t *testing.T) {
			file := path(t, s.Variable)
			tok := open(t, file)
			list := tokenizers.LinesOf(tok)
			a := agree(t, file, tok, list)
			require.Equal(t, oracle(t, s.Name).Digests, tokenizers.Digests(a.IDs), "what is recorded is out of date")
			sp := tok.Specials()
			require.Equal(t, a.Stop, sp.Stop)
			require.Equal(t, []int32{a.BOS, a.EOS}, []int32{sp.BOS, sp.EOS})
			// Of several that no key tells apart llama.cpp takes what its hash table has first.
			require.Contains(t, a.Stop, sp.EOT)
			compared := 0
			for i, ids := range a.IDs {
				want, err := hex.DecodeString(a.Text[i])
				require.NoError(t, err)
				if utf8.Valid(want) {
					require.Equal(t, string(want), tok.Decode(ids), "%v", ids)
					compared++
				}
			}
			require.Greater(t, compared, 8000)
			agree(t, file, tok, list[:2000], "add")
			agree(t, file, tok, list[:2000], "literal")
		})
	}
}

// tokenizerOf copies the tokenizer of a GGUF file with other values.
func tokenizerOf(t *testing.T, file string, change map[string]any) string {
	t.Helper()
	f, err := gguf.Open(file)
	require.NoError(t, err)
	defer f.Close()
	var pairs []gguf.Pair
	for _, p := range f.Pairs() {
		if p.Key == "general.architecture" || strings.HasPrefix(p.Key, "tokenizer.ggml.") {
			if v, ok := change[p.Key]; ok {
				p.Value = v
			}
			pairs = append(pairs, p)
		}
	}
	out := filepath.Join(t.TempDir(), "tokenizer.gguf")
	_, err = gguf.Write(out, pairs, nil, gguf.Options{NoSync: true})
	require.NoError(t, err)
	return out
}

// Every pre-tokeniser of llama.cpp that cuts as the model's own file does.
func TestPreTokenizers(t *testing.T) {
	smol := path(t, "SMOLLM2")
	list := tokenizers.LinesOf(open(t, smol))[:1000]
	for _, pre := range []string{
		"default", "gpt-2", "smollm", "falcon", "llama-bpe", "dbrx", "minicpm5", "qwen2", "qwen35", "seed-coder", "bailingmoe",
		"deepseek-llm", "deepseek-coder", "deepseek-v3", "bloom", "viking", "exaone-moe", "jais-2", "laguna", "spark2_5", "ufakzeka", "youtu", "roberta-bpe", "glm4", "stablelm2",
	} {
		t.Run(pre, func(t *testing.T) {
			file := tokenizerOf(t, smol, map[string]any{"tokenizer.ggml.pre": pre})
			agree(t, file, open(t, file), list)
		})
	}
}

func TestSpacePrefix(t *testing.T) {
	gemma := path(t, "GEMMA")
	file := tokenizerOf(t, gemma, map[string]any{"tokenizer.ggml.add_space_prefix": true})
	tok := open(t, file)
	agree(t, file, tok, tokenizers.LinesOf(tok)[:2000], "add")
}

// everyCodePoint has each code point of the planes with characters in a word and by
// itself.
func everyCodePoint() []string {
	var list []string
	var b strings.Builder
	n := 0
	for r := rune(1); r < 0xE1000; r++ {
		if r == 0x32000 {
			r = 0xE0000
		}
		if !utf8.ValidRune(r) {
			continue
		}
		b.WriteString("a" + string(r) + "b " + string(r) + " ")
		if n++; n%40 == 0 {
			list = append(list, b.String())
			b.Reset()
		}
	}
	return append(list, b.String())
}

// MiniLM in both forms.
func TestWordPiece(t *testing.T) {
	file := path(t, "MINILM")
	tok := open(t, file)
	list := tokenizers.LinesOf(tok)
	a := ask(t, "hf", file, list, "add")
	same(t, list, a.IDs, encode(t, tok, list, tokenizer.Options{Around: true}))
	for i, ids := range a.IDs {
		require.Equal(t, a.Decoded[i], tok.Decode(ids), "%v", ids)
	}
	bare := ask(t, "hf", file, list)
	require.Equal(t, oracle(t, "minilm").Digests, tokenizers.Digests(bare.IDs), "what is recorded is out of date")
	all := everyCodePoint()
	same(t, all, ask(t, "hf", file, all).IDs, encode(t, tok, all, tokenizer.Options{}))

	as := bert(t, tok)
	other := open(t, as)
	agree(t, as, other, list, "add")
	agree(t, as, other, all)
}

// bert writes a WordPiece as llama.cpp's converter does.
func bert(t *testing.T, tok tokenizer.Tokenizer) string {
	var tokens []string
	var types []int32
	for id := range int32(tok.Size()) {
		name, _ := tok.Token(id)
		rest, middle := strings.CutPrefix(name, "##")
		types = append(types, 1)
		switch {
		case tok.Special(id):
			types[id] = 3
		case !middle:
			rest = "\u2581" + name
		}
		tokens = append(tokens, rest)
	}
	pairs := []gguf.Pair{
		{Key: "general.architecture", Value: "bert"}, {Key: "tokenizer.ggml.model", Value: "bert"},
		{Key: "tokenizer.ggml.tokens", Value: tokens}, {Key: "tokenizer.ggml.token_type", Value: types},
	}
	out := filepath.Join(t.TempDir(), "bert.gguf") // the ids of the special tokens are the usual ones
	_, err := gguf.Write(out, pairs, nil, gguf.Options{NoSync: true})
	require.NoError(t, err)
	return out
}

// newer tells of characters that Unicode 16 and 17 brought: patterns of Hugging
// Face's tokenizers know them.
var newer = func() func(string) bool {
	old, new := rangetable.Assigned("15.0.0"), rangetable.Assigned("17.0.0")
	return func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(new, r) && !unicode.Is(old, r) })
	}
}()

func without(list []string, unwanted func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(list), unwanted)
}

func TestWhisper(t *testing.T) {
	file := path(t, "WHISPER")
	tok := open(t, file)
	timestamp := regexp.MustCompile(`<\|\d`) // the file leaves these tokens out
	list := without(tokenizers.LinesOf(tok), func(s string) bool { return newer(s) || timestamp.MatchString(s) })
	require.Greater(t, len(list), 7000)
	a := ask(t, "hf", file, list, "add")
	same(t, list, a.IDs, encode(t, tok, list, tokenizer.Options{Around: true}))
	for i, ids := range a.IDs {
		require.Equal(t, a.Decoded[i], tok.Decode(ids), "%v", ids)
	}
}

// SmolLM2's tokens with components of other models' files.
func TestTokenizerJSON(t *testing.T) {
	smol := path(t, "SMOLLM2")
	f, err := gguf.Open(smol)
	require.NoError(t, err)
	defer f.Close()
	texts := func(key string) []string {
		v, err := f.Require(key)
		require.NoError(t, err)
		a, err := v.Array()
		require.NoError(t, err)
		all, err := gguf.Collect(a.Strings())
		require.NoError(t, err)
		return all
	}
	tokens, merges := texts("tokenizer.ggml.tokens"), texts("tokenizer.ggml.merges")
	vocab := map[string]int{}
	for id, name := range tokens {
		vocab[name] = id
	}
	type object = map[string]any
	var added []object
	for id, name := range tokens[:17] {
		added = append(added, object{"id": id, "content": name, "special": true, "single_word": false, "lstrip": id == 3, "rstrip": id == 4, "normalized": false})
	}
	level := func(prefix, regex bool) object {
		return object{"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": true, "use_regex": regex}
	}
	row := func(parts ...object) object { return object{"type": "Sequence", "pretokenizers": parts} }
	split := func(pattern, behavior string, invert bool) object {
		return object{"type": "Split", "pattern": object{"Regex": pattern}, "behavior": behavior, "invert": invert}
	}
	const (
		upper = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
		lower = `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
		short = `(?i:'s|'t|'re|'ve|'m|'ll|'d)`
		ends  = `|\s*[\r\n]+|\s+(?!\S)|\s+`
	)
	list := without(tokenizers.LinesOf(open(t, smol)), newer)
	require.Greater(t, len(list), 9000)
	for name, c := range map[string]struct {
		normalizer, pre object
		unknown         any
		ignore, fuse    bool
	}{
		"digits":  {nil, row(object{"type": "Digits", "individual_digits": true}, level(false, true)), tokens[0], false, false},
		"prefix":  {object{"type": "NFC"}, level(true, true), tokens[0], false, true},
		"llama 3": {nil, row(split(short+`|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*`+ends, "Isolated", false), level(false, false)), nil, true, false},
		"gpt-4o": {object{"type": "NFC"}, row(split(`[^\r\n\p{L}\p{N}]?`+upper+`*`+lower+`+`+short+`?|[^\r\n\p{L}\p{N}]?`+upper+`+`+lower+`*`+short+
			`?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*`+ends, "Isolated", false), level(false, false)), nil, false, false},
		"several": {object{"type": "Sequence", "normalizers": []object{{"type": "NFKC"}}},
			row(split(`\p{N}{1,3}`, "Isolated", false), split(`[一-龥぀-ゟ゠-ヿ]+`, "Isolated", false), level(false, true)), tokens[0], false, true},
		"removed": {object{"type": "NFKD"}, row(split(`\s+`, "Removed", false), split(`[\p{L}\d]+|[^\p{L}\d]`, "Removed", true), level(false, false)), nil, false, false},
		"string": {object{"type": "NFD"}, row(object{"type": "Digits", "individual_digits": false},
			object{"type": "Split", "pattern": object{"String": "."}, "behavior": "Isolated", "invert": false}, level(false, false)), nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := json.Marshal(object{
				"version": "1.0", "added_tokens": added, "normalizer": c.normalizer, "pre_tokenizer": c.pre, "decoder": level(true, true),
				"post_processor": object{"type": "TemplateProcessing",
					"single":         []object{{"SpecialToken": object{"id": "b", "type_id": 0}}, {"Sequence": object{"id": "A", "type_id": 0}}, {"SpecialToken": object{"id": "e", "type_id": 0}}},
					"pair":           []object{{"Sequence": object{"id": "A", "type_id": 0}}, {"Sequence": object{"id": "B", "type_id": 0}}},
					"special_tokens": object{"b": object{"id": "b", "ids": []int{1, 0}, "tokens": tokens[:2]}, "e": object{"id": "e", "ids": []int{2}, "tokens": tokens[2:3]}}},
				"model": object{"type": "BPE", "dropout": nil, "unk_token": c.unknown, "continuing_subword_prefix": nil, "end_of_word_suffix": nil,
					"fuse_unk": c.fuse, "byte_fallback": false, "ignore_merges": c.ignore, "vocab": vocab, "merges": merges},
			})
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "tokenizer.json")
			require.NoError(t, os.WriteFile(file, b, 0o644))
			same(t, list, ask(t, "hf", file, list, "add").IDs, encode(t, open(t, file), list, tokenizer.Options{Around: true}))
		})
	}
}

// Gemma's pieces in SentencePiece itself.
func TestSentencePiece(t *testing.T) {
	gemma := path(t, "GEMMA")
	f, err := gguf.Open(gemma)
	require.NoError(t, err)
	defer f.Close()
	array := func(key string) gguf.Array {
		v, err := f.Require("tokenizer.ggml." + key)
		require.NoError(t, err)
		a, err := v.Array()
		require.NoError(t, err)
		return a
	}
	tokens, err := gguf.Collect(array("tokens").Strings())
	require.NoError(t, err)
	scores, err := gguf.Collect(array("scores").Floats())
	require.NoError(t, err)
	types, err := gguf.Collect(array("token_type").Ints())
	require.NoError(t, err)
	types[3] = 2 // <unk>, which the file calls a control token
	b, err := json.Marshal(map[string]any{"tokens": tokens, "scores": scores, "types": types, "prefix": false})
	require.NoError(t, err)
	pieces := filepath.Join(t.TempDir(), "pieces.json")
	require.NoError(t, os.WriteFile(pieces, b, 0o644))

	tok := open(t, gemma)
	var controls []string
	for id, name := range tokens {
		if tok.Special(int32(id)) {
			controls = append(controls, name)
		}
	}
	list := without(tokenizers.LinesOf(tok), func(s string) bool {
		return strings.Contains(s, "\u2581") || slices.ContainsFunc(controls, func(c string) bool { return strings.Contains(s, c) })
	})
	require.Greater(t, len(list), 8000)
	same(t, list, ask(t, "sentencepiece", pieces, list).IDs, encode(t, tok, list, tokenizer.Options{}))
}
