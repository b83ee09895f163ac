package fromgguf

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// phiMoE is Phi 3.5 MoE (Abdin et al. 2024), whose norms have a shift: RMS norms, as
// llama.cpp has them, where Microsoft's own code has layer norms.
func phiMoE(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.Block.NormBias = true
	experts(h, c, true)
}

// exaoneMoE is K-EXAONE (LG AI Research 2025): layers without a window are not turned.
func exaoneMoE(h *causal.Header, c *causal.Config) {
	modern(h, c)
	qkNorm(h, c)
	windows(h, c, 4, 128)
	c.Global.NoRotary = true
	readRouter(h, c, causal.RouterSigmoid, true)
}

// afmoe is Arcee's Trinity (2025), whose attention has a gate. Layers without a window are
// not turned.
func afmoe(h *causal.Header, c *causal.Config) {
	modern(h, c)
	qkNorm(h, c)
	windows(h, c, 4, 4096)
	c.Global.NoRotary, c.PostNorm, c.Block.AttentionGate = true, true, true
	c.EmbeddingScale = math.Sqrt(float64(c.HiddenSize))
	readRouter(h, c, causal.RouterSigmoid, true)
}

// Numbers of Grok-1, whose files do not have them.
const (
	grokEmbedding = 78.38367176906169
	grokScore     = 0.08838834764831845
	grokLogit     = 0.5773502691896257
	grokCap       = 30
)

// grok is xAI's Grok 1 and 2: norms behind attention and feed-forward too, and in the later
// one a feed-forward layer beside the experts. What files say of the bound of the router's
// scores and of the temperature of long texts is not used, as in llama.cpp.
func grok(h *causal.Header, c *causal.Config) {
	gemma(h, c, 10000)
	c.EmbeddingScale = h.NumberOr("embedding_scale", grokEmbedding)
	c.AttentionScale = h.NumberOr("attention.output_scale", grokScore)
	c.Block.LogitScale = h.NumberOr("logit_scale", grokLogit)
	c.AttnLogitSoftcap = h.NumberOr("attn_logit_softcapping", grokCap)
	c.FinalLogitSoftcap = h.NumberOr("final_logit_softcapping", 0)
	h.Has("router_logit_softcapping")
	h.Has("attention.temperature_length")
	c.PostNorm, c.Block.PostAttention = true, "attn_output_norm.weight"
	if h.HasTensor("blk.0.layer_output_norm.weight") {
		c.Block.PostFeedForward = "layer_output_norm.weight"
	}
	experts(h, c, true)
	if h.HasTensor("blk.0.ffn_up.weight") {
		c.Experts.Beside, c.Experts.SumScale = true, math.Sqrt2/2
	}
}

// arctic is Snowflake's Arctic: experts that read what comes into a block stand beside its
// feed-forward layer.
func arctic(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	experts(h, c, true)
	c.Experts.Beside, c.Experts.Norm = true, "ffn_norm_exps"
}

// smallWindow is SmallThinker's, whatever its files say, as in llama.cpp.
const smallWindow = 4096

// smallThinker is SmallThinker (Song et al. 2025): routers read what comes into a block.
// The first of four layers has no window and is not turned; where files have no window
// all layers are turned.
func smallThinker(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.Activation = lang.Tensor.ReLU
	if h.Has("attention.sliding_window") {
		windows(h, c, 4, smallWindow)
		c.Local.Window = smallWindow
		c.GlobalFirst, c.Global.NoRotary = true, true
	}
	readRouter(h, c, causal.RouterSoftmax, true)
	c.Experts.Early = true
}

// mellum is JetBrains' Mellum 2 (2026): positions of layers with a window are not scaled.
func mellum(h *causal.Header, c *causal.Config) {
	modern(h, c)
	qkNorm(h, c)
	if h.Has("attention.sliding_window") && !h.Zero("attention.sliding_window") {
		windows(h, c, 4, 1)
		c.Local.RopeScale, c.Local.Yarn, c.Local.Magnitude = 1, causal.Yarn{}, 0
	}
	experts(h, c, true)
}

// plamo3 is Preferred Networks' PLaMo 3, with windows or without.
func plamo3(h *causal.Header, c *causal.Config) {
	modern(h, c)
	qkNorm(h, c)
	c.Block.FusedGate = true
	c.PostNorm, c.Block.PostAttention, c.Block.PostFeedForward = true, "post_attention_norm", "post_ffw_norm"
	if h.Has("attention.sliding_window") {
		windows(h, c, 8, 2048)
	}
}
