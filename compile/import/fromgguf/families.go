package fromgguf

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
)

// families is the table: what is read of a file of that architecture, into a config that
// has its sizes and the layout of its tensors.
var families = map[string]func(*causal.Header, *causal.Config){
	// Rotary pairs of adjacent elements.
	"llama":     llama,
	"arcee":     func(h *causal.Header, c *causal.Config) { adjacent(h, c); squaredReLU(c) },
	"baichuan":  baichuan,
	"chatglm":   func(h *causal.Header, c *causal.Config) { adjacent(h, c); c.Block.FusedGate = true },
	"ernie4_5":  adjacent,
	"glm4":      func(h *causal.Header, c *causal.Config) { adjacent(h, c); c.Block.FusedGate, c.PostNorm = true, true },
	"internlm2": adjacent,
	"minicpm":   miniCPM,
	"llama4":    llama4,
	"mistral3":  mistral3,
	"smollm3":   smolLM3,
	"xverse":    adjacent,
	// Pairs of the halves of a head.
	"exaone":   modern,
	"exaone4":  exaone4,
	"qwen":     func(h *causal.Header, c *causal.Config) { modern(h, c); c.IntermediateSize /= 2 },
	"qwen2":    modern,
	"qwen2moe": func(h *causal.Header, c *causal.Config) { modern(h, c); experts(h, c, false) },
	"qwen3":    func(h *causal.Header, c *causal.Config) { modern(h, c); c.QKNorm = true },
	"qwen3moe": func(h *causal.Header, c *causal.Config) { modern(h, c); c.QKNorm = true; experts(h, c, true) },
	"seed_oss": func(h *causal.Header, c *causal.Config) {
		modern(h, c)
		c.Block.FeedForwardNorm = "post_attention_norm"
	},
	"phi2":       phi2,
	"phi3":       phi3,
	"gemma":      func(h *causal.Header, c *causal.Config) { gemma(h, c, 10000) },
	"gemma2":     gemma2,
	"gemma3":     gemma3,
	"gemma3n":    gemma3n,
	"gemma4":     gemma4,
	"starcoder2": starcoder2,
	"stablelm":   stablelm,
	"granite":    granite,
	"granitemoe": granite,
	"olmo2":      olmo2,
	"olmo":       olmo,
	"olmoe":      olmoe,
	"gpt2":       gpt2,
	"gptneox":    gptNeoX,
	"nemotron":   func(h *causal.Header, c *causal.Config) { classic(h, c); squaredReLU(c) },
	"jais2":      all(classic, func(_ *causal.Header, c *causal.Config) { squaredReLU(c) }),
	"orion":      orion,
	"starcoder":  gpt2,
	"falcon":     falcon,
	"cohere2":    cohere2,
	"command-r":  commandR,
	"bitnet":     bitnet,
	// What bitnet.cpp calls Microsoft's own model.
	"bitnet-25":    bitnet25,
	"bitnet-b1.58": bitnet25,
	// Experts of which a router of another kind than Mixtral's takes some.
	"afmoe":        afmoe,
	"arctic":       arctic,
	"bailingmoe":   all(adjacent, routed(causal.RouterSoftmax, false)),
	"bailingmoe2":  all(modern, qkNorm, routed(causal.RouterSigmoid, false)),
	"dbrx":         dbrx,
	"deepseek":     all(adjacent, routed(causal.RouterSoftmax, false)),
	"deepseek2":    deepseek2,
	"mistral4":     mistral4,
	"dots1":        all(modern, qkNorm, routed(causal.RouterSigmoid, false)),
	"ernie4_5-moe": all(adjacent, routed(causal.RouterSoftmax, true)),
	"exaone-moe":   exaoneMoE,
	"glm4moe":      glm4moe,
	"grok":         grok,
	"gpt-oss":      gptOSS,
	"hunyuan-moe":  all(hunyuan, mixture),
	"phimoe":       phiMoE,
	"smallthinker": smallThinker,
	"mellum":       mellum,
	"minimax-m2":   all(modern, qkNorm, wholeNorm, routed(causal.RouterSigmoid, true)),
	// Rows of their own.
	"deci":           deci,
	"lfm2":           lfm2,
	"lfm2moe":        all(lfm2, routed(causal.RouterSigmoid, true)),
	"apertus":        apertus,
	"codeshell":      classic,
	"hunyuan-dense":  hunyuan,
	"hunyuan_vl":     all(hunyuan, sections),
	"maincoder":      all(adjacent, turnedNorm),
	"minicpm3":       miniCPM3,
	"paddleocr":      all(modern, sections),
	"pangu-embedded": modern,
	"plm":            all(adjacent, latent, func(_ *causal.Header, c *causal.Config) { squaredReLU(c) }),
	"openelm":        all(modern, qkNorm),
	"plamo3":         plamo3,
	"plamo":          all(modern, func(_ *causal.Header, c *causal.Config) { sharedNorm(c) }),
	"qwen2vl":        all(modern, sections),
	"qwen3vl":        all(modern, sections, qkNorm),
	"qwen3vlmoe":     all(modern, sections, qkNorm, mixture),
	// Layers that have a memory of one size.
	"falcon-h1":      falconH1,
	"granitehybrid":  graniteHybrid,
	"jamba":          jamba,
	"mamba":          mamba(causal.Selective),
	"mamba2":         mamba(causal.Duality),
	"nemotron_h":     nemotronH,
	"nemotron_h_moe": nemotronH,
	"qwen3next":      all(qwen35, mixture),
	"qwen35":         qwen35,
	"qwen35moe":      all(qwen35, mixture),
	// Positions by ALiBi.
	"bloom":  bloom,
	"jais":   jais,
	"mpt":    mpt,
	"refact": refact,
}

// all reads a family that is some others together.
func all(parts ...func(*causal.Header, *causal.Config)) func(*causal.Header, *causal.Config) {
	return func(h *causal.Header, c *causal.Config) {
		for _, p := range parts {
			p(h, c)
		}
	}
}

func qkNorm(_ *causal.Header, c *causal.Config)     { c.QKNorm = true }
func wholeNorm(_ *causal.Header, c *causal.Config)  { c.Block.QKNorm = causal.QKNormWhole }
func turnedNorm(_ *causal.Header, c *causal.Config) { c.QKNorm, c.Block.QKNormTurned = true, true }
func mixture(h *causal.Header, c *causal.Config)    { experts(h, c, true) }

// modern is what most have: SiLU and rotary positions.
func modern(h *causal.Header, c *causal.Config) {
	h.Rope(c, 10000)
	c.Activation = lang.Tensor.SiLU
}

// adjacent is modern with rotary pairs of adjacent elements.
func adjacent(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.RopeInterleaved = true
}

// llama is Llama (Touvron et al. 2023) and what is stored as one: Mistral, with a window,
// Mixtral, with experts, SmolLM, Yi. Its converters permute the rows of queries and keys so
// that rotary pairs are adjacent.
func llama(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	window(h, c)
	if h.Has("expert_count") {
		experts(h, c, true)
	}
}

// deci is NVIDIA's Llama-Nemotron (Bercovich et al. 2025), whose layers were chosen one by
// one: they have heads of their own, or no attention, or a projection in its place.
func deci(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	c.AttentionScale = h.NumberOr("attention.scale", c.AttentionScale)
}

// mistral3 is Mistral 3 and what Ministral's files call themselves: queries of long texts
// are scaled.
func mistral3(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	temperature(h, c, "rope.scaling.original_context_length")
	if h.Has("expert_count") && !h.Zero("expert_count") {
		experts(h, c, true)
	}
}

// temperature reads the scale of queries beyond the positions of that key.
func temperature(h *causal.Header, c *causal.Config, length string) {
	if h.Has("attention.temperature_scale") && h.Text("attention.temperature_scale") != "0" {
		c.Global.Temperature = causal.Temperature{Length: h.SizeOr(length, c.MaxPositions), Scale: h.Number("attention.temperature_scale")}
	}
}

// Numbers of Llama 4, which its files do not have.
const (
	scoutChunk   = 8192
	scoutScale   = 0.1
	scoutPeriod  = 4
	scoutExperts = 128 // the model of so many has no norms of queries and keys
)

// llama4 is the text part of Llama 4 (Meta 2025). Three of four layers see the chunk of 8192
// positions that a token is in, and queries and keys of the others are not turned.
func llama4(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	experts(h, c, false)
	c.Experts.Router, c.Experts.WeightInput = causal.RouterSigmoid, true
	c.Experts.Every = h.Size("interleave_moe_layer_step")
	c.QKNorm, c.Block.QKNorm, c.Block.QKNormTurned = c.Experts.Count != scoutExperts, causal.QKNormPlain, true
	h.Refuse("attention.sliding_window_pattern", "4")
	if h.Zero("attention.sliding_window") {
		h.Fail("attention.sliding_window", "a Llama 4 without chunks, which llama.cpp does not run either")
	}
	c.GlobalEvery, c.Local = scoutPeriod, c.Global
	c.Local.Chunk, c.Local.RopeBase = scoutChunk, h.NumberOr("rope.freq_base_swa", c.Global.RopeBase)
	c.Global.NoRotary, c.Global.Temperature = true, causal.Temperature{Length: scoutChunk, Scale: scoutScale, Offset: 1}
}

// window limits all layers to the same number of positions, if the file has one.
func window(h *causal.Header, c *causal.Config) {
	if h.Has("attention.sliding_window") {
		c.Global.Window = h.Size("attention.sliding_window")
	}
}

// squaredReLU is a feed-forward layer without a gate whose activation is the square of the
// positive part (So et al. 2021).
func squaredReLU(c *causal.Config) {
	c.Block.Ungated = true
	c.Activation = func(x lang.Tensor) lang.Tensor { return x.ReLU().Square() }
}

// baichuan is Baichuan (Yang et al. 2023); the larger model has no rotary positions but
// ALiBi, which its files do not say.
func baichuan(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	switch c.NumLayers {
	case 32:
	case 40:
		alibi(c, usualBias)
	default:
		h.Fail("block_count", "Baichuan of %d layers: the one of 32 has rotary positions and the one of 40 ALiBi, and the file does not tell", c.NumLayers)
	}
}

// miniCPM is MiniCPM (Hu et al. 2024), whose older files do not have the scales.
func miniCPM(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	c.EmbeddingScale = h.NumberOr("embedding_scale", 12)
	c.Block.ResidualScale = h.NumberOr("residual_scale", 1.4/math.Sqrt(float64(c.NumLayers)))
	c.Block.LogitScale = 1 / h.NumberOr("logit_scale", 256/float64(c.HiddenSize))
}

// smolLM3 is SmolLM 3: queries and keys of every fourth layer are not turned.
func smolLM3(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
	c.GlobalEvery, c.Local = 4, c.Global
	c.Global.NoRotary = true
}

// exaone4 is EXAONE 4 (LG AI Research 2025): norms behind attention and feed-forward
// alone. The larger one has windows, and layers without that are not turned.
func exaone4(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.QKNorm, c.PostNorm = true, true
	c.Block.AttentionNorm, c.Block.FeedForwardNorm = causal.NoNorm, causal.NoNorm
	if c.NumLayers == 64 {
		windows(h, c, 4, 4096)
		c.Global.NoRotary = true
	}
}

// windows makes layers local but for every Nth, or those that the file lists, with the same
// rotary positions if the file does not say otherwise.
func windows(h *causal.Header, c *causal.Config, every, width int64) {
	h.Kinds(c, "attention.sliding_window_pattern", every)
	c.Local = c.Global
	c.Local.RopeBase = h.NumberOr("rope.freq_base_swa", c.Global.RopeBase)
	c.Local.Window = h.SizeOr("attention.sliding_window", width)
}

// experts reads a mixture of experts.
func experts(h *causal.Header, c *causal.Config, normalize bool) {
	x := causal.Experts{
		Count: h.Size("expert_count"), Used: h.Size("expert_used_count"), Normalize: normalize,
		Size: h.SizeOr("expert_feed_forward_length", c.IntermediateSize), Scale: h.NumberOr("expert_weights_scale", 1),
	}
	x.SharedGate, x.FusedGate = h.HasLast(c, "ffn_gate_inp_shexp.weight"), h.HasLast(c, "ffn_gate_up_exps.weight")
	if h.HasLast(c, "ffn_up_shexp.weight") {
		x.Shared = h.SizeOr("expert_shared_feed_forward_length", x.Size*h.SizeOr("expert_shared_count", 1))
	}
	if x.Used > x.Count {
		h.Fail("expert_used_count", "%d of %d experts are used", x.Used, x.Count)
	}
	c.Experts = x
}

// granite is Granite 3, of one feed-forward layer or of experts; it scales embeddings,
// attention, residuals and logits.
func granite(h *causal.Header, c *causal.Config) {
	adjacent(h, c)
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

// bitnet25 is BitNet b1.58 2B4T (Ma et al. 2025): its gate is the square of the positive
// part.
func bitnet25(h *causal.Header, c *causal.Config) {
	bitnet(h, c)
	c.Activation = func(x lang.Tensor) lang.Tensor { return x.ReLU().Square() }
}

// phi3 is Phi 3 and 4 (Abdin et al. 2024). Its window is not used, as in llama.cpp: what
// files say of it is not what the models were trained with.
func phi3(h *causal.Header, c *causal.Config) {
	modern(h, c)
	c.Block.FusedGate = true
}
