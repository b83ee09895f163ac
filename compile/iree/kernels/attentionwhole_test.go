package kernels

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The mask is an operand of its kernel alone, and with wide registers two vectors of keys and
// of values share what is read.
func TestAttentionWhole(t *testing.T) {
	for symbol, a := range map[string]AttentionWhole{
		"attend_all_32_3f800000":        {Depth: 32, Scale: 1},
		"attend_all_48_3e000000":        {Depth: 48, Scale: 0.125},
		"attend_all_32_3e000000_masked": {Depth: 32, Scale: 0.125, Masked: true},
	} {
		require.True(t, a.Supported())
		require.Equal(t, symbol, a.Symbol())
		for _, wide := range []bool{false, true} {
			text := a.Text(Form{Indent: "  ", Wide: wide})
			require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
			require.Equal(t, a.Masked, strings.Contains(text, "%b4: !stream.binding"))
			rows, vectors := 6, 1
			if wide {
				rows = 8
				if a.Depth%32 == 0 {
					vectors = 2
				}
			}
			// Scores of keys that fill vectors, and of those that do not, and values.
			steps := 2*rows*tileUnroll + rows*vectors
			if vectors == 2 {
				steps += 2 * rows * tileUnroll
			}
			require.Equal(t, steps, strings.Count(text, "vector.fma"), "%s, wide %v", symbol, wide)
		}
	}
	for _, a := range []AttentionWhole{{Depth: 24, Scale: 1}, {Scale: 1}, {Depth: 272, Scale: 1}, {Depth: 32, Scale: math.Inf(1)}, {Depth: 32, Scale: math.NaN()}} {
		require.False(t, a.Supported(), "%v", a)
	}
}
