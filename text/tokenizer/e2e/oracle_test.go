//go:build integration

package e2e_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/test/tokenizers"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// Ids of 10,000 lines are those that the peers gave.
func TestOracle(t *testing.T) {
	for _, s := range tokenizers.Subjects {
		t.Run(s.Name, func(t *testing.T) {
			tok := open(t, path(t, s.Variable))
			list := tokenizers.LinesOf(tok)
			want := oracle(t, s.Name)
			got := encode(t, tok, list, tokenizer.Options{})
			for i, ids := range want.Whole {
				require.Equal(t, ids, got[i], "line %d, %q", i, list[i])
			}
			for i, d := range tokenizers.Digests(got) {
				require.Equal(t, want.Digests[i], d, "lines %d to %d", i*tokenizers.Group, (i+1)*tokenizers.Group-1)
			}
			require.Equal(t, want.Stop, tok.Specials().Stop)
		})
	}
	// MiniLM's vocab.txt is the same tokenizer.
	list := tokenizers.LinesOf(open(t, path(t, "MINILM")))
	got := encode(t, open(t, path(t, "MINILM_VOCAB")), list, tokenizer.Options{})
	require.Equal(t, oracle(t, "minilm").Digests, tokenizers.Digests(got))
}

func TestSpecials(t *testing.T) {
	gemma := open(t, path(t, "GEMMA"))
	require.Equal(t, 262144, gemma.Size())
	s := gemma.Specials()
	require.Equal(t, []int32{2, 1, 106, 3, 0}, []int32{s.BOS, s.EOS, s.EOT, s.Unknown, s.PAD})
	require.True(t, s.AddBOS && !s.AddEOS && slices.Contains(s.Stop, 106) && !slices.Contains(s.Stop, 105))
	ids, err := gemma.Encode("The capital of France is", true)
	require.NoError(t, err)
	require.Equal(t, []int32{2, 818, 5279, 529, 7001, 563}, ids)

	smol := open(t, path(t, "SMOLLM2"))
	require.Equal(t, 49152, smol.Size())
	s = smol.Specials()
	require.Equal(t, []int32{1, 2, 2}, []int32{s.BOS, s.EOS, s.EOT})
	require.False(t, s.AddBOS)
	ids, err = smol.Encode("The capital of France is", true)
	require.NoError(t, err)
	require.Equal(t, []int32{504, 3575, 282, 4649, 314}, ids)
}
