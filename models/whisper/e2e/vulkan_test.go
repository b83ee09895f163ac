//go:build integration

package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
)

// The program for Mali on Mesa's software driver, which is configured for Mali's
// subgroups of 16. The tool runs it, since the driver is chosen by the environment
// that a process starts with.
func TestEncoderOnVulkan(t *testing.T) {
	g := flax(t)
	o := options(t, "PROGRAM_VULKAN")
	o.Tool, o.Device, o.Env = path(t, "TOOL"), "vulkan", toolsOf(t, "LAVAPIPE").env()
	x, err := iree.Open(o)
	require.NoError(t, err)
	defer func() { require.NoError(t, x.Close()) }()
	checkEncoder(t, g, one(t, x, "encode", window(t, o.Contract)))
}
