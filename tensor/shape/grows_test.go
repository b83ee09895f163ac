package shape

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrows(t *testing.T) {
	for text, want := range map[string]bool{
		"n": true, "batch*seq": true, "past+seq": true, "n-1": true, "(n+1)/2": true, "(n-1)/2": true, "2*n+1": true, "n*m/3": true,
		"batch-seq": false, "4-n": false, "(9-n)/2": false, "n*m-n": false, "?": false,
	} {
		require.Equal(t, want, Named(text).Grows(), text)
	}
	require.True(t, N(3).Grows())
	require.False(t, Dim{Size: Dynamic}.Grows())
}

// What grows is nowhere smaller for larger sizes.
func TestGrowsIsSo(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 3))
	grown := 0
	for range 4000 {
		small := map[string]int64{"a": 1 + r.Int64N(6), "b": 1 + r.Int64N(6), "c": 1 + r.Int64N(6)}
		large := map[string]int64{}
		for name, n := range small {
			large[name] = n + r.Int64N(6)
		}
		d := grow(r, small, 4).d
		if d.IsStatic() || !d.Grows() {
			continue
		}
		low, err := d.Bind(small)
		if err != nil {
			continue // no size
		}
		high, err := d.Bind(large)
		require.NoError(t, err)
		require.LessOrEqual(t, low.Size, high.Size, "%s from %v to %v", d, small, large)
		grown++
	}
	require.Greater(t, grown, 500)
}
