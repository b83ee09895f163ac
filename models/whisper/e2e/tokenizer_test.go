//go:build integration

package e2e

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// real_decode.json has what Hugging Face's tokenizers decodes with these files;
// CTranslate2's vocabulary.txt must give the same texts.
func TestRealTokenizersDecodeLikeHuggingFace(t *testing.T) {
	var cases []struct {
		Model, Text, All string
		IDs              []int32
	}
	b, err := os.ReadFile(path(t, "REAL_DECODE"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &cases))
	for _, file := range []struct {
		model, variable string
		size            int
		multilingual    bool
	}{
		{"tiny.en", "TOKENIZER", 51864, false},
		{"tiny.en", "VOCABULARY", 51864, false},
		{"base", "BASE_TOKENIZER", 51865, true},
		{"base", "BASE_VOCABULARY", 51865, true},
	} {
		t.Run(file.variable, func(t *testing.T) {
			tok, err := tokenizer.Load(path(t, file.variable))
			require.NoError(t, err)
			require.Equal(t, file.size, tok.Size())
			n := 0
			for _, c := range cases {
				if c.Model != file.model {
					continue
				}
				n++
				text, err := tok.Text(c.IDs, false)
				require.NoError(t, err)
				require.Equal(t, c.Text, text, "%v", c.IDs)
				all, err := tok.Text(c.IDs, true)
				require.NoError(t, err)
				require.Equal(t, c.All, all, "%v", c.IDs)
			}
			require.Greater(t, n, 50, "real_decode.json has cases for each model")

			// The ids in OpenAI's code for these vocabularies.
			w, err := tokenizer.NewWhisper(tok)
			require.NoError(t, err)
			require.Equal(t, file.multilingual, w.Multilingual)
			ids, err := w.Prompt("en", false)
			require.NoError(t, err)
			if file.multilingual {
				require.Equal(t, []int32{50258, 50259, 50359, 50363}, ids)
				require.EqualValues(t, 50257, w.EndOfText)
			} else {
				require.Equal(t, []int32{50257, 50362}, ids)
				require.EqualValues(t, 50256, w.EndOfText)
			}
		})
	}
}
