package xlatest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/models/bert"
	"github.com/skainet-dev/skainet-go/models/gemma3"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// cutGemma is a cut of Gemma 3 of both kinds of layers, with two heads of keys and values.
func cutGemma(t *testing.T) (g *dag.Graph, index *tensor.Index, files map[string][]string, params cpu.Params) {
	t.Helper()
	index = &tensor.Index{Format: "gguf", Scalars: map[string]int64{}, Metadata: map[string]string{
		"general.architecture": "gemma3", "gemma3.attention.layer_norm_rms_epsilon": "1e-06", "gemma3.rope.freq_base": "1e+06",
	}}
	for key, n := range map[string]int64{
		"block_count": 6, "embedding_length": 128, "feed_forward_length": 256, "attention.head_count": 4, "attention.head_count_kv": 2,
		"attention.key_length": 32, "attention.value_length": 32, "attention.sliding_window": 8, "context_length": 64,
	} {
		index.Scalars["gemma3."+key] = n
	}
	index.Tensors = causal.Config{
		NumLayers: 6, HiddenSize: 128, Heads: 4, KVHeads: 2, HeadDim: 32, IntermediateSize: 256, VocabSize: 512,
		QKNorm: true, PostNorm: true, OutputKey: "token_embd.weight",
	}.Tensors()
	files, params = madeUp(t, index)
	g, err := lang.Capture("gemma3", index, gemma3.Cut(4, 2, 64))
	require.NoError(t, err)
	return g, index, files, params
}

// words is how many words the cut of MiniLM has.
const words = 1000

// cutMiniLM is a cut of MiniLM: its heads and widths, fewer layers and words.
func cutMiniLM(t *testing.T) (g *dag.Graph, files map[string][]string, params cpu.Params) {
	t.Helper()
	const width, wide = 384, 1536
	index := &tensor.Index{Format: "safetensors"}
	add := func(name string, sizes ...int64) {
		index.Tensors = append(index.Tensors, tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(sizes...)})
	}
	linear := func(name string, out, in int64) { add(name+".weight", out, in); add(name+".bias", out) }
	norm := func(name string) { add(name+".weight", width); add(name+".bias", width) }
	add("embeddings.word_embeddings.weight", words, width)
	add("embeddings.position_embeddings.weight", 64, width)
	add("embeddings.token_type_embeddings.weight", 2, width)
	norm("embeddings.LayerNorm")
	for _, layer := range []string{"encoder.layer.0.", "encoder.layer.1."} {
		for _, part := range []string{"self.query", "self.key", "self.value", "output.dense"} {
			linear(layer+"attention."+part, width, width)
		}
		norm(layer + "attention.output.LayerNorm")
		linear(layer+"intermediate.dense", wide, width)
		linear(layer+"output.dense", width, wide)
		norm(layer + "output.LayerNorm")
	}
	files, params = madeUp(t, index)
	g, err := lang.Capture("minilm", index, bert.Cut(12, 1))
	require.NoError(t, err)
	return g, files, params
}
