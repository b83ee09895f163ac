package tokenizer

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// allocated returns the bytes that f takes from the heap.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func finderOf(t *testing.T, names ...string) *finder {
	table := newTable(len(names))
	var ids []int32
	for i, n := range names {
		require.Nil(t, table.add(n))
		ids = append(ids, int32(i))
	}
	return newFinder(table, ids)
}

// cutOneByOne is the order that longest has to keep to, as llama.cpp does it: each
// token, the longest first, is cut out of all that is still text.
func cutOneByOne(f *finder, text string, want func(fragment) bool) []fragment {
	parts := []fragment{{0, len(text), -1}}
	for _, i := range f.ordered {
		name, id := f.name(i), f.sorted[i]
		var out []fragment
		for _, p := range parts {
			for from := p.start; p.id < 0; {
				at := strings.Index(text[from:p.end], name)
				if at < 0 {
					break
				}
				found := fragment{from + at, from + at + len(name), id}
				if !want(found) {
					from = found.start + 1
					continue
				}
				if p.start < found.start {
					out = append(out, fragment{p.start, found.start, -1})
				}
				out = append(out, found)
				p.start, from = found.end, found.end
			}
			if p.start < p.end {
				out = append(out, p)
			}
		}
		parts = out
	}
	return parts
}

func TestLongestIsOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		b := make([]byte, 1+r.IntN(n))
		for i := range b {
			b[i] = "abc"[r.IntN(2+r.IntN(2))]
		}
		return string(b)
	}
	for range 3000 {
		names := map[string]bool{}
		for range 1 + r.IntN(12) {
			names[word(6)] = true
		}
		var list []string
		for n := range names {
			list = append(list, n)
		}
		f := finderOf(t, list...)
		text := word(60)
		want := func(p fragment) bool { return p.id%5 != 3 && p.start%7 != 2 && p.end%11 != 5 }
		steps := 1 << 20
		got := f.fragments(text, false, &steps, want)
		require.Empty(t, cmp.Diff(cutOneByOne(f, text, want), got, cmp.AllowUnexported(fragment{})), "%q in %q", list, text)
	}
}

// Many tokens of a user, each in the text: steps and memory grow with the text, and not
// with the text times the tokens.
func TestManyTokensOfAUser(t *testing.T) {
	var names []string
	for i := range 20000 {
		names = append(names, fmt.Sprintf("<%05d>", i))
	}
	f := finderOf(t, names...)
	text := strings.Join(names, "x")
	all := func(fragment) bool { return true }
	for _, leftmost := range []bool{false, true} {
		const budget = 1 << 40
		steps := budget
		var parts []fragment
		bytes := allocated(func() { parts = f.fragments(text, leftmost, &steps, all) })
		require.Len(t, parts, 2*len(names)-1)
		require.Less(t, budget-steps, 2*len(text))
		require.Less(t, bytes, uint64(200*len(text)))
	}
}

// Tokens that begin alike for thousands of bytes are not from a model.
func TestTokensThatBeginAlike(t *testing.T) {
	var names []string
	for n := 1; n <= 2500; n++ {
		names = append(names, strings.Repeat("a", n))
	}
	long := strings.Repeat("a", 5000)
	file := bpePairs(t, "gpt-2")
	tokens, types := file["tokens"].([]string), file["token_type"].([]int32)
	tokens, types = append([]string(nil), tokens...), append([]int32(nil), types...)
	for _, n := range names[100:] {
		tokens, types = append(tokens, n), append(types, 4)
	}
	file["tokens"], file["token_type"] = tokens, types
	tok, err := fromGGUF(t, file)
	require.NoError(t, err)
	_, err = tok.Encode(long, false)
	require.Equal(t, CodeCost, errs.CodeOf(err), "%v", err)
	for _, leftmost := range []bool{false, true} {
		steps := 1000
		require.Nil(t, finderOf(t, names...).fragments(long, leftmost, &steps, func(fragment) bool { return true }))
		require.Negative(t, steps)
	}
	// A place that has to wait for a shorter one, token by token.
	steps := 40000
	f := finderOf(t, append(names[:2000], strings.Repeat("a", 1500)+"c"+strings.Repeat("d", 900))...)
	require.Nil(t, f.fragments(strings.Repeat(strings.Repeat("a", 1999)+"c"+strings.Repeat("d", 900), 10), false, &steps, func(fragment) bool { return true }))
	require.Negative(t, steps)
}

// bertOf makes WordPiece of a vocabulary.
func bertOf(t *testing.T, longest int, names ...string) Tokenizer {
	vocab := map[string]int{"[UNK]": 0}
	for _, n := range names {
		vocab[n] = len(vocab)
	}
	data, err := json.Marshal(map[string]any{
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": longest, "vocab": vocab},
	})
	require.NoError(t, err)
	tok, err := Parse(data)
	require.NoError(t, err)
	return tok
}

// Both ways to the longest token give the same.
func TestWordPieceShortAndLongAgree(t *testing.T) {
	for _, tok := range []Tokenizer{
		bertOf(t, 1<<30, "a", "ab", "b", "##a", "##ab", "##ba", "##b", "##é", "é", "##éa", "#", "##"),
		must(fromGGUF(t, bertPairs(t))),
	} {
		m := tok.(*vocabulary).encoder.(*wordPiece)
		r := rand.New(rand.NewPCG(5, 6))
		letters := []string{"a", "b", "é", "e", "in", "un", "世", "#", "\u2581", "o"}
		for range 5000 {
			s := scratch{steps: 1 << 20}
			var text string
			for range 1 + r.IntN(20) {
				text += letters[r.IntN(len(letters))]
			}
			middle := []string{"", m.middle}[r.IntN(2)]
			id, n := m.lookUp(&s, middle, text)
			other, length := m.walk(&s, middle, text)
			require.Equal(t, id, other, "%q", text)
			require.Equal(t, n, length)
		}
	}
}

func must(t Tokenizer, err error) Tokenizer {
	if err != nil {
		panic(err)
	}
	return t
}

// A word as long as the text, in pieces of a vocabulary with a long token too, takes
// steps by its length.
func TestWordPieceIsNotCubic(t *testing.T) {
	word := strings.Repeat("ab", 100000)
	longest := "##" + strings.Repeat("c", 1<<16)
	tok := bertOf(t, 1<<30, "a", "##a", "##b", "##ab", "##bab", longest)
	m := tok.(*vocabulary).encoder.(*wordPiece)
	s := scratch{steps: 1 << 40}
	_ = m.all()
	var ids []int32
	bytes := allocated(func() { ids = m.encodeWord(&s, nil, []byte(word)) })
	require.Len(t, ids, 2+(len(word)-4)/2)
	require.Less(t, 1<<40-s.steps, 4*len(word))
	require.Less(t, bytes, uint64(40*len(word)))
	again, err := tok.Encode(word, false)
	require.NoError(t, err)
	require.Equal(t, ids, again)

	// Pieces that are looked for in vain for thousands of bytes are refused.
	_, err = bertOf(t, 1<<30, "a", "##a", "##"+strings.Repeat("a", 30000)+"b").Encode(strings.Repeat("a", 60000), false)
	require.Equal(t, CodeCost, errs.CodeOf(err), "%v", err)
	// A word of more characters than the file says is unknown.
	ids, err = bertOf(t, 100, "a", "##a").Encode(strings.Repeat("a", 1<<20), false)
	require.NoError(t, err)
	require.Equal(t, []int32{0}, ids)
}

// The steps of all parts of a text together are bounded.
func TestPatternSteps(t *testing.T) {
	parts := `{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"x"},"behavior":"Isolated"},` +
		`{"type":"Split","pattern":{"Regex":"(a|aa)+b"},"behavior":"Isolated"}]}`
	tok, err := Parse([]byte(`{"pre_tokenizer":` + parts + `,"decoder":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"a":0,"x":1},"merges":[]}}`))
	require.NoError(t, err)
	// Each part takes a few thousand steps, more than its bytes allow.
	_, err = tok.Encode(strings.Repeat("aaaaaaaaaaaaax", 500), false)
	require.Equal(t, CodeCost, errs.CodeOf(err), "%v", err)
}

// Files whose elements take far more memory than their bytes, or that make a text grow.
func TestTokenizerJSONBombs(t *testing.T) {
	many := func(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	const rest = `"decoder":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"a":0},"merges":[]}}`
	for name, tt := range map[string]struct {
		file string
		code errs.Code
	}{
		"parts":        {`{"normalizer":{"type":"Sequence","normalizers":[` + many(`{}`, 1<<18) + `]},` + rest, CodeTooLarge},
		"parts of one": {`{"normalizer":{"type":"Sequence","normalizers":[` + many(`{"type":"NFC"}`, maxParts+1) + `]},` + rest, CodeTooLarge},
		"part":         {`{"normalizer":{"type":"` + strings.Repeat("a", 2<<20) + `"},` + rest, CodeTooLarge},
		"pieces":       {`{"post_processor":{"type":"TemplateProcessing","single":[` + many(`{}`, maxPieces+1) + `]},` + rest, CodeTooLarge},
		"template": {`{"post_processor":{"type":"TemplateProcessing","single":[` + many(`{"SpecialToken":{"id":"x"}}`, 1000) + `,{"Sequence":{"id":"A"}}],` +
			`"special_tokens":{"x":{"ids":[` + many("0", 100000) + `]}}},` + rest, CodeTooLarge},
		"nested":     {`{"normalizer":` + strings.Repeat(`{"type":"Sequence","normalizers":[`, 100) + strings.Repeat(`]}`, 100) + `,` + rest, CodeSyntax},
		"quoted":     {`{"normalizer":"\"` + strings.Repeat(`[`, 100) + `",` + rest, CodeSyntax},
		"added":      {`{"added_tokens":[` + many(`{}`, maxAdded+1) + `],` + rest, CodeTooLarge},
		"merges":     {`{"decoder":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"a":0},"merges":[` + many(`0`, maxMerges+1) + `]}}`, CodeTooLarge},
		"merges {}":  {`{"decoder":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"a":0},"merges":{}}}`, CodeSyntax},
		"long regex": {`{"pre_tokenizer":{"type":"Split","pattern":{"Regex":"` + strings.Repeat(`\\s`, 100000) + `"},"behavior":"Isolated"},` + rest, CodePattern},
	} {
		var err error
		bytes := allocated(func() { _, err = Parse([]byte(tt.file)) })
		require.Equal(t, tt.code, errs.CodeOf(err), "%s: %v", name, err)
		require.Less(t, bytes, uint64(60*len(tt.file)+10<<20), name)
		require.Less(t, len(err.Error()), 2000, name)
	}
}

// A vocabulary.txt of lines of few bytes, which are as many tokens.
func TestLinesBomb(t *testing.T) {
	empty := []byte(strings.Repeat("\n", 1<<24))
	bytes := allocated(func() {
		_, err := Parse(empty)
		require.Equal(t, CodeDuplicate, errs.CodeOf(err))
	})
	require.Less(t, bytes, uint64(2*len(empty)))
	var many []byte
	for i := range maxTokens + 1 {
		many = append(strconv.AppendInt(many, int64(i), 36), '\n')
	}
	bytes = allocated(func() {
		_, err := Parse(many)
		require.Equal(t, CodeTooLarge, errs.CodeOf(err))
	})
	require.Less(t, bytes, uint64(512<<20))
}
