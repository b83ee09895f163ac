package generatetest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/gguf"
)

// Weights writes a GGUF file without tensors whose byte-level tokenizer has as many
// tokens as the program: a to z are 0 to 25, <s> is 26, </s> 27, <end_of_turn> 28, a
// space 29, the two bytes of é 30 and 31. more are other keys.
func Weights(t *testing.T, more ...gguf.Pair) string {
	t.Helper()
	var tokens []string
	for c := 'a'; c <= 'z'; c++ {
		tokens = append(tokens, string(c))
	}
	tokens = append(tokens, "<s>", "</s>", "<end_of_turn>", "Ġ", "Ã", "©")
	for c := 'A'; len(tokens) < Vocabulary; c++ {
		tokens = append(tokens, string(c))
	}
	kinds := make([]int32, Vocabulary)
	for i := range kinds {
		if kinds[i] = 1; strings.HasPrefix(tokens[i], "<") {
			kinds[i] = 3
		}
	}
	path := filepath.Join(t.TempDir(), "model.gguf")
	_, err := gguf.Write(path, append([]gguf.Pair{
		{Key: "general.architecture", Value: "small"},
		{Key: "small.context_length", Value: uint32(Context)},
		{Key: "tokenizer.ggml.model", Value: "gpt2"},
		{Key: "tokenizer.ggml.pre", Value: "default"},
		{Key: "tokenizer.ggml.tokens", Value: tokens},
		{Key: "tokenizer.ggml.token_type", Value: kinds},
		{Key: "tokenizer.ggml.merges", Value: []string{}},
		{Key: "tokenizer.ggml.bos_token_id", Value: uint32(26)},
		{Key: "tokenizer.ggml.eos_token_id", Value: uint32(27)},
		{Key: "tokenizer.ggml.add_bos_token", Value: true},
	}, more...), nil, gguf.Options{})
	require.NoError(t, err)
	return path
}

// Template is the key of a chat template.
func Template(source string) gguf.Pair {
	return gguf.Pair{Key: "tokenizer.chat_template", Value: source}
}
