package families

import "github.com/skainet-dev/skainet-go/io/gguf"

// memories lists families whose layers have a memory of one size.
func memories() []Family {
	four := u("block_count", 4)
	ssm := func(inner, state, rank, groups uint32) []gguf.Pair {
		return pairs(rms, u("ssm.conv_kernel", 4), u("ssm.inner_size", inner), u("ssm.state_size", state), u("ssm.time_step_rank", rank), u("ssm.group_count", groups))
	}
	selective := []string{".attn_norm.weight D", ".ssm_in.weight B D", ".ssm_conv1d.weight 2D 4", ".ssm_conv1d.bias 2D", ".ssm_x.weight 40 2D", ".ssm_dt.weight 2D 8", ".ssm_dt.bias 2D",
		".ssm_a 2D 16", ".ssm_d 2D", ".ssm_out.weight D 2D"}
	norms3 := []string{".ssm_dt_norm.weight 8", ".ssm_b_norm.weight 16", ".ssm_c_norm.weight 16"}
	duality := []string{".ssm_in.weight 328 D", ".ssm_conv1d.weight 2F 4", ".ssm_conv1d.bias 2F", ".ssm_dt.bias 8", ".ssm_a 8 1", ".ssm_d 8 1", ".ssm_norm.weight T D", ".ssm_out.weight D 2D"}
	none := pairs(u("attention.head_count", 0), u("attention.head_count_kv", 0), u("feed_forward_length", 0))
	first := []string{".attn_norm.weight D"}
	keys := pair("attention.head_count_kv", []uint32{0, 0, 2, 0})
	each := func(recurrent []string) []string {
		return list(at(0, recurrent), at(1, recurrent), at(2, qkv), at(3, recurrent), []string{".ffn_norm.weight D"})
	}
	delta := []string{".attn_qkv.weight 2F D", ".attn_gate.weight D D", ".ssm_conv1d.weight 2F 4", ".ssm_dt.bias 4", ".ssm_a 4", ".ssm_beta.weight 4 D", ".ssm_alpha.weight 4 D",
		".ssm_norm.weight 16", ".ssm_out.weight D D"}
	joint := list([]string{".attn_q.weight 2D D"}, qkv[1:], headNorm)
	grouped := list([]string{".attn_qkv.weight 2D D", ".ssm_conv1d.weight 2D 4"}, delta[1:2], delta[3:])
	ba := list(grouped[:5], []string{".ssm_ba.weight 8 D"}, delta[7:])
	nano := []string{".ffn_gate_inp.weight E D", ".ffn_up_exps.weight E X D", ".ffn_down_exps.weight E D X", ".exp_probs_b.bias E", ".ffn_up_shexp.weight X D", ".ffn_down_shexp.weight D X"}
	after := []string{".attn_norm.weight D", ".post_attention_norm.weight D"}
	qwen := with(ssm(64, 16, 4, 4), four, pair("rope.dimension_sections", []uint32{1, 1, 2, 0}), u("rope.dimension_count", 8), u("attention.key_length", 16), u("attention.value_length", 16))
	deltas := list(tied, after, at(0, delta), at(1, delta), at(2, delta), at(3, joint))
	return []Family{
		small("mamba", "mamba", with(ssm(128, 16, 8, 0), none...), list(tied, selective)),
		small("falcon-mamba", "mamba", with(with(ssm(128, 16, 8, 0), none...), pair("ssm.dt_b_c_rms", true)), list(tied, head, selective)),
		small("mamba2", "mamba2", with(ssm(128, 16, 8, 2), none...), list(tied, first, duality)),
		small("jamba", "jamba", with(with(ssm(128, 16, 8, 0), four, keys), u("expert_count", 4), u("expert_used_count", 2)), list(tied, head, first, each(list(selective[1:], norms3)), at(0, gated), at(2, gated),
			at(1, []string{".ffn_gate_inp.weight E D", ".ffn_gate_exps.weight E F D", ".ffn_up_exps.weight E F D", ".ffn_down_exps.weight E D F"}),
			at(3, []string{".ffn_gate_inp.weight E D", ".ffn_gate_exps.weight E F D", ".ffn_up_exps.weight E F D", ".ffn_down_exps.weight E D F"}))).deep(4),
		small("granitehybrid", "granitehybrid", with(ssm(128, 16, 8, 2), four, keys, f("logit_scale", 4), f("residual_scale", 0.5), f("embedding_scale", 3), f("attention.scale", 0.125),
			pair("rope.scaling.finetuned", false)), list(tied, first, each(duality), gated)).deep(4),
		small("granitehybrid-moe", "granitehybrid", with(with(ssm(128, 16, 8, 2), four, keys, u("feed_forward_length", 32), u("expert_shared_feed_forward_length", 32)), experts4[:2]...),
			list(tied, first, each(duality), mixture, shared)).deep(4),
		small("falcon-h1", "falcon-h1", ssm(128, 16, 8, 2), list(tied, head, first, []string{".ffn_norm D"}, duality, qkv, gated)),
		small("nemotron_h", "nemotron_h", with(ssm(128, 16, 8, 2), layer, four, pair("attention.head_count_kv", []uint32{0, 0, 2, 0}), pair("feed_forward_length", []uint32{0, 96, 0, 64})),
			list(tied, head, first, at(0, duality), at(1, ungated), at(2, qkv), at(3, []string{".ffn_up.weight D D", ".ffn_down.weight D D"}))).deep(4),
		small("nemotron_h_moe", "nemotron_h_moe", with(with(ssm(128, 16, 8, 2), layer, four, pair("attention.head_count_kv", []uint32{0, 0, 2, 0}), pair("feed_forward_length", []uint32{0, 32, 0, 32}),
			u("expert_shared_feed_forward_length", 32), u("expert_shared_count", 1), pair("expert_weights_norm", true), f("expert_weights_scale", 1.5)), experts4...),
			list(tied, head, first, at(0, duality), at(1, nano), at(2, qkv), at(3, nano))).deep(4),
		small("qwen3next", "qwen3next", with(with(with(ssm(64, 16, 4, 2), four, u("rope.dimension_count", 8), u("attention.key_length", 16), u("attention.value_length", 16)),
			u("expert_shared_feed_forward_length", 32)), experts4...),
			list(tied, after, at(0, ba), at(1, ba), at(2, ba), at(3, joint), head, []string{".ffn_gate_inp.weight E D", ".ffn_gate_up_exps.weight E D D", ".ffn_down_exps.weight E D X"}, shared, []string{".ffn_gate_inp_shexp.weight D"})).deep(4),
		small("qwen35-groups", "qwen35", with(qwen, u("ssm.group_count", 2)), list(tied, after, at(0, grouped), at(1, grouped), at(2, grouped), at(3, joint), gated)).deep(4),
		small("qwen35", "qwen35", qwen, list(deltas, gated)).deep(4),
		small("qwen35moe", "qwen35moe", with(with(qwen, u("expert_shared_feed_forward_length", 32)), experts4...),
			list(deltas, head, mixture, shared, []string{".ffn_gate_inp_shexp.weight D"})).deep(4),
	}
}
