//go:build integration

package traps

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A cache is updated in place: no entry point copies one or allocates another, and the
// kernels for CPUs make no other form of it. Without kernels attention over a dynamic
// number of tokens widens the cache.
func TestCachesAreChangedInPlace(t *testing.T) {
	for row, lifetimes := range map[string][]string{"X86_64_V3": {"variable", "transient"}, "VULKAN": {"variable"}} {
		stream := text(t, "CACHED_"+row)
		for _, entry := range []string{"decode", "prefill", "generate"} {
			require.Contains(t, stream, "util.func public @"+entry+"(", "this is not the program's text")
		}
		require.Greater(t, strings.Count(stream, "stream.cmd.dispatch"), 20)
		require.Empty(t, Moves(stream, CacheSize, lifetimes...), row)
	}
}

// A loop that carries two caches copies them in each iteration: when a newer compiler
// does not, they need not be kept in variables any more.
func TestMovesAreFound(t *testing.T) {
	moves := Moves(text(t, "CARRIED"), CacheSize, "variable")
	require.Len(t, moves, 3, "two copies, and memory for both")
	require.Contains(t, moves[1], "gen: stream.cmd.copy")
}
