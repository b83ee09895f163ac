//go:build integration

package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A whole clip on Mesa's software driver, by the program that users run.
func TestTranscriptOnVulkan(t *testing.T) {
	r := start(t, "TRANSCRIBE", toolsOf(t, "LAVAPIPE").env(), "--device=vulkan", path(t, "CLIP"))
	require.Equal(t, ran{0, sentence + "\n", ""}, r)
}
