//go:build integration

package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// A whole clip on Mesa's software driver, by the program that users run: Flax's
// tokens, and the likelihood that a CPU finds for them. The mean of 25 logarithms
// whose logits differ by 1e-4 is held to 1e-3.
func TestTranscriptOnVulkan(t *testing.T) {
	recognise := func(env []string, device string) transcript {
		r := start(t, "TRANSCRIBE", env, "--json", "--device="+device, path(t, "CLIP"))
		require.Equal(t, 0, r.status, "%s", r.stderr)
		require.Empty(t, r.stderr)
		var x transcript
		require.NoError(t, json.Unmarshal([]byte(r.stdout), &x))
		require.Len(t, x.Segments, 1)
		return x
	}
	got, want := recognise(toolsOf(t, "LAVAPIPE").env(), "vulkan"), recognise(nil, "local-sync")
	require.Equal(t, sentence, *got.Text)
	require.Equal(t, flax(t).IDs, got.Segments[0].Tokens)
	require.InDelta(t, *want.Segments[0].LogProb, *got.Segments[0].LogProb, 1e-3)
}
