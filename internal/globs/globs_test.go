package globs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "encoder/layer_0/w.weight", true},
		{"*.weight", "model.layers.0.mlp.weight", true},
		{"*.weight", "model.layers.0.mlp.weights", false},
		{"encoder/*", "encoder/layer_0/w", true},
		{"blk.?.attn_q", "blk.3.attn_q", true},
		{"blk.?.attn_q", "blk.13.attn_q", false},
		{"blk.[0-2].*", "blk.1.ffn", true},
		{"blk.[!0-2].*", "blk.1.ffn", false},
		{"*.{q,k}_proj", "a.k_proj", true},
		{"*.{q,k}_proj", "a.v_proj", false},
		{`a\*`, "ab", false},
		{`a\*`, "a*", true},
		{"", "", true},
		{"w", "w2", false},
	} {
		p, err := Compile(tt.pattern)
		require.NoError(t, err)
		require.Equal(t, tt.want, p.Match(tt.name), "%q of %q", tt.pattern, tt.name)
	}
}

func TestSet(t *testing.T) {
	s, err := CompileAll(nil)
	require.NoError(t, err)
	require.True(t, s.Match("any"))
	s, err = CompileAll([]string{"a*", "*z"})
	require.NoError(t, err)
	require.True(t, s.Match("ab"))
	require.True(t, s.Match("yz"))
	require.False(t, s.Match("b"))
	for _, bad := range []string{"[", "[z-a]"} {
		_, err = CompileAll([]string{"a", bad})
		require.Equal(t, CodeBad, errs.CodeOf(err), bad)
	}
}
