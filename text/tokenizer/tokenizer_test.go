package tokenizer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// expectation is what Hugging Face's tokenizers decodes: see testdata/gen_tokenizer.py.
type expectation struct {
	IDs       []int32
	Text, All string
}

func tiny(t testing.TB) Tokenizer {
	t.Helper()
	tok, err := Load(filepath.Join("testdata", "tiny.json"))
	require.NoError(t, err)
	return tok
}

func expectations(t testing.TB) []expectation {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "tiny_expect.json"))
	require.NoError(t, err)
	var want []expectation
	require.NoError(t, json.Unmarshal(raw, &want))
	require.Len(t, want, 138)
	return want
}

// The match is exact, broken characters included.
func TestDecodeAgreesWithHuggingFace(t *testing.T) {
	tok := tiny(t)
	for i, w := range expectations(t) {
		for skip, want := range map[bool]string{true: w.Text, false: w.All} {
			got, err := tok.Text(w.IDs, !skip)
			require.NoError(t, err)
			if skip {
				require.Equal(t, got, tok.Decode(w.IDs))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("case %d, skip %v, ids %v: %s", i, skip, w.IDs, diff)
			}
		}
	}
}

func TestStreamGivesWhatDecodeGives(t *testing.T) {
	tok := tiny(t)
	for i, w := range expectations(t) {
		var b strings.Builder
		s := tok.Stream()
		for _, id := range w.IDs {
			piece, err := s.Add(id)
			require.NoError(t, err)
			b.WriteString(piece)
		}
		b.WriteString(s.Flush())
		require.Equal(t, w.Text, b.String(), "case %d", i)
		require.Empty(t, s.Flush())
	}
}

func TestStreamHoldsBackHalfACharacter(t *testing.T) {
	tok := tiny(t)
	s := tok.Stream()
	var got []string
	for _, b := range []string{"h", "ð", "Ł", "ĺ", "Ģ", "!", "ð", "Ł"} { // h, U+1F600, !, half of U+1F600
		id, ok := tok.ID(b)
		require.True(t, ok, b)
		piece, err := s.Add(id)
		require.NoError(t, err)
		got = append(got, piece)
	}
	require.Equal(t, []string{"h", "", "", "", "😀", "!", "", ""}, got)
	_, err := s.Add(-1)
	require.Equal(t, CodeID, errs.CodeOf(err))
	require.Equal(t, "\uFFFD", s.Flush())
}

func TestLoadLinesGivesTheSameTokens(t *testing.T) {
	want := tiny(t)
	var lines strings.Builder
	for id := range int32(want.Size()) {
		name, ok := want.Token(id)
		require.True(t, ok)
		fmt.Fprintln(&lines, name)
	}
	for _, text := range []string{lines.String(), strings.TrimSuffix(lines.String(), "\n"), strings.ReplaceAll(lines.String(), "\n", "\r\n")} {
		got, err := Parse([]byte(text))
		require.NoError(t, err)
		require.Equal(t, want.Size(), got.Size())
		for id := range int32(want.Size()) {
			a, _ := want.Token(id)
			b, _ := got.Token(id)
			require.Equal(t, a, b)
			require.Equal(t, want.Special(id), got.Special(id), a)
			require.Equal(t, want.Decode([]int32{id}), got.Decode([]int32{id}))
		}
	}
}

func TestTokenAndID(t *testing.T) {
	tok := tiny(t)
	for id := range int32(tok.Size()) {
		name, ok := tok.Token(id)
		require.True(t, ok)
		back, ok := tok.ID(name)
		require.True(t, ok)
		require.Equal(t, id, back)
		require.Equal(t, strings.HasPrefix(name, "<|") && strings.HasSuffix(name, "|>"), tok.Special(id), name)
	}
	for _, id := range []int32{-1, int32(tok.Size()), 1<<31 - 1} {
		_, ok := tok.Token(id)
		require.False(t, ok)
		require.False(t, tok.Special(id))
		_, err := tok.Text([]int32{0, id}, true)
		require.Equal(t, CodeID, errs.CodeOf(err))
	}
	_, ok := tok.ID("no such token")
	require.False(t, ok)
}

// hf wraps a vocabulary and added tokens as the smallest good tokenizer.json.
func hf(vocab, added string) string {
	return `{"added_tokens":[` + added + `],"decoder":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":` + vocab + `}}`
}

var badFiles = []struct {
	name, file string
	code       errs.Code
	where      string // a byte offset or a field path in the message
}{
	{"empty", "", CodeSyntax, "byte 0"},
	{"json_cut_at_once", "{", CodeSyntax, "byte 1"},
	{"json_cut", hf(`{"a":0}`, "")[:60], CodeSyntax, "byte 60"},
	{"json_two_values", hf(`{"a":0}`, "") + "{}", CodeSyntax, "byte 90"},
	{"json_no_model", `{}`, CodeModel, "model"},
	{"json_type_of_added", `{"added_tokens":{}}`, CodeSyntax, "added_tokens"},
	{"json_deep", `{"a":` + strings.Repeat("[", 20000), CodeSyntax, "byte"},
	{"model_wordpiece", `{"model":{"type":"WordPiece","vocab":{"a":0}}}`, CodeModel, "model.unk_token"},
	{"model_unigram", `{"model":{"type":"Unigram","vocab":{"a":0}}}`, CodeModel, "model.type"},
	{"model_byte_fallback", `{"model":{"type":"BPE","byte_fallback":true,"vocab":{"a":0}}}`, CodeModel, "model"},
	{"model_suffix", `{"model":{"type":"BPE","end_of_word_suffix":"</w>","vocab":{"a":0}}}`, CodeModel, "model"},
	{"model_no_decoder", `{"model":{"type":"BPE","vocab":{"a":0}}}`, CodeModel, "decoder"},
	{"model_metaspace", `{"decoder":{"type":"Metaspace"},"model":{"type":"BPE","vocab":{"a":0}}}`, CodeModel, "decoder"},
	{"vocab_none", `{"decoder":{"type":"ByteLevel"},"model":{"type":"BPE"}}`, CodeModel, "model.vocab"},
	{"vocab_array", hf(`["a"]`, ""), CodeSyntax, "model.vocab"},
	{"vocab_null", hf(`null`, ""), CodeSyntax, "model.vocab"},
	{"vocab_empty", hf(`{}`, ""), CodeGap, "model.vocab"},
	{"vocab_string_id", hf(`{"a":"0"}`, ""), CodeSyntax, "model.vocab"},
	{"vocab_object_id", hf(`{"a":{}}`, ""), CodeSyntax, "model.vocab"},
	{"vocab_fraction", hf(`{"a":0.5}`, ""), CodeSyntax, "model.vocab"},
	{"vocab_negative", hf(`{"a":-1}`, ""), CodeSyntax, "model.vocab"},
	{"vocab_id_too_big", hf(`{"a":4294967296}`, ""), CodeSyntax, "model.vocab"},
	{"vocab_id_claims_gigabytes", hf(`{"a":0,"b":2147483647}`, ""), CodeGap, "model.vocab"},
	{"vocab_gap", hf(`{"a":0,"b":2}`, ""), CodeGap, "model.vocab"},
	{"vocab_id_twice", hf(`{"a":0,"b":0}`, ""), CodeDuplicate, "model.vocab"},
	{"vocab_token_twice", hf(`{"a":0,"a":0}`, ""), CodeDuplicate, "model.vocab"},
	{"added_other_name", hf(`{"a":0}`, `{"id":0,"content":"b"}`), CodeDuplicate, "added_tokens[0]"},
	{"added_other_id", hf(`{"a":0,"b":1}`, `{"id":2,"content":"b"}`), CodeDuplicate, "added_tokens[0]"},
	{"added_no_id", hf(`{"a":0}`, `{"content":"b"}`), CodeSyntax, "added_tokens[0]"},
	{"added_negative", hf(`{"a":0}`, `{"id":-5,"content":"b"}`), CodeGap, "model.vocab"},
	{"lines_twice", "a\nb\na\n", CodeDuplicate, "line 3"},
	{"lines_no_utf8", "a\n\xff\n", CodeSyntax, "byte 2"},
	{"lines_binary", "GGUF\x03\x00\x00", CodeSyntax, "byte 0"},
}

func TestParseBadFiles(t *testing.T) {
	for _, tt := range badFiles {
		t.Run(tt.name, func(t *testing.T) {
			tok, err := Parse([]byte(tt.file))
			require.Nil(t, tok)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.where)
		})
	}
}

func TestLoadErrors(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.json"))
	require.Equal(t, CodeRead, errs.CodeOf(err))
	require.ErrorContains(t, err, "none.json")

	big := filepath.Join(t.TempDir(), "big.json")
	require.NoError(t, os.WriteFile(big, []byte("{"), 0o600))
	require.NoError(t, os.Truncate(big, MaxBytes+1)) // sparse
	_, err = Load(big)
	require.Equal(t, CodeTooLarge, errs.CodeOf(err))
	require.ErrorContains(t, err, "big.json")
}

func TestParseTellsJSONFromLines(t *testing.T) {
	_, err := Parse([]byte("{}\nx\n"))
	require.Equal(t, CodeSyntax, errs.CodeOf(err)) // an object with more after it
	tok, err := Parse([]byte("{\nx\n}\n"))
	require.NoError(t, err)
	require.Equal(t, 3, tok.Size())
}

// Table 3-8 of Unicode 15, section 3.9, shows how many replacements are due.
func TestLossyReplacesAsUnicodeSays(t *testing.T) {
	const r = "\uFFFD"
	tests := []struct{ in, want string }{
		{"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", "a" + r + r + r + "b" + r + "c" + r + r + "d"},
		{"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", strings.Repeat(r, 8) + "A"},
		{"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", strings.Repeat(r, 8) + "A"},
		{"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", strings.Repeat(r, 5) + "A" + r + r + "B"},
		{"\uFFFD stays", r + " stays"},
	}
	for _, tt := range tests {
		got, rest := lossy([]byte(tt.in), true)
		require.Equal(t, tt.want, got, "%x", tt.in)
		require.Empty(t, rest)
	}
}

func FuzzParse(f *testing.F) {
	for _, b := range badFiles {
		f.Add([]byte(b.file))
	}
	f.Add([]byte(hf(`{"a":0,"\u00f0":1}`, `{"id":2,"content":"<|notimestamps|>","special":true}`)))
	f.Add([]byte("a\nð\nŁ\n<|notimestamps|>\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		tok, err := Parse(file)
		if err != nil {
			if errs.CodeOf(err) == "" {
				t.Fatalf("an error without a code: %v", err)
			}
			return
		}
		ids := make([]int32, min(tok.Size(), 2000))
		s, streamed := tok.Stream(), strings.Builder{}
		for i := range ids {
			ids[i] = int32(tok.Size() - 1 - i)
			piece, err := s.Add(ids[i])
			if err != nil {
				t.Fatal(err)
			}
			streamed.WriteString(piece)
		}
		streamed.WriteString(s.Flush())
		all, err := tok.Text(ids, false)
		if err != nil || all != streamed.String() && " "+all != streamed.String() || !utf8.ValidString(all) {
			t.Fatalf("decoded %q, streamed %q, %v", all, streamed.String(), err)
		}
	})
}

func TestLoadRefusesWhatIsNoFile(t *testing.T) {
	for path, want := range map[string]string{t.TempDir(): "a folder", os.DevNull: "a device"} {
		_, err := Load(path)
		require.Equal(t, CodeRead, errs.CodeOf(err))
		require.ErrorContains(t, err, path+": not a regular file but "+want)
	}
}
