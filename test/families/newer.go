package families

// newer lists families of other norms, other mixtures of experts and gates of attention.
func newer() []Family {
	four := u("block_count", 4)
	square := []string{".attn_q.weight Q D", ".attn_k.weight Q D", ".attn_v.weight Q D", ".attn_output.weight D Q"}
	squares := []string{".ffn_gate.weight D D", ".ffn_up.weight D D", ".ffn_down.weight D D"}
	window := u("attention.sliding_window", 5)
	gemma := pairs(rms, window, f("rope.freq_base", 1e6), f("rope.freq_base_swa", 1e4), u("attention.key_length", 32), u("attention.value_length", 32),
		u("attention.key_length_swa", 16), u("attention.value_length_swa", 16), u("rope.dimension_count_swa", 16))
	local := []string{".attn_q.weight Q D", ".attn_output.weight D Q", ".attn_q_norm.weight d", ".attn_k.weight K D", ".attn_k_norm.weight d", ".attn_v.weight K D"}
	global := []string{".attn_q.weight W D", ".attn_output.weight D W", ".attn_q_norm.weight X", ".attn_k.weight X D", ".attn_k_norm.weight X", ".attn_v.weight X D"}
	heads := u("attention.head_count_kv", 4)
	lead := with(pairs(rms, four, window, u("leading_dense_block_count", 1), u("expert_shared_count", 1), f("expert_weights_scale", 1.5),
		pair("expert_weights_norm", true), u("expert_gating_func", 2)), experts4...)
	selection := []string{".exp_probs_b.bias E"}
	var mixed []string
	for i := range 4 {
		if i == 0 {
			mixed = append(mixed, at(i, gated)...)
		} else {
			mixed = append(mixed, at(i, list(mixture, shared, selection))...)
		}
	}
	few := with(pairs(rms), experts4...)
	mrope := pair("rope.dimension_sections", []uint32{2, 3, 3, 0})
	small4 := func(name, architecture string, tensors []string) Family {
		return small(name, architecture, lead, tensors).deep(4)
	}
	return []Family{
		small("olmo", "olmo", pairs(layer, heads, f("attention.clamp_kqv", 0.5)), list([]string{"token_embd.weight V D"}, square, gated)),
		small("jais2", "jais2", pairs(layer, heads), list(tied, head, norms, shifts, square, []string{".attn_q.bias Q", ".attn_k.bias Q", ".attn_v.bias Q"}, outBias, ungated, upBias)),
		small("phimoe", "phimoe", with(pairs(rms, u("feed_forward_length", 32), u("rope.scaling.original_context_length", 256)), experts4[:2]...),
			list(tied, head, norms, shifts, []string{"output.bias V"}, qkv, qkvBias, outBias, mixture, longrope)),
		small4("exaone-moe", "exaone-moe", list(tied, head, norms, qkv, headNorm, mixed)),
		small4("afmoe", "afmoe", list(tied, head, norms, posts, qkv, headNorm, []string{".attn_gate.weight Q D"}, mixed)),
		small("grok", "grok", few, list(tied, norms, qkv, []string{".attn_output_norm.weight D", ".layer_output_norm.weight D"}, mixture)),
		small("grok-2", "grok", with(few, f("embedding_scale", 5), f("attention.output_scale", 0.2), f("logit_scale", 0.75), f("attn_logit_softcapping", 4), f("final_logit_softcapping", 3)),
			list(tied, head, norms, qkv, []string{".attn_output_norm.weight D", ".post_ffw_norm.weight D"}, mixture, gated)),
		small("arctic", "arctic", with(pairs(rms, u("feed_forward_length", 64)), experts4[:2]...), list(tied, head, norms, qkv, []string{
			".ffn_gate.weight D D", ".ffn_up.weight D D", ".ffn_down.weight D D", ".ffn_norm_exps.weight D",
			".ffn_gate_inp.weight E D", ".ffn_gate_exps.weight E D D", ".ffn_up_exps.weight E D D", ".ffn_down_exps.weight E D D"})),
		small("smallthinker", "smallthinker", with(few, u("block_count", 8), window, u("feed_forward_length", 32), u("expert_gating_func", 2)), list(tied, head, norms, qkv, mixture)).deep(8),
		small("smallthinker-full", "smallthinker", with(few, u("feed_forward_length", 32), u("expert_gating_func", 1)), list(tied, norms, qkv, mixture)),
		small("plamo3", "plamo3", pairs(rms, four, window, u("attention.sliding_window_pattern", 2), u("attention.key_length", 16), u("attention.value_length", 16)),
			list(tied, head, norms, []string{".post_attention_norm D", ".post_ffw_norm D"}, fused, headNorm, []string{".ffn_up.weight 2F D", ".ffn_down.weight D F"})).deep(4),
		small("openelm", "openelm", pairs(rms, pair("attention.head_count", []uint32{4, 6}), pair("attention.head_count_kv", []uint32{2, 3}), pair("feed_forward_length", []uint32{96, 64}),
			u("attention.key_length", 16), u("attention.value_length", 16)), list(tied, norms, headNorm, []string{"blk.0.attn_qkv.weight QKV D", "blk.1.attn_qkv.weight 2F D",
			"blk.0.attn_output.weight D Q", "blk.1.attn_output.weight D F"}, at(0, gated), []string{"blk.1.ffn_gate.weight D D", "blk.1.ffn_up.weight D D", "blk.1.ffn_down.weight D D"})),
		small("deci", "deci", pairs(rms, four, pair("attention.head_count", []uint32{4, 0, 4, 4}), pair("attention.head_count_kv", []uint32{2, 0, 0, 1}), pair("feed_forward_length", []uint32{96, 64, 96, 64}),
			u("attention.key_length", 16), u("attention.value_length", 16)), list(tied, head, []string{"rope_freqs.weight r", ".ffn_norm.weight D"},
			at(0, list(norms[:1], qkv, gated)), at(1, squares), at(2, []string{".attn_norm.weight D", ".attn_output.weight D D"}), at(2, gated),
			at(3, []string{".attn_norm.weight D", ".attn_q.weight Q D", ".attn_k.weight d D", ".attn_v.weight d D", ".attn_output.weight D Q"}), at(3, squares))).deep(4),
		small("llama4", "llama4", with(few, four, u("interleave_moe_layer_step", 2)), list(tied, head, norms, qkv,
			at(0, gated), at(1, mixture), at(1, shared), at(2, gated), at(3, mixture), at(3, shared))).deep(4),
		small("ministral3", "mistral3", pairs(rms, pair("rope.scaling.type", "yarn"), f("rope.scaling.factor", 4), u("rope.scaling.original_context_length", 4),
			f("attention.temperature_scale", 0.3)), list(decoder, head)),
		small("gemma4", "gemma4", append(gemma, u("block_count", 5), pair("attention.sliding_window_pattern", []bool{true, true, false, true, false}),
			u("attention.shared_kv_layers", 2), u("embedding_length_per_layer_input", 32), pair("attention.head_count_kv", []uint32{2, 2, 1, 2, 1}),
			pair("feed_forward_length", []uint32{96, 96, 96, 64, 64}), f("final_logit_softcapping", 3)),
			list(tied, norms, posts, at(0, local), at(1, local), at(2, global), at(3, local[:3]), at(4, global[:3]), at(0, gated), at(1, gated), at(2, gated), at(3, squares), at(4, squares),
				[]string{"per_layer_token_embd.weight V 160", "per_layer_model_proj.weight 160 D", "per_layer_proj_norm.weight X", ".inp_gate.weight X D", ".proj.weight D X",
					".post_norm.weight D", ".layer_output_scale.weight 1", "rope_freqs.weight d"})).deep(5),
		small("gemma3n", "gemma3n", pairs(rms, window, u("block_count", 5), f("rope.freq_base", 1e6), f("rope.freq_base_swa", 1e4), u("attention.key_length", 16), u("attention.value_length", 16)),
			list(tied, norms, posts, local, gated, []string{"per_layer_token_embd.weight V 1280", "per_layer_model_proj.weight 1280 D", "per_layer_proj_norm.weight 256",
				"altup_proj.weight 3 D D", "altup_unembd_proj.weight 3 D D", ".inp_gate.weight 256 D", ".proj.weight D 256", ".post_norm.weight D", ".altup_correct_coef.weight 4 4",
				".altup_correct_scale.weight D", ".altup_predict_coef.weight 16 4", ".altup_router.weight 4 D", ".altup_router_norm.weight D", ".laurel_l.weight D D",
				".laurel_r.weight D D", ".laurel_post_norm.weight D"})).deep(5),
		small("gemma3n-shared", "gemma3n", pairs(rms, window, u("block_count", 25), f("rope.freq_base", 1e6), f("rope.freq_base_swa", 1e4), u("attention.key_length", 16), u("attention.value_length", 16), u("attention.shared_kv_layers", 5)),
			list(tied, norms, posts, local, gated, []string{"per_layer_token_embd.weight V 6400", "per_layer_model_proj.weight 6400 D", "per_layer_proj_norm.weight 256",
				"altup_proj.weight 3 D D", "altup_unembd_proj.weight 3 D D", ".inp_gate.weight 256 D", ".proj.weight D 256", ".post_norm.weight D", ".altup_correct_coef.weight 4 4",
				".altup_correct_scale.weight D", ".altup_predict_coef.weight 16 4", ".altup_router.weight 4 D", ".altup_router_norm.weight D", ".laurel_l.weight D D",
				".laurel_r.weight D D", ".laurel_post_norm.weight D"})).deep(25).enlarging(),
		small("gemma4-moe", "gemma4", append(append(gemma, u("block_count", 4), pair("attention.sliding_window_pattern", []bool{true, false, true, false}),
			u("embedding_length_per_layer_input", 0), pair("attention.head_count_kv", []uint32{2, 1, 2, 1})), experts4...),
			list(tied, norms, posts, at(0, local), at(1, global[:5]), at(2, local), at(3, global[:5]), gated, []string{"rope_freqs.weight d", ".pre_ffw_norm_2.weight D",
				".post_ffw_norm_1.weight D", ".post_ffw_norm_2.weight D", ".ffn_gate_inp.weight E D", ".ffn_gate_inp.scale D", ".ffn_gate_up_exps.weight E D D",
				".ffn_down_exps.weight E D X", ".ffn_down_exps.scale E"})).deep(4),
		small("mellum", "mellum", with(few, four, window, pair("rope.scaling.type", "yarn"), f("rope.scaling.factor", 4), u("rope.scaling.original_context_length", 128)),
			list(tied, head, norms, qkv, headNorm, mixture)).deep(4),
		small("exaone-moe-listed", "exaone-moe", with(lead, pair("attention.sliding_window_pattern", []bool{true, false, false, true})),
			list(tied, head, norms, qkv, headNorm, mixed)).deep(4),
		small("paddleocr", "paddleocr", pairs(rms, mrope), list(decoder, head)),
		small("hunyuan_vl", "hunyuan_vl", pairs(rms, mrope), list(decoder, headNorm)),
	}
}
