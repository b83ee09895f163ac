package embedding

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/test/families"
)

// encoder writes a GGUF file of a small encoder whose words are letters, and returns the
// text that has the recorded prompt's tokens.
func encoder(t *testing.T, name string) (file, text string, vector []float32) {
	t.Helper()
	recorded, err := families.Recorded()
	require.NoError(t, err)
	prompt := recorded.Prompt
	var tokens []string
	for i := range 48 {
		tokens = append(tokens, "▁"+string(rune('a'+i/2))+strings.Repeat("x", i%2))
	}
	first, last := prompt[0], prompt[len(prompt)-1]
	for _, id := range prompt[1 : len(prompt)-1] {
		require.NotEqual(t, first, id)
		require.NotEqual(t, last, id)
		text += strings.TrimPrefix(tokens[id], "▁") + " "
	}
	tokens[first], tokens[last] = "[CLS]", "[SEP]"
	free := slices.IndexFunc(tokens, func(s string) bool { return !strings.Contains(text, strings.TrimPrefix(s, "▁")+" ") && s[0] != '[' })
	tokens[free] = "[UNK]"
	all := families.Encoders()
	f := all[slices.IndexFunc(all, func(f families.Family) bool { return f.Name == name })]
	data, err := f.With(
		gguf.Pair{Key: "tokenizer.ggml.model", Value: "bert"}, gguf.Pair{Key: "tokenizer.ggml.tokens", Value: tokens},
		gguf.Pair{Key: "tokenizer.ggml.bos_token_id", Value: uint32(first)}, gguf.Pair{Key: "tokenizer.ggml.seperator_token_id", Value: uint32(last)},
		gguf.Pair{Key: "tokenizer.ggml.unknown_token_id", Value: uint32(free)}, gguf.Pair{Key: "tokenizer.ggml.padding_token_id", Value: uint32(free)},
		gguf.Pair{Key: "tokenizer.ggml.mask_token_id", Value: uint32(free)},
	).Encode()
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), "model.gguf")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file, text, recorded.Cases[name].Vectors[0]
}

// A GGUF file is embedded with its own tokenizer; the vectors are llama.cpp's.
func TestModel(t *testing.T) {
	for name, more := range map[string][]string{"bert": nil, "bert-cls": nil, "nomic-bert": {"--positions=64"}} {
		t.Run(name, func(t *testing.T) {
			file, text, want := encoder(t, name)
			vector := func(args ...string) []float32 {
				t.Helper()
				var out, stderr bytes.Buffer
				args = append(append(args, more...), "--json", "--model", file)
				require.Zero(t, command.Run(t.Context(), NewProgramCommand(&program.Parts{}), args, &out, &stderr), stderr.String())
				require.Empty(t, stderr.String())
				var got report
				require.NoError(t, json.Unmarshal(out.Bytes(), &got))
				return got.Embeddings[0]
			}
			require.InDeltaSlice(t, want, vector(text), 1e-4)
			words := strings.SplitAfterN(text, " ", 2)
			require.InDeltaSlice(t, want, vector(words[1], "--prefix", words[0]), 1e-4)
			require.NotEqual(t, want, vector(words[1]))

			// skainet embed takes the file as its first argument.
			var out, stderr bytes.Buffer
			args := append([]string{file, text, "--json"}, more...)
			require.Zero(t, command.Run(t.Context(), NewFileCommand(), args, &out, &stderr), stderr.String())
			var got report
			require.NoError(t, json.Unmarshal(out.Bytes(), &got))
			require.InDeltaSlice(t, want, got.Embeddings[0], 1e-4)
		})
	}
}

func TestModelRefused(t *testing.T) {
	file, text, _ := encoder(t, "nomic-bert")
	plain := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(plain, []byte("text"), 0o600))
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--model", file, text}, 1, "give the number of positions"},
		{[]string{"--model", file, "--positions=2", text}, 1, "BERT_POSITIONS"},
		{[]string{"--model", file, "--positions=64", "--backend=tpu", text}, 1, "EVAL_BACKEND"},
		{[]string{"--model", plain, text}, 1, "MODELFILE_UNKNOWN"},
		{[]string{"--model", "../../../rules/tests/onnx/encoder.onnx", text}, 2, "name its tokenizer.json with --tokenizer"},
		{[]string{"--model", file, "--program=x", text}, 2, "USAGE"},
		{[]string{"--prefix=a", "--prompt=b", text}, 2, "USAGE"},
	} {
		var out, stderr bytes.Buffer
		require.Equal(t, c.status, command.Run(t.Context(), NewProgramCommand(&program.Parts{}), c.args, &out, &stderr), stderr.String())
		require.Contains(t, stderr.String(), c.says)
		require.Empty(t, out.String())
	}
}
