package fromgguf

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

func every(int64) bool { return true }

// mamba is Mamba (Gu and Dao 2023), and Falcon's, or Mamba 2 (Dao and Gu 2024): no attention
// and no feed-forward layers.
func mamba(kind causal.Recurrence) func(*causal.Header, *causal.Config) {
	return func(h *causal.Header, c *causal.Config) {
		c.Activation, c.Block.NoRotary = lang.Tensor.SiLU, true
		h.Recurrent(c, kind, every)
	}
}

// withoutKeys reports which layers have no heads of keys.
func withoutKeys(c *causal.Config) func(i int64) bool {
	return func(i int64) bool { return i < int64(len(c.Layers)) && c.Layers[i].KVHeads == 0 }
}

// jamba is AI21's Jamba (Lieber et al. 2024): Mamba's layers and some of attention without
// positions, with experts in some.
func jamba(h *causal.Header, c *causal.Config) {
	c.Activation, c.Block.NoRotary = lang.Tensor.SiLU, true
	h.Recurrent(c, causal.Selective, withoutKeys(c))
	if h.Has("expert_count") && !h.Zero("expert_count") {
		experts(h, c, false)
		for i := range c.NumLayers {
			c.Experts.Layers = append(c.Experts.Layers, h.HasTensor(fmt.Sprintf("blk.%d.ffn_gate_inp.weight", i)))
		}
	}
}

// graniteHybrid is Granite 4 (IBM 2025): Mamba 2's layers and some of attention.
func graniteHybrid(h *causal.Header, c *causal.Config) {
	granite(h, c)
	h.Recurrent(c, causal.Duality, withoutKeys(c))
}

// falconH1 is Falcon H1 (Zuo et al. 2025): each layer has attention and Mamba 2's side by
// side.
func falconH1(h *causal.Header, c *causal.Config) {
	modern(h, c)
	h.Recurrent(c, causal.Duality, every)
	c.Recurrent.Beside, c.Block.Bare = true, []string{"ffn_norm"}
}

// qwen35 is Qwen 3.5 (Qwen Team 2026): the gated delta rule, and attention with a gate in
// every fourth layer. Blocks at the end that guess further tokens are not used.
func qwen35(h *causal.Header, c *causal.Config) {
	modern(h, c)
	sections(h, c)
	if h.Has("nextn_predict_layers") && !h.Zero("nextn_predict_layers") {
		h.Leave(c, h.Size("nextn_predict_layers"))
	}
	interval := h.SizeOr("full_attention_interval", 4)
	h.Refuse("attention.recurrent_layers")
	h.Recurrent(c, causal.DeltaRule, func(i int64) bool { return (i+1)%interval != 0 })
	c.QKNorm, c.Block.JointGate, c.Block.FusedQKV = true, true, false
	c.Block.FeedForwardNorm = "post_attention_norm"
}

// nemotronH is NVIDIA's Nemotron H and Nemotron 3 (2025): a layer is Mamba 2's, or
// attention, or a feed-forward layer, with one norm.
func nemotronH(h *causal.Header, c *causal.Config) {
	c.Block.NoRotary, c.Block.FeedForwardNorm = true, "attn_norm"
	squaredReLU(c)
	recurs := make([]bool, len(c.Layers))
	for i := range c.Layers {
		s := &c.Layers[i]
		recurs[i] = s.KVHeads == 0 && s.IntermediateSize == 0
		if s.KVHeads == 0 {
			s.Heads = 0
		}
	}
	h.Recurrent(c, causal.Duality, func(i int64) bool { return i < int64(len(recurs)) && recurs[i] })
	if h.Has("expert_count") && !h.Zero("expert_count") {
		readRouter(h, c, causal.RouterSigmoid, true)
		c.Experts.Selection = false
		for i := range c.NumLayers {
			has := h.HasTensor(fmt.Sprintf("blk.%d.ffn_gate_inp.weight", i))
			c.Experts.Layers = append(c.Experts.Layers, has)
			if has {
				c.Experts.Selection = h.HasTensor(fmt.Sprintf("blk.%d.exp_probs_b.bias", i))
				if n := h.RowsOf(fmt.Sprintf("blk.%d.ffn_up_shexp.weight", i)); n > 0 {
					c.Experts.Shared = n
				}
			}
		}
	}
}
