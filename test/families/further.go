package families

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/io/gguf"
)

// with returns pairs and more of them, the later ones in place of the former.
func with(p []gguf.Pair, more ...gguf.Pair) []gguf.Pair { return slices.Concat(p, more) }

// at returns the tensors of one block alone.
func at(block int, tensors []string) []string {
	var out []string
	for _, line := range tensors {
		out = append(out, fmt.Sprintf("blk.%d%s", block, line))
	}
	return out
}

// further lists families of other attention, other routers or other layers.
func further() []Family {
	four := u("block_count", 4)
	afterAttention := []string{".attn_norm.weight D", ".post_attention_norm.weight D"}
	mixtureBias := []string{".ffn_gate_inp.bias E", ".ffn_gate_exps.bias E X", ".ffn_up_exps.bias E X", ".ffn_down_exps.bias E D"}
	oss := small("gpt-oss", "gpt-oss", with(pairs(rms, four, f("rope.freq_base", 150000), u("attention.key_length", 16), u("attention.value_length", 16),
		pair("rope.scaling.type", "yarn"), f("rope.scaling.factor", 4), u("rope.scaling.original_context_length", 128),
		u("attention.sliding_window", 5)), experts4...),
		list(tied, head, afterAttention, qkv, qkvBias, outBias, []string{".attn_sinks.weight H"}, mixture, mixtureBias)).deep(4)
	// The first block has no experts.
	plain := with(pairs(rms, u("leading_dense_block_count", 1), u("expert_shared_count", 1)), experts4...)
	routed := with(plain, pair("expert_weights_norm", true), f("expert_weights_scale", 1.5))
	sigmoid := with(routed, u("expert_gating_func", 2))
	selection := []string{".exp_probs_b.bias E"}
	mixed := list(at(0, gated), at(1, mixture), at(1, shared))
	serial := list(tied, norms, shifts, fused, []string{".attn_qkv.bias QKV"}, outBias, ungated, upBias)
	square := []string{".attn_qkv.weight 2F D", ".attn_output.weight D Q"}
	groups := with(sigmoid, u("expert_count", 8), u("expert_group_count", 4), u("expert_group_used_count", 2))
	latent := []string{".attn_kv_a_mqa.weight 40 D", ".attn_kv_a_norm.weight 32", ".attn_k_b.weight H 32 d", ".attn_v_b.weight H d 32", ".attn_output.weight D Q"}
	mla := with(sigmoid, u("attention.head_count_kv", 1), u("attention.kv_lora_rank", 32), u("attention.key_length", 40), u("attention.value_length", 32),
		u("attention.key_length_mla", 24), u("attention.value_length_mla", 16), u("rope.dimension_count", 8))
	joint := []string{".attn_q_a.weight 24 D", ".attn_q_a_norm.weight 24", ".attn_q_b.weight F 24", ".attn_kv_a_mqa.weight 40 D", ".attn_kv_a_norm.weight 32",
		".attn_kv_b.weight W 32", ".attn_output.weight D Q"}
	const lites = 27 // the blocks by which llama.cpp knows the one with a plain projection of queries
	lite := at(lites-1, list(mixture, shared))
	for i := range lites - 1 {
		lite = append(lite, at(i, gated)...)
	}
	conv := []string{".shortconv.in_proj.weight 2F D", ".shortconv.conv.weight D 3", ".shortconv.out_proj.weight D D"}
	lfm := list([]string{"token_embd.weight V D", "token_embd_norm.weight D"}, norms, at(0, conv), at(1, conv), at(2, qkv), at(2, headNorm), at(3, conv))
	mixed4 := list(at(0, gated), at(1, gated), at(2, mixture), at(2, selection), at(3, mixture), at(3, selection))
	lists := pairs(rms, four, pair("attention.head_count_kv", []uint32{0, 0, 2, 0}), u("shortconv.l_cache", 3))
	return []Family{
		small("lfm2", "lfm2", lists, list(lfm, gated)).deep(4),
		small("lfm2moe", "lfm2moe", with(with(lists, experts4...), u("leading_dense_block_count", 2), u("expert_gating_func", 2)), list(lfm, mixed4)).deep(4),
		small("deepseek2", "deepseek2", with(mla, u("attention.q_lora_rank", 24)), list(tied, head, norms, latent,
			[]string{".attn_q_a.weight 24 D", ".attn_q_a_norm.weight 24", ".attn_q_b.weight F 24"}, mixed, at(1, selection))),
		small("deepseek2-joint", "deepseek2", with(sigmoid, u("attention.head_count_kv", 4), u("attention.kv_lora_rank", 32), u("attention.key_length", 24),
			u("attention.value_length", 16), u("rope.dimension_count", 8), u("attention.q_lora_rank", 24)), list(tied, head, norms, joint, mixed, at(1, selection))),
		small("mistral4", "mistral4", with(mla, u("attention.q_lora_rank", 24), pair("rope.scaling.type", "yarn"), f("rope.scaling.factor", 4), f("rope.scaling.yarn_log_multiplier", 1),
			u("rope.scaling.original_context_length", 4), f("attention.temperature_scale", 0.3), u("attention.temperature_length", 4)), list(tied, head, norms, latent,
			[]string{".attn_q_a.weight 24 D", ".attn_q_a_norm.weight 24", ".attn_q_b.weight F 24"}, mixed, at(1, selection))),
		small("minicpm3", "minicpm3", pairs(rms, u("attention.head_count_kv", 4), u("attention.kv_lora_rank", 32), u("attention.key_length", 24),
			u("attention.value_length", 16), u("rope.dimension_count", 8), u("attention.q_lora_rank", 24), u("rope.scaling.original_context_length", 128)),
			list(tied, norms, joint, gated, []string{"rope_factors_long.weight H", "rope_factors_short.weight H"})),
		small("deepseek2-lite", "deepseek2", with(mla, u("block_count", lites), u("leading_dense_block_count", lites-1), u("expert_gating_func", 1), pair("rope.scaling.type", "yarn"), f("rope.scaling.factor", 4),
			f("rope.scaling.yarn_log_multiplier", 0.0707), u("rope.scaling.original_context_length", 128)),
			list(tied, head, norms, latent, []string{".attn_q.weight F D"}, lite)).deep(lites),
		oss, oss.packed("gpt-oss-mxfp4", "MXFP4"),
		small("dots1", "dots1", with(sigmoid, u("attention.head_count_kv", 4)), list(tied, head, norms, []string{
			".attn_q.weight Q D", ".attn_k.weight Q D", ".attn_v.weight Q D", ".attn_output.weight D Q",
		}, headNorm, mixed, at(1, selection))),
		small("glm4moe", "glm4moe", with(sigmoid, u("rope.dimension_count", 8)), list(tied, head, afterAttention, qkv, qkvBias, mixed, at(1, selection))),
		small("glm4moe-next", "glm4moe", with(sigmoid, u("nextn_predict_layers", 1), u("block_count", 3)),
			list(tied, head, afterAttention, qkv, qkvBias, headNorm, mixed, at(1, selection), at(2, list(mixture, shared, selection)),
				[]string{"blk.2.nextn.eh_proj.weight D 2D", "blk.2.nextn.enorm.weight D", "blk.2.nextn.hnorm.weight D"})).deep(3),
		small("deepseek", "deepseek", plain, list(tied, head, norms, qkv, mixed)),
		small("ernie4_5-moe", "ernie4_5-moe", with(plain, u("interleave_moe_layer_step", 1), u("expert_shared_feed_forward_length", 32)), list(tied, norms, qkv, mixed, at(1, selection))),
		small("bailingmoe", "bailingmoe", with(routed, u("leading_dense_block_count", 0)), list(tied, head, norms, qkv, mixture, shared)),
		small("bailingmoe2", "bailingmoe2", with(groups, u("rope.dimension_count", 8)),
			list(tied, head, norms, fused, headNorm, at(0, gated), at(1, []string{".ffn_gate_inp.weight 8 D", ".ffn_gate_exps.weight 8 X D",
				".ffn_up_exps.weight 8 X D", ".ffn_down_exps.weight 8 D X", ".exp_probs_b.bias 8"}), at(1, shared))),
		small("minimax-m2", "minimax-m2", with(pairs(rms, u("feed_forward_length", 32), u("expert_gating_func", 2), u("rope.dimension_count", 8)), experts4...),
			list(tied, head, norms, qkv, []string{".attn_q_norm.weight Q", ".attn_k_norm.weight K"}, mixture, selection)),
		small("hunyuan-dense", "hunyuan-dense", pairs(rms), list(decoder, headNorm)),
		small("hunyuan-moe", "hunyuan-moe", with(pairs(rms, u("feed_forward_length", 32), u("expert_shared_feed_forward_length", 32)), experts4...), list(tied, norms, qkv, headNorm, mixture, shared)),
		small("qwen2vl", "qwen2vl", pairs(rms, pair("rope.dimension_sections", []uint32{2, 3, 3, 0})), list(decoder, qkvBias)),
		small("qwen3vl", "qwen3vl", pairs(rms, pair("rope.dimension_sections", []uint32{3, 3, 2, 0})), list(decoder, headNorm)),
		small("qwen3vlmoe", "qwen3vlmoe", with(pairs(rms, pair("rope.dimension_sections", []uint32{3, 3, 2, 0})), experts4...), list(tied, norms, qkv, headNorm, mixture)),
		small("maincoder", "maincoder", pairs(rms), list(decoder, headNorm)),
		small("pangu-embedded", "pangu-embedded", pairs(rms), list(decoder, head, qkvBias, outBias)),
		small("codeshell", "codeshell", pairs(layer), list(head, serial)),
		small("apertus", "apertus", pairs(rms), list(tied, head, norms, qkv, headNorm, ungated)).With(with(noVocabulary,
			pair("xielu.alpha_n", []float32{0.5, -0.25}), pair("xielu.alpha_p", []float32{0.75, 0.25}),
			pair("xielu.beta", []float32{0.5, 0.625}), pair("xielu.eps", []float32{-1e-6, -1e-6}))...),
		small("plm", "plm", pairs(rms, u("attention.head_count_kv", 4), u("attention.kv_lora_rank", 32), u("attention.key_length", 24),
			u("attention.value_length", 16), u("rope.dimension_count", 8)), list(tied, norms, []string{".attn_q.weight F D"}, joint[3:], ungated)),
		small("plamo", "plamo", pairs(rms), list(tied, head, []string{".attn_norm.weight D"}, qkv, gated)),
		small("dbrx", "dbrx", with(pairs(layer, f("attention.clamp_kqv", 0.5), u("feed_forward_length", 32)), experts4[:2]...),
			list(tied, head, []string{".attn_norm.weight D", ".attn_output_norm.weight D"}, fused, mixture)),
		small("bloom", "bloom", pairs(layer, u("attention.head_count_kv", 4)),
			list(serialOf(serial, square), []string{"token_embd_norm.weight D", "token_embd_norm.bias D"})),
		small("mpt", "mpt", pairs(layer, u("attention.head_count_kv", 4), f("attention.max_alibi_bias", 8), f("attention.clamp_kqv", 0.5)),
			list(tied, norms, square, ungated)),
		small("jais", "jais", pairs(layer, u("attention.head_count_kv", 4), f("attention.max_alibi_bias", 8)),
			list(tied, head, norms, shifts, square, []string{".attn_qkv.bias 2F"}, outBias, gated, []string{".ffn_gate.bias F"}, upBias)),
		small("refact", "refact", pairs(rms, u("attention.head_count", 6), u("attention.key_length", 16), u("attention.value_length", 16), u("attention.head_count_kv", 1)),
			list(tied, head, norms, []string{".attn_q.weight F D", ".attn_k.weight d D", ".attn_v.weight d D", ".attn_output.weight D F"}, gated)),
		small("baichuan-13b", "baichuan", pairs(rms, u("block_count", 40)), list(tied, head, norms, qkv, gated)).deep(40),
	}
}

// serialOf returns tensors with another matrix of queries, keys and values.
func serialOf(tensors, square []string) []string {
	var out []string
	for _, line := range tensors {
		switch line {
		case ".attn_qkv.weight QKV D":
			line = square[0]
		case ".attn_qkv.bias QKV":
			line = ".attn_qkv.bias 2F"
		}
		out = append(out, line)
	}
	return out
}
