//go:build integration

package traps

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// text reads the compiler's text that the Bazel target made.
func text(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	require.NotEmpty(t, path, "%s must name the file; run this test through Bazel", variable)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

// The smallest matrix of the model has 384 x 80 x 3 elements; masks and tables
// of indices are smaller.
const weightSize = 64 << 10

func TestNoSecondCopyOfWeights(t *testing.T) {
	for _, row := range []string{"X86_64_V3", "X86_64_V4", "AARCH64"} {
		flow := text(t, "WHISPER_"+row)
		require.Greater(t, strings.Count(flow, "#flow.parameter.named"), 100, "this is not the model's text")
		require.Empty(t, HoistedCopies(flow, weightSize), row)
	}
}

// The same compile with the flags that the table forbids shows the copies:
// without this the test above could look for the wrong thing.
func TestCopiesAreFound(t *testing.T) {
	require.NotEmpty(t, HoistedCopies(text(t, "WHISPER_HOISTED"), weightSize), "hoisting no longer widens weights")
	require.NotEmpty(t, HoistedCopies(text(t, "LINEAR_O0"), weightSize), "O0 no longer transposes weights")
	require.Empty(t, HoistedCopies(text(t, "LINEAR_O2"), weightSize))
}

func TestKernelsAreSynchronised(t *testing.T) {
	for _, row := range []string{"VULKAN", "VULKAN_GENERIC"} {
		kernels := text(t, "WHISPER_"+row)
		require.Greater(t, Kernels(kernels), 50, "these are not the model's kernels")
		require.Empty(t, Unsynchronised(kernels), row)
	}
}

// When a newer compiler inserts the barrier, reductions need not be separated any
// more.
func TestMissingBarriersAreFound(t *testing.T) {
	for _, row := range []string{"VULKAN", "VULKAN_GENERIC"} {
		require.Equal(t, 1, Kernels(text(t, "FUSED_"+row)))
		require.Len(t, Unsynchronised(text(t, "FUSED_"+row)), 1, row)
	}
}

// The elements of a weight in blocks exist only in registers: no kernel writes a
// float tensor of the weight's size. On CPUs that holds for any number of vectors.
func TestBlocksAreNotUnpacked(t *testing.T) {
	for _, variable := range []string{"PACKED_X86_64_V3", "PACKED_VULKAN", "UNPACKED_X86_64_V3"} {
		flow := text(t, variable)
		require.GreaterOrEqual(t, strings.Count(flow, "flow.dispatch @"), 12, "%s: these are not the products", variable)
		require.Empty(t, StoredFloats(flow, PackedSize), variable)
	}
}

// Without kernels a product with several vectors stores the weight: the check of
// the test above can fail.
func TestUnpackedBlocksAreFound(t *testing.T) {
	require.NotEmpty(t, StoredFloats(text(t, "UNPACKED_VULKAN"), PackedSize))
}
