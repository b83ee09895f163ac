package fromgguf

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// deepseek2 is DeepSeek-V2 and V3 and what has their blocks (GLM-4.7-Flash, Kimi K2), in
// files that keep one vector for each position. Yarn scales the scores there, and not the
// queries and keys.
func deepseek2(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	c.Latent = causal.Latent{
		Rank: h.Size("attention.kv_lora_rank"), Key: h.Size("attention.key_length_mla"), Value: h.Size("attention.value_length_mla"),
	}
	if h.HasTensor("blk.0.attn_q_a.weight") {
		c.Latent.QueryRank = h.Size("attention.q_lora_rank")
	}
	turned := h.Size("rope.dimension_count")
	switch {
	case c.KVHeads != 1:
		h.Fail("attention.head_count_kv", "%d heads of keys: the file is of an older kind, which keeps the keys of every head; convert the model again", c.KVHeads)
	case c.HeadDim != c.Latent.Rank+turned:
		h.Fail("attention.key_length", "%d elements are not the %d of a vector and %d that are rotated", c.HeadDim, c.Latent.Rank, turned)
	case c.Latent.Key <= turned:
		h.Fail("attention.key_length_mla", "%d of %d elements are rotated", turned, c.Latent.Key)
	}
	c.AttentionScale = 1 / math.Sqrt(float64(c.Latent.Key))
	if c.Global.Yarn.Original != 0 {
		m := 1 + h.Number("rope.scaling.yarn_log_multiplier")*math.Log(c.Global.RopeScale)
		c.Global.Magnitude = 0
		c.AttentionScale *= m * m
	}
	readRouter(h, c, causal.RouterSoftmax, false)
}
