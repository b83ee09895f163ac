package statuscode

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	require.Equal(t, "RESOURCE_EXHAUSTED", Name(8))
	require.Equal(t, "INCOMPATIBLE", Name(18))
	require.Equal(t, "UNKNOWN", Name(-1))
	require.Equal(t, "UNKNOWN: far away", Text(1000, "far away"))
	require.Equal(t, "NOT_FOUND", Text(5, ""))
}
