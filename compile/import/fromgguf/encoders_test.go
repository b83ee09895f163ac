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
		change func(x *tensor.Index)
		code   errs.Code
		want   string
	}{
		"a reranker":                 {func(x *tensor.Index) { x.Scalars["bert.pooling_type"] = 4 }, causal.CodeKey, "bert.pooling_type"},
		"a decoder":                  {func(x *tensor.Index) { x.Scalars["bert.attention.causal"] = 1 }, causal.CodeKey, "bert.attention.causal"},
		"grouped heads":              {func(x *tensor.Index) { x.Scalars["bert.attention.head_count_kv"] = 2 }, causal.CodeKey, "bert.attention.head_count"},
		"a part of a head is turned": {func(x *tensor.Index) { x.Scalars["bert.rope.dimension_count"] = 8 }, causal.CodeKey, "bert.attention.head_count"},
		"no positions":               {func(x *tensor.Index) { drop(x, "position_embd.weight") }, tensor.CodeIndexMissing, "position_embd.weight"},
		"no embeddings":              {func(x *tensor.Index) { drop(x, "token_embd.weight") }, tensor.CodeIndexMissing, "token_embd.weight"},
		"a bias of a few":            {func(x *tensor.Index) { drop(x, "blk.1.ffn_up.bias") }, tensor.CodeIndexMissing, "blk.1.ffn_up.bias"},
	} {
		t.Run(name, func(t *testing.T) {
			x := index(t, "bert")
			tt.change(x)
			_, err := fromgguf.Import(x, fromgguf.Options{})
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
		})
	}
}
