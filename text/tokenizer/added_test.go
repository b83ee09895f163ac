package tokenizer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAddedTokensAreAsWritten compares the ids with those of Hugging Face's tokenizers
// (testdata/gen_added.py), and decodes them to the text: an added token never went
// through the alphabet of bytes, even if it is made of its letters.
func TestAddedTokensAreAsWritten(t *testing.T) {
	var cases []struct {
		Tokenizer string
		Texts     map[string][]int32
		Lost      string // a text with a byte for which the model has no token
	}
	read(t, "added.json", &cases)
	require.Len(t, cases, 10)
	for _, c := range cases {
		tok, err := Parse([]byte(c.Tokenizer))
		require.NoError(t, err)
		for text, ids := range c.Texts {
			got, err := tok.Encode(text, false)
			require.NoError(t, err)
			require.Equal(t, ids, got, text)
			if text == c.Lost {
				continue
			}
			if text == "e\u0301" { // composed by the normalizer
				text = "é"
			}
			require.Equal(t, text, tok.Decode(ids))
			s, streamed := tok.Stream(), ""
			for _, id := range ids {
				part, err := s.Add(id)
				require.NoError(t, err)
				streamed += part
			}
			require.Equal(t, text, streamed+s.Flush())
		}
	}
}

// A token of a user that merges make of a text's bytes too is those bytes.
func TestAddedTokenThatMergesMake(t *testing.T) {
	tok, err := Parse([]byte(`{"added_tokens":[{"id":3,"content":"Ã©"},{"id":4,"content":"é"}],"pre_tokenizer":{"type":"ByteLevel"},` +
		`"decoder":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"Ã":0,"©":1,"Ġ":2,"Ã©":3},"merges":["Ã ©"]}}`))
	require.NoError(t, err)
	require.Equal(t, "éé", tok.Decode([]int32{3, 4}))
}
