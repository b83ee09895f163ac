package fromgguf

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// families is the table: what is read of a file of that architecture, into a config that
// has its sizes and the layout of its tensors.
var families = map[string]func(*causal.Header, *causal.Config){
	"llama":      llama,
	"qwen2":      func(h *causal.Header, c *causal.Config) { modern(h, c) },
	"qwen2moe":   func(h *causal.Header, c *causal.Config) { modern(h, c); experts(h, c, false) },
	"qwen3":      func(h *causal.Header, c *causal.Config) { modern(h, c); c.QKNorm = true },
	"qwen3moe":   func(h *causal.Header, c *causal.Config) { modern(h, c); c.QKNorm = true; experts(h, c, true) },
	"phi2":       phi2,
	"phi3":       phi3,
	"gemma":      func(h *causal.Header, c *causal.Config) { gemma(h, c, 10000) },
	"gemma2":     gemma2,
	"gemma3":     gemma3,
	"starcoder2": starcoder2,
	"stablelm":   stablelm,
	"granite":    granite,
	"granitemoe": granite,
	"olmo2":      olmo2,
	"olmoe":      olmoe,
	"gpt2":       gpt2,
	"gptneox":    gptNeoX,
	"falcon":     falcon,
	"command-r":  commandR,
	"bitnet":     bitnet,
}

// modern is what most have: SiLU and rotary positions.
func modern(h *causal.Header, c *causal.Config) {
	h.Rope(c, 10000)
	c.Activation = lang.Tensor.SiLU
}

// llama is Llama (Touvron et al. 2023) and what is stored as one: Mistral, with a window,
// Mixtral, with experts, SmolLM, Yi. Its converters permute the rows of queries and keys so
// that rotary pairs are adjacent.
func llama(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.RopeInterleaved = true
	window(h, c)
	if h.Has("expert_count") {
		experts(h, c, true)
	}
}

// window limits all layers to the same number of positions, if the file has one.
func window(h *causal.Header, c *causal.Config) {
	if h.Has("attention.sliding_window") {
		c.Global.Window = h.Size("attention.sliding_window")
	}
}

// experts reads a mixture of experts.
func experts(h *causal.Header, c *causal.Config, normalize bool) {
	x := causal.Experts{
		Count: h.Size("expert_count"), Used: h.Size("expert_used_count"), Normalize: normalize,
		Size: h.SizeOr("expert_feed_forward_length", c.IntermediateSize), Scale: h.NumberOr("expert_weights_scale", 1),
	}
	x.SharedGate = h.HasTensor("blk.0.ffn_gate_inp_shexp.weight")
	if h.HasTensor("blk.0.ffn_up_shexp.weight") {
		x.Shared = h.Size("expert_shared_feed_forward_length")
	}
	if x.Used > x.Count {
		h.Fail("expert_used_count", "%d of %d experts are used", x.Used, x.Count)
	}
	c.Experts = x
}

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

// phi3 is Phi 3 and 4 (Abdin et al. 2024). Its window is not used, as in llama.cpp: what
// files say of it is not what the models were trained with.
func phi3(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.Block.FusedGate = true
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
	modern(h, c)
	c.RopeInterleaved = true
	c.Block.LayerNorm = true
	sharedNorm(c)
	normEach(h, c)
	c.Block.LogitScale = h.NumberOr("logit_scale", 1)
}

// granite is Granite 3, of one feed-forward layer or of experts; it scales embeddings,
// attention, residuals and logits.
func granite(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.RopeInterleaved = true
	c.EmbeddingScale = h.NumberOr("embedding_scale", 1)
	c.AttentionScale = h.NumberOr("attention.scale", c.AttentionScale)
	c.Block.ResidualScale = h.NumberOr("residual_scale", 1)
	c.Block.LogitScale = 1 / h.NumberOr("logit_scale", 1)
	c.Block.NoRotary = !h.Flag("rope.scaling.finetuned", true)
	if h.Has("expert_count") && !h.Zero("expert_count") {
		experts(h, c, true)
	}
}

// olmo2 is OLMo 2 and 3 (Team OLMo 2024): norms behind attention and feed-forward alone.
// OLMo 3 has windows, in which frequencies are not scaled.
func olmo2(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.QKNorm, c.Block.QKNorm, c.PostNorm = true, causal.QKNormWhole, true
	c.Block.AttentionNorm, c.Block.FeedForwardNorm = causal.NoNorm, causal.NoNorm
	if h.Has("attention.sliding_window") {
		c.GlobalEvery = h.SizeOr("attention.sliding_window_pattern", 4)
		c.Local = causal.Attention{
			Window: h.Size("attention.sliding_window"), RopeBase: h.NumberOr("rope.freq_base_swa", c.Global.RopeBase), RopeScale: 1,
		}
	}
}

// olmoe is OLMoE (Muennighoff et al. 2024).
func olmoe(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.QKNorm, c.Block.QKNorm = true, causal.QKNormWhole
	experts(h, c, false)
}

// bitnet is BitNet b1.58 (Ma et al. 2024), whose weights are -1, 0 or 1.
func bitnet(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.Block.SubNorm = true
}

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
	c.GlobalEvery = h.SizeOr("attention.sliding_window_pattern", 2)
	c.Local = c.Global
	c.Local.RopeBase = h.NumberOr("rope.freq_base_swa", c.Global.RopeBase)
	c.Local.Window = h.SizeOr("attention.sliding_window", 4096)
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
