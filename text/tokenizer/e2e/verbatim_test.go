//go:build integration

package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/test/tokenizers"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// A turn of a conversation, as the templates of these models write it: what a message
// spells are the tokens of llama.cpp for text without control tokens, and around it
// are those of the template. Of lines that spell none the ids are llama.cpp's for the
// whole turn at once.
func TestTurnsOfConversations(t *testing.T) {
	for variable, turn := range map[string][2]string{
		"GEMMA":   {"<start_of_turn>user\n", "<end_of_turn>\n<start_of_turn>model\n"},
		"SMOLLM2": {"<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"},
	} {
		file := path(t, variable)
		tok := open(t, file)
		// Templates trim. Of a line that begins so nothing is joined with the line end before it.
		var said, whole []string
		for _, line := range tokenizers.LinesOf(tok)[:3000] {
			if line = strings.TrimSpace(line); line != "" && line[0] < 0x80 && line[0] != '\'' {
				said = append(said, line)
				whole = append(whole, turn[0]+line+turn[1])
			}
		}
		literal := ask(t, "llama", file, said, "literal").IDs
		parsed := ask(t, "llama", file, whole).IDs
		around := ask(t, "llama", file, turn[:]).IDs
		spelled := 0
		for i, line := range said {
			at := len(turn[0])
			got, err := tok.EncodeWith(whole[i], tokenizer.Options{Verbatim: []tokenizer.Span{{Start: at, End: at + len(line)}}})
			require.NoError(t, err)
			require.Equal(t, slices.Concat(around[0], literal[i], around[1]), got, "%q", line)
			if len(tok.Controls(line)) == 0 {
				require.Equal(t, parsed[i], got, "%q", line)
			} else {
				spelled++
			}
		}
		require.Greater(t, spelled, 20)
		require.Greater(t, len(said)-spelled, 500)
	}
}
