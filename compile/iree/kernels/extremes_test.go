package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A NaN is kept by all comparisons, and the last elements are compared under a mask.
func TestExtremes(t *testing.T) {
	text := Extremes{}.Text(Form{Indent: "  "})
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
	require.Equal(t, extremeChains+(extremeChains-1)+2, strings.Count(text, "arith.minimumf"))
	require.Equal(t, strings.Count(text, "arith.minimumf"), strings.Count(text, "arith.maximumf"))
	require.NotContains(t, text, "num")
	require.Equal(t, 1, strings.Count(text, "vector.maskedload"))
	require.Equal(t, 2, strings.Count(text, "memref.store"))
}
