package talk

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/test/families"
)

// letters are 48 tokens.
func letters() (tokens []string) {
	for c := 'a'; c <= 'z'; c++ {
		tokens = append(tokens, string(c))
	}
	for c := 'A'; len(tokens) < 48; c++ {
		tokens = append(tokens, string(c))
	}
	return tokens
}

// family writes a file of a family with tiny random weights, whose tokens are letters.
func family(t *testing.T, name string, more ...gguf.Pair) (path string) {
	t.Helper()
	all := families.All()
	f := all[slices.IndexFunc(all, func(f families.Family) bool { return f.Name == name })]
	data, err := f.With(append([]gguf.Pair{
		{Key: "tokenizer.ggml.model", Value: "gpt2"}, {Key: "tokenizer.ggml.pre", Value: "qwen2"},
		{Key: "tokenizer.ggml.tokens", Value: letters()}, {Key: "tokenizer.ggml.merges", Value: []string{}},
		{Key: "tokenizer.ggml.eos_token_id", Value: uint32(47)}, {Key: "tokenizer.ggml.add_bos_token", Value: false},
	}, more...)...).Encode()
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), "model.gguf")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// A file of another family than this repository's models is talked to with its own
// tokenizer; the first token is the one that llama.cpp's logits choose.
func TestFile(t *testing.T) {
	recorded, err := families.Recorded()
	require.NoError(t, err)
	tokens := letters()
	prompt := ""
	for _, id := range recorded.Prompt {
		prompt += tokens[id]
	}
	for _, name := range []string{"qwen2", "mixtral-q8_0", "gpt2"} {
		t.Run(name, func(t *testing.T) {
			path := family(t, name)
			var stdout, stderr bytes.Buffer
			args := []string{path, "--prompt", prompt, "--tokens=4", "--context=64", "--json"}
			require.Zero(t, command.Run(context.Background(), NewFileCommand(), args, &stdout, &stderr), stderr.String())
			lines := strings.Split(stdout.String(), "\n")
			var got figures
			require.NoError(t, json.Unmarshal([]byte(lines[1]), &got))
			logits := recorded.Cases[name].Logits[len(recorded.Prompt)-1]
			best := 0
			for i, v := range logits {
				if v > logits[best] {
					best = i
				}
			}
			require.Equal(t, len(recorded.Prompt), got.Prompt)
			require.Len(t, got.Tokens, 4)
			require.EqualValues(t, best, got.Tokens[0])
			require.Equal(t, got.Text, lines[0])
		})
	}
}
