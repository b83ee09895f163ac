package fromgguf

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// gemma is what the Gemma models share.
func gemma(h *causal.Header, c *causal.Config, base float64) {
	h.Rope(c, base)
	c.EmbeddingScale = math.Sqrt(float64(c.HiddenSize))
	c.Activation = lang.Tensor.GELUTanh
}

// gemma2 is Gemma 2 (Gemma Team 2024): every second layer is global, and scores and logits
// have bounds.
func gemma2(h *causal.Header, c *causal.Config) {
	gemma(h, c, 10000)
	c.PostNorm = true
	windows(h, c, 2, 4096)
	c.AttnLogitSoftcap = h.NumberOr("attn_logit_softcapping", 50)
	c.FinalLogitSoftcap = h.NumberOr("final_logit_softcapping", 30)
	scaleByWidth(c, 46)
}

// Settings that the files of Gemma 3 do not have; these are the constants of the model's
// own configurations, and of llama.cpp.
const (
	localBase     = 10000 // RoPE base in layers with a window
	period        = 6     // every sixth layer is global
	largestLayers = 62    // of the 27B model
)

// gemma3 is Gemma 3 (Gemma Team 2025), the text model.
func gemma3(h *causal.Header, c *causal.Config) {
	gemma(h, c, 1000000)
	c.Local = causal.Attention{RopeBase: h.NumberOr("rope.freq_base_swa", localBase), RopeScale: 1, Window: h.Size("attention.sliding_window")}
	c.GlobalEvery = h.SizeOr("attention.sliding_window_pattern", period)
	c.AttnLogitSoftcap = h.NumberOr("attn_logit_softcapping", 0)
	c.FinalLogitSoftcap = h.NumberOr("final_logit_softcapping", 0)
	c.QKNorm, c.PostNorm = true, true
	scaleByWidth(c, largestLayers)
}

// scaleByWidth scales attention by the hidden size per head, as the model of so many
// layers does.
func scaleByWidth(c *causal.Config, layers int64) {
	if c.NumLayers == layers {
		c.AttentionScale = 1 / math.Sqrt(float64(c.HiddenSize)/float64(c.Heads))
	}
}
