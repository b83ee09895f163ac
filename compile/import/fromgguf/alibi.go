package fromgguf

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// usualBias is the greatest slope, in a power of 2, of families whose files do not tell.
const usualBias = 8

// alibi is positions by biases of the scores alone (Press et al. 2021).
func alibi(c *causal.Config, maxBias float64) { c.Block.NoRotary, c.Block.MaxBias = true, maxBias }

// biases reads the greatest slope; without one there are no positions.
func biases(h *causal.Header, c *causal.Config) {
	c.Block.NoRotary = true
	if !h.Zero("attention.max_alibi_bias") {
		alibi(c, h.NumberOr("attention.max_alibi_bias", usualBias))
	}
}

// bloom is BLOOM (BigScience 2022).
func bloom(h *causal.Header, c *causal.Config) {
	classic(h, c)
	alibi(c, usualBias)
	c.Block.EmbeddingNorm = true
}

// mpt is MosaicML's MPT, without or with shifts of its norms and learned positions.
func mpt(h *causal.Header, c *causal.Config) {
	classic(h, c)
	biases(h, c)
	c.Block.NormBias = h.HasTensor("output_norm.bias")
	c.Block.LearnedPositions = h.HasTensor("position_embd.weight")
	clamp(h, c)
}

// clamp reads the bound of queries, keys and values.
func clamp(h *causal.Header, c *causal.Config) {
	if h.Has("attention.clamp_kqv") && !h.Zero("attention.clamp_kqv") && h.Text("attention.clamp_kqv") != "0" {
		c.Block.Clamp = h.Number("attention.clamp_kqv")
	}
}

// jais is Jais (Sengupta et al. 2023), whose scores are divided by the head size.
func jais(h *causal.Header, c *causal.Config) {
	modern(h, c)
	biases(h, c)
	c.Block.LayerNorm, c.Block.NormBias = true, true
	c.AttentionScale = 1 / float64(c.HeadDim)
}

func refact(h *causal.Header, c *causal.Config) {
	modern(h, c)
	alibi(c, usualBias)
}

// dbrx is Databricks' DBRX: layer norms without shifts, and bounds of queries, keys and
// values.
func dbrx(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.Block.LayerNorm, c.Block.FeedForwardNorm = true, "attn_output_norm"
	c.Activation = lang.Tensor.SiLU
	clamp(h, c)
	experts(h, c, true)
}
