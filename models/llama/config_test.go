package llama

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// smolLM2 describes the file of SmolLM2-135M-Instruct.
func smolLM2() *tensor.Index {
	x := &tensor.Index{
		Format: "gguf",
		Metadata: map[string]string{
			"general.architecture": "llama", "llama.attention.layer_norm_rms_epsilon": "1e-05", "llama.rope.freq_base": "100000",
		},
		Scalars: map[string]int64{
			"llama.block_count": 30, "llama.embedding_length": 576, "llama.feed_forward_length": 1536, "llama.context_length": 8192,
			"llama.attention.head_count": 9, "llama.attention.head_count_kv": 3, "llama.rope.dimension_count": 64, "llama.vocab_size": 49152,
		},
		Tensors: causal.Config{
			NumLayers: 30, HiddenSize: 576, Heads: 9, KVHeads: 3, HeadDim: 64, IntermediateSize: 1536, VocabSize: 49152, OutputKey: "token_embd.weight",
		}.Tensors(),
	}
	for i, t := range x.Tensors {
		n, _ := t.Shape.Elements()
		x.Tensors[i].Bytes = 4 * n
		if t.Shape.Rank() == 2 {
			x.Tensors[i].Encoding = "Q4_1"
			if t.Name == "token_embd.weight" {
				x.Tensors[i].Encoding = "Q8_0"
			}
			x.Tensors[i].Bytes, _ = x.Tensors[i].Encoding.Size(n)
		}
	}
	return x
}

func add(x *tensor.Index, name string, sizes ...int64) {
	x.Tensors = append(x.Tensors, tensor.Spec{Name: name, DType: dtype.F32, Shape: shape.Of(sizes...)})
}

func TestConfig(t *testing.T) {
	want := causal.Config{
		NumLayers: 30, HiddenSize: 576, Heads: 9, KVHeads: 3, HeadDim: 64, IntermediateSize: 1536, VocabSize: 49152, MaxPositions: 8192, Context: 2048,
		Epsilon: 1e-5, EmbeddingScale: 1, AttentionScale: 0.125, GlobalEvery: 1, RopeInterleaved: true, OutputKey: "token_embd.weight",
		Global: causal.Attention{RopeBase: 100000, RopeScale: 1},
	}
	get := func(x *tensor.Index) causal.Config {
		c, err := ConfigFrom(x, 0)
		require.NoError(t, err)
		require.NotNil(t, c.Activation)
		c.Activation = nil // functions are not compared
		return c
	}
	require.Equal(t, want, get(smolLM2()))

	// Llama 3.2 has tables that divide the frequencies; larger models have a separate output head.
	x := smolLM2()
	add(x, "rope_freqs.weight", 32)
	add(x, "output.weight", 49152, 576)
	delete(x.Metadata, "llama.rope.freq_base")
	want.RopeFreqFactors, want.OutputKey, want.Global.RopeBase = true, "output.weight", 10000
	require.Equal(t, want, get(x))
}

func TestFilesThatAreNoLlama(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(x *tensor.Index)
		code   errs.Code
		want   string
	}{
		"another architecture": {func(x *tensor.Index) { x.Metadata["general.architecture"] = "gemma3" }, causal.CodeArchitecture, `"gemma3"`},
		"no heads":             {func(x *tensor.Index) { delete(x.Scalars, "llama.attention.head_count") }, causal.CodeKey, "llama.attention.head_count"},
		"missing tensor": {func(x *tensor.Index) {
			x.Tensors = slices.DeleteFunc(x.Tensors, func(s tensor.Spec) bool { return s.Name == "blk.29.ffn_gate.weight" })
		}, tensor.CodeIndexMissing, "blk.29.ffn_gate.weight"},
		"experts":             {func(x *tensor.Index) { add(x, "blk.0.ffn_gate_inp.weight", 8, 576) }, causal.CodeTensor, "blk.0.ffn_gate_inp.weight"},
		"biases":              {func(x *tensor.Index) { add(x, "blk.3.attn_q.bias", 576) }, causal.CodeTensor, "blk.3.attn_q.bias: the file has a tensor that this model does not use"},
		"table of other size": {func(x *tensor.Index) { add(x, "rope_freqs.weight", 64) }, causal.CodeTensor, "rope_freqs.weight"},
	} {
		t.Run(name, func(t *testing.T) {
			x := smolLM2()
			tt.change(x)
			_, err := ConfigFrom(x, 0)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
			_, captured := lang.Capture("llama", x, Model)
			require.EqualError(t, captured, err.Error(), "capture gives the same error")
		})
	}
}

func TestGraph(t *testing.T) {
	g, err := lang.Capture("llama", smolLM2(), Context(512))
	require.NoError(t, err)
	require.NoError(t, dag.Verify(g))
	require.Len(t, g.States, 61)
	require.Equal(t, tensor.TypeOf(dtype.F16, 512, 3, 64), g.States[1].Type)
	m, err := iree.Emit(g, iree.Options{Kernels: true})
	require.NoError(t, err)
	require.Less(t, len(m.Text), 500_000)
}

// A cut of the last layers reads their weights alone.
func TestCut(t *testing.T) {
	g, err := lang.Capture("llama", smolLM2(), Cut(28, 2, 64))
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	var layers []string
	for _, p := range m.Contract.Parameters {
		if strings.HasSuffix(p.Key, ".ffn_down.weight") {
			layers = append(layers, p.Key)
		}
	}
	require.Equal(t, []string{"blk.28.ffn_down.weight", "blk.29.ffn_down.weight"}, layers)
	_, err = lang.Capture("llama", smolLM2(), Cut(29, 2, 64))
	require.Equal(t, causal.CodeLayers, errs.CodeOf(err))
}
