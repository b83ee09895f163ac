//go:build integration

package e2e

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// TestEmbed compares the directions of vectors with ONNX Runtime's. Both quantise to 8 bits
// as they run: ONNX Runtime's own vectors with and without its optimisations have cosines
// of 0.998. In f32 only the order of sums differs.
func TestEmbed(t *testing.T) {
	var want struct {
		Prompt    string
		Sentences []struct {
			Text      string
			IDs       []int32
			Embedding []float64
		}
	}
	read(t, "VECTORS", &want)
	tokens, err := tokenizer.Load(path(t, "TOKENIZER"))
	require.NoError(t, err)
	args := []string{"--json"}
	for _, s := range want.Sentences {
		args = append(args, s.Text)
		ids, err := tokens.Encode(want.Prompt+s.Text, true)
		require.NoError(t, err)
		require.Equal(t, ids, s.IDs[:len(ids)], "what is left of the reference's is padding")
	}
	var got struct {
		Embeddings   [][]float64
		Similarities [][]float64
	}
	require.NoError(t, json.Unmarshal([]byte(run(t, "EMBED", args...)), &got))
	require.Len(t, got.Embeddings, len(want.Sentences))
	least := 0.99
	if text := os.Getenv("COSINE"); text != "" {
		least, err = strconv.ParseFloat(text, 64)
		require.NoError(t, err)
	}
	for i, s := range want.Sentences {
		require.Greater(t, cosine(s.Embedding, got.Embeddings[i]), least, s.Text)
		require.InDelta(t, 1, cosine(got.Embeddings[i], got.Embeddings[i]), 1e-5)
		for k := range want.Sentences {
			require.InDelta(t, cosine(s.Embedding, want.Sentences[k].Embedding), got.Similarities[i][k], 0.02)
		}
	}
	require.Greater(t, got.Similarities[0][2], got.Similarities[0][1]+0.1, "Paris is nearer to Paris than to a cat")
	// A prompt makes another vector of the same text.
	var prompted struct{ Embeddings [][]float64 }
	require.NoError(t, json.Unmarshal([]byte(run(t, "EMBED", "--json", "--prompt=passage", want.Sentences[0].Text)), &prompted))
	var queried struct{ Embeddings [][]float64 }
	require.NoError(t, json.Unmarshal([]byte(run(t, "EMBED", "--json", "--prompt=query", want.Sentences[0].Text)), &queried))
	require.Less(t, cosine(prompted.Embeddings[0], queried.Embeddings[0]), 0.999)
}

// cosine is of vectors of length 1.
func cosine(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	sum := 0.
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
