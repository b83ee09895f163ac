package tokenizer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestWhisperTokens(t *testing.T) {
	tok := tiny(t)
	w, err := NewWhisper(tok)
	require.NoError(t, err)
	require.Equal(t, []int32{600, 601, 605, 604, 607, 608, 609, 610}, []int32{
		w.EndOfText, w.StartOfTranscript, w.Transcribe, w.Translate, w.StartOfPrev, w.NoSpeech, w.NoTimestamps, w.FirstTimestamp,
	})
	require.False(t, w.Multilingual)
	require.Equal(t, 610+1501, tok.Size())
}

func TestWhisperTimestamps(t *testing.T) {
	tok := tiny(t)
	w, err := NewWhisper(tok)
	require.NoError(t, err)
	for _, tt := range []struct {
		name    string
		seconds float64
	}{{"<|0.00|>", 0}, {"<|0.02|>", 0.02}, {"<|1.08|>", 1.08}, {"<|29.98|>", 29.98}, {"<|30.00|>", 30}} {
		id, ok := tok.ID(tt.name)
		require.True(t, ok, tt.name)
		require.True(t, tok.Special(id))
		require.InDelta(t, tt.seconds, float64(id-w.FirstTimestamp)/50, 1e-9, "50 tokens per second")
	}
	text, err := tok.Text([]int32{w.FirstTimestamp + 50, 0, w.EndOfText}, true)
	require.NoError(t, err)
	require.Equal(t, "<|1.00|>!<|endoftext|>", text)
}

func TestWhisperLanguageAndPrompt(t *testing.T) {
	tok := tiny(t)
	w, err := NewWhisper(tok)
	require.NoError(t, err)
	de, ok := w.Language("de")
	require.True(t, ok)
	require.Equal(t, int32(603), de)
	for _, code := range []string{"", "xx", "transcribe", "startoflm", "0.00"} {
		_, ok := w.Language(code)
		require.False(t, ok, code)
	}
	english, err := w.Prompt("", false)
	require.NoError(t, err)
	require.Equal(t, []int32{601, 609}, english)

	w.Multilingual = true
	german, err := w.Prompt("de", true)
	require.NoError(t, err)
	require.Equal(t, []int32{601, 603, 605}, german)
	_, err = w.Prompt("xx", true)
	require.Equal(t, CodeWhisper, errs.CodeOf(err))
}

// The size alone tells a multilingual vocabulary; fillers stand for its text tokens.
func TestWhisperMultilingualBySize(t *testing.T) {
	specials := "<|endoftext|> <|startoftranscript|> <|en|> <|translate|> <|transcribe|> <|startofprev|> <|nospeech|> <|notimestamps|>"
	for size, want := range map[int]bool{51864: false, 51865: true, 51866: true} {
		var lines []string
		for i := range size - 1501 - 8 {
			lines = append(lines, "x"+strings.Repeat("y", i%200)+string(rune(0x4E00+i/200)))
		}
		lines = append(lines, strings.Fields(specials)...)
		tok, err := Parse([]byte(strings.Join(lines, "\n")))
		require.NoError(t, err)
		require.Equal(t, size, tok.Size())
		w, err := NewWhisper(tok)
		require.NoError(t, err)
		require.Equal(t, want, w.Multilingual)
	}
}

func TestNewWhisperRefusesOthers(t *testing.T) {
	for _, file := range []string{
		"a\nb\n", // none of the tokens
		"<|endoftext|>\n<|startoftranscript|>\n<|transcribe|>\n<|translate|>\n<|startofprev|>\n<|nospeech|>\n<|notimestamps|>\nx\n", // no timestamps
		"<|0.00|>\n<|endoftext|>\n<|startoftranscript|>\n<|transcribe|>\n<|translate|>\n<|startofprev|>\n<|nospeech|>\n<|notimestamps|>\n",
	} {
		tok, err := Parse([]byte(file))
		require.NoError(t, err)
		_, err = NewWhisper(tok)
		require.Equal(t, CodeWhisper, errs.CodeOf(err), "%v", err)
	}
}
