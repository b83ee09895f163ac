package fromgguf

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// The numbers of expert_gating_func; 0 means the family's own.
var routers = map[int64]causal.Router{1: causal.RouterSoftmax, 2: causal.RouterSigmoid, 3: causal.RouterChosen}

// routed reads the experts of families whose files tell more about them: layers without
// experts come first, and the router is of the kind that the file says, or else of this
// one (DeepSeek-AI 2024). Blocks at the end that guess further tokens are not used.
func routed(router causal.Router, normalize bool) func(*causal.Header, *causal.Config) {
	return func(h *causal.Header, c *causal.Config) { readRouter(h, c, router, normalize) }
}

func readRouter(h *causal.Header, c *causal.Config, router causal.Router, normalize bool) {
	if h.Has("nextn_predict_layers") && !h.Zero("nextn_predict_layers") {
		h.Leave(c, h.Size("nextn_predict_layers"))
	}
	experts(h, c, h.Flag("expert_weights_norm", normalize))
	if !h.Zero("leading_dense_block_count") {
		c.Experts.Dense = min(h.SizeOr("leading_dense_block_count", 0), c.NumLayers)
	}
	c.Experts.Router = router
	if !h.Zero("expert_gating_func") && h.Has("expert_gating_func") {
		r, known := routers[h.Size("expert_gating_func")]
		if !known {
			h.Refuse("expert_gating_func", "1", "2", "3")
		}
		c.Experts.Router = r
	}
	c.Experts.Selection = h.HasLast(c, "exp_probs_b.bias")
	if n := h.Rows(c, "ffn_up_shexp.weight"); n > 0 {
		c.Experts.Shared = n
	}
	if h.Zero("expert_group_count") || h.SizeOr("expert_group_count", 1) == 1 {
		return
	}
	x := &c.Experts
	x.Groups, x.UsedGroups = h.Size("expert_group_count"), h.Size("expert_group_used_count")
	if x.Count%x.Groups != 0 || x.Count/x.Groups < 2 || x.UsedGroups > x.Groups || x.UsedGroups*(x.Count/x.Groups) < x.Used {
		h.Fail("expert_group_count", "%d groups of %d experts, of which %d are used, do not have the %d that are used", x.Groups, x.Count, x.UsedGroups, x.Used)
		x.Groups = 0
	}
}

// glm4moe is GLM-4.5 (GLM-4.5 Team 2025).
func glm4moe(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.QKNorm = h.HasTensor("blk.0.attn_q_norm.weight")
	c.Block.FeedForwardNorm = "post_attention_norm"
	readRouter(h, c, causal.RouterSigmoid, false)
}

// Numbers of the feed-forward layers of gpt-oss.
const (
	ossLimit = 7
	ossSlope = 1.702
)

// gptOSS is OpenAI's gpt-oss (OpenAI 2025): every second layer has a window, and each head
// a sink.
func gptOSS(h *causal.Header, c *causal.Config) {
	modern(h, c)
	windows(h, c, 2, 128)
	c.Block.Sinks, c.Block.FeedForwardNorm = true, "post_attention_norm"
	c.Gate = func(gate, up lang.Tensor) lang.Tensor {
		gate = gate.Min(gate.Func().Splat(gate.DType(), ossLimit))
		return gate.Mul(gate.MulScalar(ossSlope).Logistic()).Mul(up.ClampScalar(-ossLimit, ossLimit).AddScalar(1))
	}
	readRouter(h, c, causal.RouterChosen, false)
}

// hunyuan is Tencent's Hunyuan, which normalises queries and keys that are turned.
func hunyuan(h *causal.Header, c *causal.Config) {
	modern(h, c)
	turnedNorm(h, c)
}

// sections marks as read the sections of positions in a picture: the positions of a text
// are the same number in all of them.
func sections(h *causal.Header, _ *causal.Config) { h.Has("rope.dimension_sections") }
