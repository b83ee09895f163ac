package shape

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOver(t *testing.T) {
	for _, tt := range []struct{ d, by, want string }{
		{"batch*seq", "batch", "seq?"},
		{"batch*seq*12", "seq*4", "3*batch?"},
		{"batch*seq+batch", "seq+1", "batch?"},
		{"(a+b)*(a-b)", "a-b", "a+b?"},
		{"n", "n", "1"},
		{"6", "3", "2"},
		{"2*n", "2", "n?"},
		{"n*(n/2)", "n/2", "n?"},
		{"n-n", "n", "0"},
		{"n", "2", "?"},
		{"n", "m", "?"},
		{"6", "4", "?"},
		{"n", "0", "?"},
		{"0", "0", "?"},
		{"n+1", "n", "?"},
	} {
		require.Equal(t, tt.want, Named(tt.d).Over(Named(tt.by)).String(), "%s over %s", tt.d, tt.by)
	}
	require.Equal(t, "?", Dim{Size: Dynamic}.Over(Dim{Size: Dynamic}).String())
}

// A product over one of its factors is the other one, where there is a quotient.
func TestOverUndoesTimes(t *testing.T) {
	r, found := rand.New(rand.NewPCG(5, 4)), 0
	for range 3000 {
		sizes := map[string]int64{"a": 2, "b": 3, "c": 5}
		a, b := grow(r, sizes, 3), grow(r, sizes, 3)
		p := a.d.Times(b.d)
		if q := p.Over(b.d); q.IsKnown() && b.d.IsKnown() && p.Size >= Dynamic {
			found++
			require.Equal(t, p, q.Times(b.d), "%s over %s", p, b.d)
			if b.d.Size != 0 && a.d.IsKnown() {
				require.Equal(t, a.d, q, "%s over %s", p, b.d)
			}
		}
	}
	require.Greater(t, found, 1000)
}
