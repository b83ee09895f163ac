package fromgguf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
)

func TestEncodersRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		family string
		change func(x *tensor.Index)
		code   errs.Code
		want   string
	}{
		"a reranker":                 {"bert", func(x *tensor.Index) { x.Scalars["bert.pooling_type"] = 4 }, causal.CodeKey, "bert.pooling_type"},
		"a decoder":                  {"bert", func(x *tensor.Index) { x.Scalars["bert.attention.causal"] = 1 }, causal.CodeKey, "bert.attention.causal"},
		"grouped heads":              {"bert", func(x *tensor.Index) { x.Scalars["bert.attention.head_count_kv"] = 2 }, causal.CodeKey, "bert.attention.head_count"},
		"a part of a head is turned": {"bert", func(x *tensor.Index) { x.Scalars["bert.rope.dimension_count"] = 8 }, causal.CodeKey, "bert.attention.head_count"},
		"no positions":               {"bert", func(x *tensor.Index) { drop(x, "position_embd.weight") }, tensor.CodeIndexMissing, "position_embd.weight"},
		"no embeddings":              {"bert", func(x *tensor.Index) { drop(x, "token_embd.weight") }, tensor.CodeIndexMissing, "token_embd.weight"},
		"a bias of a few":            {"bert", func(x *tensor.Index) { drop(x, "blk.1.ffn_up.bias") }, tensor.CodeIndexMissing, "blk.1.ffn_up.bias"},
		"more experts than all":      {"nomic-bert-moe", func(x *tensor.Index) { x.Scalars["nomic-bert-moe.expert_used_count"] = 5 }, causal.CodeKey, "nomic-bert-moe.expert_used_count: 5 of 4"},
		"no second layer":            {"nomic-bert-moe", func(x *tensor.Index) { x.Scalars["nomic-bert-moe.moe_every_n_layers"] = 1 }, causal.CodeKey, "nomic-bert-moe.moe_every_n_layers"},
		"experts of BERT":            {"bert", func(x *tensor.Index) { x.Scalars["bert.moe_every_n_layers"] = 2 }, causal.CodeKey, "bert.moe_every_n_layers"},
		"a first norm":               {"modern-bert", func(x *tensor.Index) { drop(x, "blk.1.attn_norm.weight") }, tensor.CodeIndexMissing, "blk.1.attn_norm.weight"},
	} {
		t.Run(name, func(t *testing.T) {
			x := index(t, tt.family)
			tt.change(x)
			_, err := fromgguf.Import(x, fromgguf.Options{})
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
		})
	}
}
