package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A vector takes no division but where the scale is near the limits of the exponent, and the
// last elements are masked in both loops.
func TestQuantize(t *testing.T) {
	text := Quantize{}.Text(Form{Indent: "  ", Wide: true})
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
	fast, slow, ok := strings.Cut(text[strings.Index(text, "scf.if"):], "} else {")
	require.True(t, ok)
	require.Equal(t, 1, strings.Count(fast, "arith.divf"), "the reciprocal")
	require.Equal(t, 2*4, strings.Count(fast, "vector.fma"), "two steps, of a whole and of a masked vector")
	require.Equal(t, 2, strings.Count(slow, "arith.divf"))
	require.NotContains(t, slow, "vector.fma")
	for _, loop := range []string{fast, slow} {
		require.Equal(t, 1, strings.Count(loop, "vector.maskedload"))
		require.Equal(t, 1, strings.Count(loop, "vector.maskedstore"))
		require.Equal(t, 2, strings.Count(loop, "cmpf oeq"), "NaNs")
	}
}
