//go:build integration

package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
)

// The program for aarch64 on the emulated aarch64 runtime: the encoder,
// and the decoder's steps over the prompt. Both match Flax.
func TestEncoderAndDecoderOnAarch64(t *testing.T) {
	g := flax(t)
	o := options(t, "PROGRAM_AARCH64")
	o.Tool, o.ToolPrefix = path(t, "TOOL_AARCH64"), toolsOf(t, "QEMU").Prefix
	o.Device = "local-task"
	o.Workers = 2
	x, err := iree.Open(o)
	require.NoError(t, err)
	defer func() { require.NoError(t, x.Close()) }()
	encoded := one(t, x, "encode", window(t, o.Contract))
	checkEncoder(t, g, encoded)
	checkLogits(t, g, one(t, x, "prefill", encoded, prompt(t, g.Prompt), of(t, []int32{int32(len(g.Prompt))})))
}
