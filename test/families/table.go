package families

import (
	"slices"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

func pair(key string, value any) gguf.Pair { return gguf.Pair{Key: key, Value: value} }

func u(key string, n uint32) gguf.Pair { return pair(key, n) }

func f(key string, v float32) gguf.Pair { return pair(key, v) }

var (
	rms   = f("attention.layer_norm_rms_epsilon", 1e-5)
	layer = f("attention.layer_norm_epsilon", 1e-5)
)

// list joins tensors, and pairs joins keys.
func list(parts ...[]string) []string { return slices.Concat(parts...) }

func pairs(p ...gguf.Pair) []gguf.Pair { return p }

var (
	tied     = []string{"token_embd.weight V D", "output_norm.weight D"}
	head     = []string{"output.weight V D"}
	qkv      = []string{".attn_q.weight Q D", ".attn_k.weight K D", ".attn_v.weight K D", ".attn_output.weight D Q"}
	qkvBias  = []string{".attn_q.bias Q", ".attn_k.bias K", ".attn_v.bias K"}
	fused    = []string{".attn_qkv.weight QKV D", ".attn_output.weight D Q"}
	norms    = []string{".attn_norm.weight D", ".ffn_norm.weight D"}
	posts    = []string{".post_attention_norm.weight D", ".post_ffw_norm.weight D"}
	gated    = []string{".ffn_gate.weight F D", ".ffn_up.weight F D", ".ffn_down.weight D F"}
	ungated  = []string{".ffn_up.weight F D", ".ffn_down.weight D F"}
	upBias   = []string{".ffn_up.bias F", ".ffn_down.bias D"}
	outBias  = []string{".attn_output.bias D"}
	shifts   = []string{"output_norm.bias D", ".attn_norm.bias D", ".ffn_norm.bias D"}
	oneShift = []string{"output_norm.bias D", ".attn_norm.bias D"}
	mixture  = []string{".ffn_gate_inp.weight E D", ".ffn_gate_exps.weight E X D", ".ffn_up_exps.weight E X D", ".ffn_down_exps.weight E D X"}
	shared   = []string{".ffn_gate_shexp.weight S D", ".ffn_up_shexp.weight S D", ".ffn_down_shexp.weight D S"}
	headNorm = []string{".attn_q_norm.weight d", ".attn_k_norm.weight d"}
	eachNorm = []string{".attn_q_norm.weight H d", ".attn_k_norm.weight G d"}
	longrope = []string{"rope_factors_long.weight r", "rope_factors_short.weight r"}
	decoder  = list(tied, norms, qkv, gated)
	wide     = []string{".attn_q.weight W D", ".attn_k.weight WK D", ".attn_v.weight WK D", ".attn_output.weight D W"} // heads of 32
	experts4 = pairs(u("expert_count", 4), u("expert_used_count", 2), u("expert_feed_forward_length", 32))
	heads32  = pairs(u("attention.key_length", 32), u("attention.value_length", 32), u("rope.dimension_count", 32))
)

func small(name, architecture string, pairs []gguf.Pair, tensors []string) Family {
	return Family{Name: name, Architecture: architecture, layers: Layers, pairs: pairs, tensors: tensors}
}

// packed returns the family under another name with matrices in blocks.
func (f Family) packed(name string, e quant.Encoding) Family {
	f.Name, f.Encoding = name, e
	return f
}

// enlarging returns the family as one that enlarges differences.
func (f Family) enlarging() Family {
	f.Enlarges = true
	return f
}

// deep returns the family with so many blocks.
func (f Family) deep(layers int) Family {
	f.layers = layers
	return f
}

// All lists the families, one or more files for each way in which their files differ.
func All() []Family {
	yarn := pairs(pair("rope.scaling.type", "yarn"), f("rope.scaling.factor", 4), u("rope.scaling.original_context_length", 128))
	long := pairs(rms, f("rope.scaling.attn_factor", 1.25), u("rope.dimension_count", 16))
	mixtral := small("mixtral", "llama", append(pairs(rms, u("feed_forward_length", 32)), experts4[:2]...), list(tied, norms, qkv, mixture, head))
	return []Family{
		mixtral, mixtral.packed("mixtral-q8_0", "Q8_0"),
		small("llama", "llama", pairs(rms, u("rope.dimension_count", 16)), list(decoder, head)),
		small("llama3", "llama", pairs(rms, f("rope.freq_base", 500000)), list(decoder, []string{"rope_freqs.weight r"})),
		small("llama-q4_0", "llama", pairs(rms), list(decoder, head)).packed("llama-q4_0", "Q4_0"),
		small("llama-biases", "llama", pairs(rms), list(decoder, qkvBias, outBias, []string{".ffn_gate.bias F"}, upBias)),
		small("qwen2", "qwen2", pairs(rms, f("rope.freq_base", 1e6)), list(decoder, qkvBias)),
		small("qwen2-yarn", "qwen2", append(pairs(rms, f("rope.freq_base", 1e4)), yarn...), list(decoder, qkvBias)),
		small("qwen2moe", "qwen2moe", append(pairs(rms, u("expert_shared_feed_forward_length", 32)), experts4...),
			list(tied, norms, qkv, qkvBias, mixture, shared, []string{".ffn_gate_inp_shexp.weight D"}, head)),
		small("qwen3", "qwen3", append(pairs(rms), heads32...), list(tied, norms, wide, gated, []string{".attn_q_norm.weight K", ".attn_k_norm.weight K"})),
		small("qwen3moe", "qwen3moe", append(pairs(rms), experts4...), list(tied, norms, qkv, headNorm, mixture, head)),
		small("phi2", "phi2", pairs(layer, u("rope.dimension_count", 8)),
			list(tied, head, oneShift, []string{"output.bias V", ".attn_norm.weight D", ".attn_qkv.bias QKV"}, fused, outBias, ungated, upBias)),
		small("phi3", "phi3", append(long, u("attention.sliding_window", 5), u("rope.scaling.original_context_length", 256)),
			list(tied, head, norms, fused, []string{".ffn_up.weight 2F D", ".ffn_down.weight D F"}, longrope)),
		small("phi3-long", "phi3", append(long, u("rope.scaling.original_context_length", 64)),
			list(tied, head, norms, fused, []string{".ffn_up.weight 2F D", ".ffn_down.weight D F"}, longrope)),
		small("gemma", "gemma", append(pairs(rms), heads32...), list(tied, norms, wide, gated)),
		small("gemma2", "gemma2", append(pairs(rms, f("attn_logit_softcapping", 2), f("final_logit_softcapping", 3), u("attention.sliding_window", 5)), heads32...),
			list(tied, norms, posts, wide, gated)),
		small("gemma3", "gemma3", append(pairs(rms, f("rope.freq_base", 1e6), u("attention.sliding_window", 5), u("attention.sliding_window_pattern", 2)), heads32...),
			list(tied, norms, posts, wide, gated, []string{".attn_q_norm.weight K", ".attn_k_norm.weight K"})),
		small("starcoder2", "starcoder2", pairs(layer), list(tied, norms, shifts, qkv, qkvBias, outBias, ungated, upBias)),
		small("stablelm", "stablelm", pairs(layer, u("rope.dimension_count", 4)), list(tied, head, norms, shifts, qkv, qkvBias, gated)),
		small("stablelm-12b", "stablelm", pairs(layer, u("rope.dimension_count", 4)),
			list(tied, head, oneShift, []string{".attn_norm.weight D"}, eachNorm, qkv, gated)),
		small("granite", "granite", pairs(rms, f("logit_scale", 4), f("residual_scale", 0.5), f("embedding_scale", 3), f("attention.scale", 0.125)), decoder),
		small("granitemoe", "granitemoe", append(pairs(rms, f("logit_scale", 4), u("feed_forward_length", 32), u("expert_shared_feed_forward_length", 32)), experts4[:2]...),
			list(tied, norms, qkv, mixture, shared)),
		small("olmo2", "olmo2", pairs(rms), list(tied, head, posts, qkv, []string{".attn_q_norm.weight Q", ".attn_k_norm.weight K"}, gated)),
		small("olmo3", "olmo2", append(pairs(rms, u("attention.sliding_window", 5), u("attention.sliding_window_pattern", 2)), yarn...),
			list(tied, head, posts, qkv, []string{".attn_q_norm.weight Q", ".attn_k_norm.weight K"}, gated)),
		small("olmoe", "olmoe", append(pairs(rms, u("attention.head_count_kv", 4), u("feed_forward_length", 32)), experts4[:2]...), list(tied, head, norms, []string{
			".attn_q.weight Q D", ".attn_k.weight Q D", ".attn_v.weight Q D", ".attn_output.weight D Q", ".attn_q_norm.weight Q", ".attn_k_norm.weight Q",
		}, mixture)),
		small("gpt2", "gpt2", pairs(layer, u("context_length", 256)),
			list(tied, []string{"position_embd.weight P D"}, norms, shifts, fused, []string{".attn_qkv.bias QKV"}, outBias, ungated, upBias)),
		small("gptneox", "gptneox", pairs(layer, u("rope.dimension_count", 4), pair("use_parallel_residual", true)),
			list(tied, head, norms, shifts, fused, []string{".attn_qkv.bias QKV"}, outBias, ungated, upBias)),
		small("gptneox-serial", "gptneox", pairs(layer, pair("use_parallel_residual", false)),
			list(tied, head, norms, shifts, fused, []string{".attn_qkv.bias QKV"}, outBias, ungated, upBias)),
		small("falcon", "falcon", pairs(layer, u("attention.head_count_kv", 1)),
			list(tied, head, oneShift, []string{".attn_norm.weight D", ".attn_qkv.weight MQA D", ".attn_output.weight D Q"}, ungated)),
		small("falcon-40b", "falcon", pairs(layer),
			list(tied, oneShift, []string{".attn_norm.weight D", ".attn_norm_2.weight D", ".attn_norm_2.bias D"}, fused, ungated)),
		small("command-r", "command-r", pairs(layer, f("logit_scale", 0.25)), list(tied, []string{".attn_norm.weight D"}, qkv, gated)),
		small("bitnet", "bitnet", pairs(rms), list(decoder, []string{
			".attn_sub_norm.weight D", ".ffn_sub_norm.weight F", ".attn_q.scale 1", ".attn_k.scale 1", ".attn_v.scale 1",
			".attn_output.scale 1", ".ffn_gate.scale 1", ".ffn_up.scale 1", ".ffn_down.scale 1",
		})),
	}
}

// More lists families that are variations of those of All.
func More() []Family {
	swiglu := []string{".ffn_up.weight 2F D", ".ffn_down.weight D F"}
	four := u("block_count", 4) // every fourth layer is of another kind
	square := []string{".attn_qkv.weight 2F D", ".attn_qkv.bias 2F", ".attn_output.weight D Q"}
	ternary := small("bitnet-ternary", "bitnet", pairs(rms, u("embedding_length", 128), u("feed_forward_length", 256)), []string{
		"token_embd.weight V W", "output_norm.weight W", ".attn_norm.weight W", ".ffn_norm.weight W", ".attn_sub_norm.weight W", ".ffn_sub_norm.weight B",
		".attn_q.weight W W", ".attn_k.weight WK W", ".attn_v.weight WK W", ".attn_output.weight W W",
		".ffn_gate.weight B W", ".ffn_up.weight B W", ".ffn_down.weight W B",
	})
	ternary.ternary = true
	return append([]Family{
		ternary,
		small("arcee", "arcee", pairs(rms), list(tied, norms, qkv, ungated)),
		small("baichuan", "baichuan", pairs(rms, u("block_count", 32)), list(tied, head, norms, qkv, gated)).deep(32),
		small("chatglm", "chatglm", pairs(rms, u("rope.dimension_count", 8)), list(tied, head, norms, fused, []string{".attn_qkv.bias QKV"}, swiglu)),
		small("ernie4_5", "ernie4_5", pairs(rms), decoder),
		small("glm4", "glm4", pairs(rms, u("rope.dimension_count", 8)), list(tied, head, norms, posts, qkv, qkvBias, swiglu)),
		small("internlm2", "internlm2", pairs(rms), list(decoder, head)),
		small("minicpm", "minicpm", pairs(rms), decoder),
		small("mistral3", "mistral3", append(pairs(rms), pair("rope.scaling.type", "yarn"), f("rope.scaling.factor", 4),
			f("rope.scaling.yarn_beta_fast", 16), f("rope.scaling.yarn_log_multiplier", 0.5), u("rope.scaling.original_context_length", 128)), list(decoder, head)),
		small("smollm3", "smollm3", pairs(rms, four), decoder).deep(4),
		small("xverse", "xverse", pairs(rms), list(decoder, head)),
		small("exaone", "exaone", pairs(rms), list(decoder, []string{"rope_freqs.weight r"})),
		small("exaone4", "exaone4", pairs(rms), list(tied, posts, qkv, headNorm, gated)),
		small("qwen", "qwen", pairs(rms, u("attention.head_count_kv", 4), u("feed_forward_length", 192)), list(tied, head, norms, square, gated)),
		small("seed_oss", "seed_oss", pairs(rms), list(tied, head, qkv, qkvBias, []string{".attn_norm.weight D", ".post_attention_norm.weight D"}, gated)),
		small("cohere2", "cohere2", pairs(layer, four, f("logit_scale", 0.25), u("attention.sliding_window", 5)), list(tied, []string{".attn_norm.weight D"}, qkv, gated)).deep(4),
		small("nemotron", "nemotron", pairs(layer, u("rope.dimension_count", 8)), list(tied, head, norms, shifts, qkv, ungated)),
		small("orion", "orion", pairs(layer), list(tied, head, norms, shifts, qkv, gated)),
		small("starcoder", "starcoder", pairs(layer, u("context_length", 256), u("attention.head_count_kv", 1)),
			list(tied, []string{"position_embd.weight P D", ".attn_qkv.weight MQA D", ".attn_qkv.bias MQA", ".attn_output.weight D Q"}, norms, shifts, outBias, ungated, upBias)),
	}, slices.Concat(further(), newer(), memories())...)
}

// Encoders lists those whose result is a vector.
func Encoders() []Family {
	common := func(pooling uint32) []gguf.Pair {
		return pairs(layer, pair("attention.causal", false), u("pooling_type", pooling), u("attention.head_count_kv", 4), u("context_length", 256))
	}
	square := []string{".attn_q.weight Q D", ".attn_k.weight Q D", ".attn_v.weight Q D", ".attn_output.weight D Q"}
	biases := []string{".attn_q.bias Q", ".attn_k.bias Q", ".attn_v.bias Q", ".attn_output.bias D"}
	outer := []string{"token_embd.weight V D", "token_types.weight T D", "token_embd_norm.weight D", "token_embd_norm.bias D"}
	inner := []string{".attn_output_norm.weight D", ".attn_output_norm.bias D", ".layer_output_norm.weight D", ".layer_output_norm.bias D"}
	positions := []string{"position_embd.weight P D"}
	gemma := append(pairs(rms, f("rope.freq_base", 1e6), pair("attention.causal", false), u("pooling_type", 1), u("block_count", 6), u("attention.sliding_window", 5), u("context_length", 256)), heads32...)
	pre := list(tied, norms, posts, wide, gated, []string{".attn_q_norm.weight K", ".attn_k_norm.weight K"})
	dense := pairs(u("dense_2_feat_in", 64), u("dense_2_feat_out", 256), u("dense_3_feat_in", 256), u("dense_3_feat_out", 64))
	grouped := append(common(1), u("attention.head_count_kv", 2), rms, f("rope.freq_base", 1e4))
	modern := append(common(1), layer, u("block_count", 4), u("attention.sliding_window", 5), f("rope.freq_base", 1e5), f("rope.freq_base_swa", 1e4))
	bare := list([]string{"token_embd.weight V D"}, norms)
	whole := []string{".attn_qkv.weight 2F D", ".attn_output.weight D Q", ".ffn_up.weight 2F D", ".ffn_down.weight D F"}
	later := list([]string{"token_embd.weight V D", "token_embd_norm.weight D", "output_norm.weight D", ".ffn_norm.weight D"}, whole)
	for i := 1; i < 4; i++ {
		later = append(later, at(i, norms[:1])...)
	}
	return []Family{
		small("eurobert", "eurobert", grouped, list(tied, norms, qkv, gated)),
		small("llama-embed", "llama-embed", grouped, list(tied, norms, qkv, gated)),
		small("neo-bert", "neo-bert", append(common(2), rms), list(bare, whole, []string{"enc.output_norm.weight D"})),
		small("modern-bert", "modern-bert", modern, later).deep(4),
		small("jina-bert-v3", "jina-bert-v3", append(common(1), f("rope.freq_base", 20000)), list(outer, inner,
			[]string{".attn_qkv.weight 2F D", ".attn_qkv.bias 2F", ".attn_output.weight D Q", ".attn_output.bias D"}, ungated, upBias)),
		small("nomic-bert-moe", "nomic-bert-moe", append(common(1), f("rope.freq_base", 1000), u("moe_every_n_layers", 2), u("expert_count", 4), u("expert_used_count", 2)),
			list(outer, inner, []string{".attn_qkv.weight 2F D", ".attn_qkv.bias 2F", ".attn_output.weight D Q", ".attn_output.bias D"}, at(0, list(ungated, upBias)),
				at(1, []string{".ffn_gate_inp.weight E D", ".ffn_up_exps.weight E F D", ".ffn_down_exps.weight E D F"}))),
		small("gemma-embedding", "gemma-embedding", gemma, pre).deep(6),
		small("gemma-embedding-dense", "gemma-embedding", append(gemma, dense...), list(pre, []string{"dense_2.weight B D", "dense_3.weight D B"})).deep(6),
		small("bert", "bert", common(1), list(outer, positions, inner, square, biases, ungated, upBias)),
		small("bert-cls", "bert", common(2), list(outer, positions, inner, square, biases, ungated, upBias)),
		small("jina-bert-v2", "jina-bert-v2", common(1), list(outer, inner, square, biases, []string{".ffn_up.weight 2F D", ".ffn_down.weight D F", ".ffn_down.bias D"})),
		small("jina-bert-v2-gate", "jina-bert-v2", common(1), list(outer, inner, square, biases, gated, []string{".ffn_down.bias D"})),
		small("nomic-bert", "nomic-bert", append(common(1), f("rope.freq_base", 1000)),
			list(outer, inner, []string{".attn_qkv.weight 2F D", ".attn_output.weight D Q"}, gated)),
	}
}

// BitNet is bitnet-ternary of More as bitnet.cpp stores it, which llama.cpp does not read:
// its numbers are the same, and so are its logits.
func BitNet() Family {
	return More()[0].packed("bitnet-ternary", quant.I2S)
}
