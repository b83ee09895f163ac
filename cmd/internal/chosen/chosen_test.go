package chosen

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/internal/command"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// opened runs a command that prints the entry point of its model.
func opened(t *testing.T, args ...string) (out, said string, status int) {
	t.Helper()
	var m Model
	cmd := &cobra.Command{Use: "show", RunE: func(cmd *cobra.Command, _ []string) error {
		x, err := m.Open(cmd.Context(), &program.Parts{}, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		defer x.Close()
		return command.Print(cmd.OutOrStdout(), "name", x.Contract().Entries[0].Name)
	}}
	m.Flags(cmd)
	var stdout, stderr bytes.Buffer
	status = command.Run(context.Background(), cmd, args, &stdout, &stderr)
	return stdout.String(), stderr.String(), status
}

const digits = "../../../rules/tests/stablehlo/digits.mlir"

func TestOpen(t *testing.T) {
	out, said, status := opened(t, "--model", digits)
	require.Zero(t, status, said)
	require.Equal(t, "main", out)
	require.Empty(t, said)

	// Under `bazel run`, paths are relative to the user's folder.
	dir, err := filepath.Abs(filepath.Dir(digits))
	require.NoError(t, err)
	t.Setenv("BUILD_WORKING_DIRECTORY", dir)
	t.Setenv("BUILD_WORKSPACE_DIRECTORY", dir)
	runfiles := filepath.Join(t.TempDir(), "show.runfiles")
	require.NoError(t, os.Mkdir(runfiles, 0o700))
	t.Chdir(runfiles)
	out, said, status = opened(t, "--model", filepath.Base(digits))
	require.Zero(t, status, said)
	require.Equal(t, "main", out)
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{nil, 1, "LAUNCH_"},
		{[]string{"--backend=cpu"}, 2, "USAGE: --backend is for a model's file"},
		{[]string{"--target=cpu_x86_64_v3"}, 2, "leave --target out"},
		{[]string{"--model", digits, "--program=x"}, 2, "USAGE"},
		{[]string{"--model", digits, "--backend=tpu"}, 1, "EVAL_BACKEND"},
		{[]string{"--model", digits + ".none"}, 1, "digits.mlir.none"},
	} {
		out, said, status := opened(t, c.args...)
		require.Equal(t, c.status, status, said)
		require.Contains(t, said, c.says)
		require.Empty(t, out)
	}
}
