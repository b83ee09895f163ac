//go:build integration

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
	"github.com/skainet-dev/skainet-go/io/npy"
)

// The command line from text to results: compile, then run in both forms.
func TestCommandLine(t *testing.T) {
	o := linear(t)
	dir := t.TempDir()
	program, contract, y := filepath.Join(dir, "l.vmfb"), filepath.Join(dir, "l.contract.json"), filepath.Join(dir, "y.npy")
	b, err := linearContract.Marshal()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(contract, b, 0o644))
	skainet := func(status int, args ...string) (stdout, stderr string) {
		var out, errOut bytes.Buffer
		require.Equal(t, status, cli.Main(args, &out, &errOut), errOut.String())
		return out.String(), errOut.String()
	}
	args := []string{"compile", "testdata/linear.mlir", "--compiler", path(t, "IREE_COMPILE"), "--lld", path(t, "IREE_LLD"), "-o", program}
	for _, f := range cpuFlags {
		args = append(args, "--flag="+f)
	}
	stdout, stderr := skainet(0, args...)
	require.Empty(t, stdout+stderr)
	for _, runtime := range [][]string{{"--library", path(t, "IREERT_LIBRARY")}, {"--tool", path(t, "IREE_RUN_MODULE")}} {
		run := append([]string{"run", program, "--contract", contract, "--archive", "model=" + o.Archives["model"][0], "--entry", "apply"}, runtime...)
		stdout, stderr = skainet(0, append(run, "x=1,0,2,2")...)
		require.Equal(t, "y: f32[2x3] = [[1 3 5] [6 14 22]]\n", stdout)
		require.Empty(t, stderr)
		stdout, _ = skainet(0, append(run, "x=1,0,2,2", "-o", "y="+y)...)
		require.Empty(t, stdout)
		v, err := npy.ReadFile(y)
		require.NoError(t, err)
		require.Equal(t, of(t, []float32{1, 3, 5, 6, 14, 22}, 2, 3), v)
		stdout, stderr = skainet(1, append(run, "x=1,0,2,2", "--device=gpu9")...)
		require.Empty(t, stdout)
		require.Regexp(t, `^skainet: IREE_NO_DEVICE: gpu9: .*local-sync, local-task, vulkan`, stderr)
	}
}
