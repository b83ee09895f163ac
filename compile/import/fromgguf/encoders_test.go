package fromgguf_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/families"
)

// Vectors are of length 1, of 64 elements around an eighth; llama.cpp's GELU is a table of
// f16.
const vectorTolerance = 5e-4

// The vectors of two texts, in one batch of which the shorter is padded, are llama.cpp's.
func TestVectorsAgainstLlamaCPP(t *testing.T) {
	recorded, err := families.Recorded()
	require.NoError(t, err)
	long := append(append([]int32(nil), recorded.Prompt...), recorded.Rest...)
	n := len(long)
	tokens, mask := make([]int32, 2*n), make([]int32, 2*n)
	copy(tokens, recorded.Prompt)
	copy(tokens[n:], long)
	for i := range mask {
		if i < len(recorded.Prompt) || i >= n {
			mask[i] = 1
		}
	}
	matrix := func(list []int32) tensor.Value {
		v, err := tensor.Of(list, 2, int64(n))
		require.NoError(t, err)
		return v
	}
	for _, f := range families.Encoders() {
		t.Run(f.Name, func(t *testing.T) {
			want := recorded.Cases[f.Name]
			require.Len(t, want.Vectors, 2)
			g, path := load(t, f, want.SHA256)
			x, err := open.Graph(context.Background(), g, open.Options{Backend: open.CPU, Weights: path})
			require.NoError(t, err)
			defer x.Close()
			got := floats(t, x, "embed", matrix(tokens), matrix(mask))
			require.InDeltaSlice(t, want.Vectors[0], got[:64], vectorTolerance)
			require.InDeltaSlice(t, want.Vectors[1], got[64:], vectorTolerance)
		})
	}
}

func TestEncodersRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(x *tensor.Index)
		code   errs.Code
		want   string
	}{
		"a reranker":      {func(x *tensor.Index) { x.Scalars["bert.pooling_type"] = 4 }, causal.CodeKey, "bert.pooling_type"},
		"a decoder":       {func(x *tensor.Index) { x.Scalars["bert.attention.causal"] = 1 }, causal.CodeKey, "bert.attention.causal"},
		"grouped heads":   {func(x *tensor.Index) { x.Scalars["bert.attention.head_count_kv"] = 2 }, causal.CodeKey, "bert.attention.head_count"},
		"no positions":    {func(x *tensor.Index) { drop(x, "position_embd.weight") }, tensor.CodeIndexMissing, "position_embd.weight"},
		"no embeddings":   {func(x *tensor.Index) { drop(x, "token_embd.weight") }, tensor.CodeIndexMissing, "token_embd.weight"},
		"a bias of a few": {func(x *tensor.Index) { drop(x, "blk.1.ffn_up.bias") }, tensor.CodeIndexMissing, "blk.1.ffn_up.bias"},
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
