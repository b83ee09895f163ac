package fromgguf

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// latent reads attention to one vector for each position. Files of the older kind have the
// matrices of keys and values in one, and tell the sizes of what those make.
func latent(h *causal.Header, c *causal.Config) {
	turned := h.Size("rope.dimension_count")
	c.Latent = causal.Latent{Rank: h.Size("attention.kv_lora_rank"), Joint: h.HasTensor("blk.0.attn_kv_b.weight")}
	if h.HasTensor("blk.0.attn_q_a.weight") {
		c.Latent.QueryRank = h.Size("attention.q_lora_rank")
	}
	if c.Latent.Joint {
		c.Latent.Key, c.Latent.Value = h.Size("attention.key_length"), h.Size("attention.value_length")
		c.Block.RotaryDims, c.HeadDim, c.KVHeads = turned, c.Latent.Rank+turned, 1
	} else {
		c.Latent.Key, c.Latent.Value = h.Size("attention.key_length_mla"), h.Size("attention.value_length_mla")
	}
	switch {
	case c.KVHeads != 1:
		h.Fail("attention.head_count_kv", "%d heads of keys, for one vector for each position", c.KVHeads)
	case c.HeadDim != c.Latent.Rank+turned:
		h.Fail("attention.key_length", "%d elements are not the %d of a vector and %d that are rotated", c.HeadDim, c.Latent.Rank, turned)
	case c.Latent.Key <= turned:
		h.Fail("attention.key_length_mla", "%d of %d elements are rotated", turned, c.Latent.Key)
	}
	c.AttentionScale = 1 / math.Sqrt(float64(c.Latent.Key))
}

// deepseek2 is DeepSeek-V2 and V3 and what has their blocks (GLM-4.7-Flash, Kimi K2). Yarn
// scales the scores there, and not the queries and keys.
func deepseek2(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	latent(h, c)
	if c.Global.Yarn.Original != 0 {
		m := 1 + h.Number("rope.scaling.yarn_log_multiplier")*math.Log(c.Global.RopeScale)
		c.Global.Magnitude = 0
		c.AttentionScale *= m * m
	}
	temperature(h, c, "attention.temperature_length")
	readRouter(h, c, causal.RouterSoftmax, false)
}

// miniCPM3 is MiniCPM3, whose files do not tell its factors.
func miniCPM3(h *causal.Header, c *causal.Config) {
	modern(h, c)
	latent(h, c)
	c.EmbeddingScale = 12
	c.Block.ResidualScale = 1.4 / math.Sqrt(float64(c.NumLayers))
	c.Block.LogitScale = 256 / float64(c.HiddenSize)
}

// mistral4 is Mistral 4 (Mistral AI 2026), of DeepSeek-V3's blocks. Where its two factors of
// yarn differ, queries and keys are scaled by their ratio, and the scores with them.
func mistral4(h *causal.Header, c *causal.Config) {
	deepseek2(h, c)
	if c.Global.Yarn.Original != 0 {
		log := math.Log(c.Global.RopeScale)
		c.Global.Magnitude = (1 + 0.1*log) / (1 + h.Number("rope.scaling.yarn_log_multiplier")*log)
		c.AttentionScale *= c.Global.Magnitude * c.Global.Magnitude
	}
}
