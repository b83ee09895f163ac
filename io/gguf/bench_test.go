package gguf

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// vocabulary writes a file with the metadata of a model of n tokens and 236
// tensors, about the shape of Gemma 3 270M.
func vocabulary(b *testing.B, n int) string {
	b.Helper()
	texts, scores, kinds := make([]string, n), make([]float32, n), make([]int32, n)
	for i := range texts {
		texts[i], scores[i], kinds[i] = fmt.Sprintf("▁token%d", i), float32(-i), 1
	}
	pairs := []Pair{
		{"general.architecture", "test"},
		{"tokenizer.ggml.tokens", texts}, {"tokenizer.ggml.scores", scores}, {"tokenizer.ggml.token_type", kinds},
	}
	var items []Item
	for i := range 236 {
		items = append(items, item(fmt.Sprintf("blk.%d.weight", i), tensor.TypeOf(dtype.F32, 64), quant.Dense, make([]byte, 256)))
	}
	path := b.TempDir() + "/v.gguf"
	_, err := Write(path, pairs, items, Options{NoSync: true})
	require.NoError(b, err)
	return path
}

// GemmaVariable names the file of BenchmarkOpen/Gemma.
const GemmaVariable = "SKAINET_GEMMA_GGUF"

// BenchmarkOpen opens a file, lists its tensors and closes it.
func BenchmarkOpen(b *testing.B) {
	open := func(b *testing.B, path string) {
		b.ReportAllocs()
		for b.Loop() {
			f, err := Open(path)
			if err != nil {
				b.Fatal(err)
			}
			if len(f.Tensors()) != 236 {
				b.Fatal(len(f.Tensors()))
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("262144 tokens", func(b *testing.B) { open(b, vocabulary(b, 262144)) })
	if path := os.Getenv(GemmaVariable); path != "" {
		b.Run("Gemma", func(b *testing.B) { open(b, path) })
	}
}

// BenchmarkTokens decodes the strings of a vocabulary.
func BenchmarkTokens(b *testing.B) {
	f, err := Open(vocabulary(b, 262144))
	require.NoError(b, err)
	defer f.Close()
	v, err := f.Require(keyTokens)
	require.NoError(b, err)
	a, err := v.Array()
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for s, err := range a.Strings() {
			if err != nil {
				b.Fatal(err)
			}
			n += len(s)
		}
		if n == 0 {
			b.Fatal("no text")
		}
	}
}
