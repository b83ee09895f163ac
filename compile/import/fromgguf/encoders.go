package fromgguf

import (
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/lang/nn/encoder"
	"github.com/skainet-dev/skainet-go/tensor"
)

// encoders are the rows of embedding models, whose graph is lang/nn/encoder's.
var encoders = map[string]func(*causal.Header, *encoder.Config){
	"bert":            bert,
	"eurobert":        func(h *causal.Header, c *encoder.Config) { modernEncoder(h, c, 10000) },
	"gemma-embedding": gemmaEmbedding,
	"jina-bert-v2":    jinaBERT,
	"jina-bert-v3":    func(h *causal.Header, c *encoder.Config) { bert(h, c); turned(h, c) },
	"llama-embed":     func(h *causal.Header, c *encoder.Config) { modernEncoder(h, c, 10000); c.Pre.Interleaved = true },
	"modern-bert":     modernBERT,
	"neo-bert":        neoBERT,
	"nomic-bert":      nomicBERT,
	"nomic-bert-moe":  nomicMoE,
}

// bert is BERT (Devlin et al. 2019): MiniLM, BGE, E5.
func bert(_ *causal.Header, c *encoder.Config) { c.Activation = lang.Tensor.GELU }

// nomicBERT is that of nomic-embed-text (Nussbaum et al. 2024).
func nomicBERT(h *causal.Header, c *encoder.Config) {
	c.Activation, c.Gated = lang.Tensor.SiLU, true
	turned(h, c)
}

// turned reads rotary positions.
func turned(h *causal.Header, c *encoder.Config) {
	c.RopeBase, c.RopeScale = h.NumberOr("rope.freq_base", 10000), h.RopeScale()
}

// nomicMoE is version 2 of nomic-embed-text (Nussbaum and Duderstadt 2025): the second of
// two layers has experts.
func nomicMoE(h *causal.Header, c *encoder.Config) {
	c.Activation = lang.Tensor.GELU
	turned(h, c)
	c.Experts = encoder.Experts{Count: h.Size("expert_count"), Used: h.Size("expert_used_count"), Every: h.Size("moe_every_n_layers")}
	if c.Experts.Used > c.Experts.Count {
		h.Fail("expert_used_count", "%d of %d experts are used", c.Experts.Used, c.Experts.Count)
	}
	if c.Experts.Every < 2 {
		h.Fail("moe_every_n_layers", "the value %d, of which no layer is the second", c.Experts.Every)
	}
}

// modernEncoder is blocks as Llama's in which a token sees those behind it too: EuroBERT
// (Boizard et al. 2025).
func modernEncoder(h *causal.Header, c *encoder.Config, base float64) {
	c.Activation = lang.Tensor.SiLU
	c.RopeBase, c.RopeScale = h.NumberOr("rope.freq_base", base), h.RopeScale()
	c.Pre.KVHeads = 1 // and those that the sizes say
	c.FusedGate = !h.HasTensor("blk.0.ffn_gate.weight")
}

// modernBERT is ModernBERT (Warner et al. 2024): the first of three layers sees all.
func modernBERT(h *causal.Header, c *encoder.Config) {
	modernEncoder(h, c, 160000)
	c.Activation = lang.Tensor.GELU
	c.Pre.LayerNorm, c.Pre.EmbeddingNorm = true, true
	if h.Has("attention.sliding_window") {
		c.Pre.Window, c.Pre.GlobalEvery, c.Pre.GlobalFirst = h.Size("attention.sliding_window"), h.SizeOr("attention.sliding_window_pattern", 3), true
		c.Pre.LocalBase = h.NumberOr("rope.freq_base_swa", c.RopeBase)
	}
}

// neoBERT is NeoBERT (Le Breton et al. 2025).
func neoBERT(h *causal.Header, c *encoder.Config) {
	modernEncoder(h, c, 10000)
	c.Pre.Interleaved, c.Pre.OutputNorm = true, "enc.output_norm"
}

// jinaBERT is version 2 of Jina's embedding models (Günther et al. 2023), whose positions are
// biases of the scores.
func jinaBERT(h *causal.Header, c *encoder.Config) {
	c.Activation, c.MaxBias = lang.Tensor.GELU, usualBias
	c.Gated = h.HasTensor("blk.0.ffn_gate.weight")
	c.FusedGate = !c.Gated && h.RowsOf("blk.0.ffn_up.weight") == 2*c.IntermediateSize
}

// gemmaEmbedding is EmbeddingGemma: Gemma 3's blocks, in which a token sees those behind it
// too.
func gemmaEmbedding(h *causal.Header, c *encoder.Config) {
	c.Activation = lang.Tensor.GELUTanh
	c.RopeBase, c.RopeScale = h.NumberOr("rope.freq_base", localBase), h.RopeScale()
	c.Pre = encoder.Pre{
		KVHeads:        1, // and those that the sizes say
		EmbeddingScale: math.Sqrt(float64(c.HiddenSize)), Window: h.Size("attention.sliding_window"), GlobalEvery: h.SizeOr("attention.sliding_window_pattern", period),
		LocalBase: h.NumberOr("rope.freq_base_swa", localBase), PostNorm: true, QKNorm: true,
	}
	for i := range c.Pre.Dense {
		c.Pre.Dense[i] = h.RowsOf(fmt.Sprintf("dense_%d.weight", i+2))
	}
}

// Encoder reads the settings of an embedding model's file.
func Encoder(x *tensor.Index) (encoder.Config, error) {
	h := causal.NewHeader(x, x.Metadata[architectureKey])
	if err := h.Err(); err != nil {
		return encoder.Config{}, err
	}
	read := encoders[x.Metadata[architectureKey]]
	if read == nil {
		return encoder.Config{}, unknown(x.Metadata[architectureKey])
	}
	h.Refuse("attention.causal", "0")
	h.Refuse("pooling_type", "1", "2") // the mean, and the first token's
	sizes := h.Sizes(0)
	c := encoder.Config{
		NumLayers: sizes.NumLayers, HiddenSize: sizes.HiddenSize, IntermediateSize: sizes.IntermediateSize, Heads: sizes.Heads,
		MaxPositions: sizes.MaxPositions, Epsilon: sizes.Epsilon,
	}
	read(h, &c)
	if !h.WasRead("moe_every_n_layers") {
		h.Refuse("moe_every_n_layers", "0")
	}
	if c.Pre.KVHeads > 0 && sizes.Block.RotaryDims == 0 {
		c.Pre.KVHeads, c.Pre.HeadDim = sizes.KVHeads, sizes.HeadDim
	} else if sizes.KVHeads != c.Heads || sizes.HeadDim*c.Heads != c.HiddenSize || sizes.Block.RotaryDims != 0 {
		h.Fail("attention.head_count", "%d heads of %d elements do not make a hidden size of %d", c.Heads, sizes.HeadDim, c.HiddenSize)
	}
	if h.SizeOr("pooling_type", 1) == 2 {
		c.Pooling = encoder.First
	}
	h.Layout(&sizes)
	c.FusedQKV, c.Biases = sizes.Block.FusedQKV, sizes.Block.Biases
	if types, err := x.Lookup("token_types.weight"); err == nil && types.Shape.Rank() == 2 {
		c.TokenTypes = types.Shape[0].Size
	}
	var err error
	if c.VocabSize, err = h.Vocabulary(c.HiddenSize); err != nil {
		return c, err
	}
	return c, h.CheckTensors(c.Tensors())
}
