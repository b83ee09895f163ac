package fromgguf

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// classic is what decoders before Llama have: layer norms with a shift, and a feed-forward
// layer without a gate.
func classic(h *causal.Header, c *causal.Config) {
	h.Rope(c, 10000)
	c.Block.LayerNorm, c.Block.NormBias, c.Block.Ungated = true, true, true
	c.Activation = lang.Tensor.GELUTanh
}

// sharedNorm makes attention and feed-forward read one norm of the same input.
func sharedNorm(c *causal.Config) {
	c.Block.Parallel, c.Block.FeedForwardNorm = true, "attn_norm"
}

// phi2 is Phi 1 to 2 (Li et al. 2023).
func phi2(h *causal.Header, c *causal.Config) {
	classic(h, c)
	sharedNorm(c)
}

// starcoder2 is StarCoder 2 (Lozhkov et al. 2024).
func starcoder2(h *causal.Header, c *causal.Config) {
	classic(h, c)
	window(h, c)
}

// gpt2 is GPT-2 (Radford et al. 2019).
func gpt2(h *causal.Header, c *causal.Config) {
	classic(h, c)
	c.Block.NoRotary, c.Block.LearnedPositions = true, true
}

// gptNeoX is GPT-NeoX (Black et al. 2022) and Pythia.
func gptNeoX(h *causal.Header, c *causal.Config) {
	classic(h, c)
	c.Activation = lang.Tensor.GELU
	c.Block.Parallel = h.Flag("use_parallel_residual", false)
}

// falcon is Falcon (Almazrouei et al. 2023); the larger ones have a norm of their own
// before attention.
func falcon(h *causal.Header, c *causal.Config) {
	classic(h, c)
	sharedNorm(c)
	c.Activation = lang.Tensor.GELU
	if h.HasTensor("blk.0.attn_norm_2.weight") {
		c.Block.AttentionNorm = "attn_norm_2"
	}
}

// stablelm is StableLM; the larger ones have norms of queries and keys, and one norm for
// attention and feed-forward.
func stablelm(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.Block.LayerNorm, c.Block.NormBias = true, true
	normEach(h, c)
	if !h.HasTensor("blk.0.ffn_norm.weight") {
		sharedNorm(c)
	}
}

// normEach adds norms of queries and keys with weights for each head, if the file has them.
func normEach(h *causal.Header, c *causal.Config) {
	if h.HasTensor("blk.0.attn_q_norm.weight") {
		c.QKNorm, c.Block.QKNorm = true, causal.QKNormEach
	}
}

// commandR is Command R.
func commandR(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	c.Block.LayerNorm = true
	sharedNorm(c)
	normEach(h, c)
	c.Block.LogitScale = h.NumberOr("logit_scale", 1)
}

// cohere2 is Command R7B and Command A: three of four layers have windows, and the queries
// and keys of the others are not turned.
func cohere2(h *causal.Header, c *causal.Config) {
	commandR(h, c)
	windows(h, c, 4, h.Size("attention.sliding_window"))
	c.Global.NoRotary = true
}

// olmo is OLMo (Groeneveld et al. 2024): layer norms without weights, and bounds of queries,
// keys and values.
func olmo(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	c.Block.LayerNorm, c.Block.PlainNorm = true, true
	clamp(h, c)
}

// orion is Orion (Chen et al. 2024).
func orion(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.Block.LayerNorm, c.Block.NormBias = true, true
}
