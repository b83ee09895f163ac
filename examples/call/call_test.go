//go:build integration

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/examples/call/identity"
	"github.com/skainet-dev/skainet-go/examples/call/mean"
)

func runfile(t *testing.T, variable string) string {
	t.Helper()
	p, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err)
	return p
}

// copied copies a file to a folder.
func copied(t *testing.T, from, folder string) string {
	t.Helper()
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	to := filepath.Join(folder, filepath.Base(from))
	require.NoError(t, os.WriteFile(to, data, 0o700))
	return to
}

// The program among its runfiles, and where its files were copied next to it.
func TestProgram(t *testing.T) {
	binary := runfile(t, "CALL")
	folder := t.TempDir()
	alone := copied(t, binary, folder)
	call := func(path string, env []string) (string, error) {
		cmd := exec.Command(path, "1,2,3", "10")
		cmd.Env, cmd.Dir = env, folder
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	const want = "2 (of 3)\n4 (of 4)\n"
	out, err := call(binary, os.Environ())
	require.NoError(t, err, out)
	require.Equal(t, want, out)

	out, err = call(alone, []string{"PATH="})
	require.Error(t, err)
	require.Contains(t, out, "LAUNCH_RUNFILES: running_vmfb_cpu.vmfb: the compiled program is not next to this binary")
	for _, variable := range []string{"PROGRAM", "CONTRACT", "LIBRARY"} {
		copied(t, runfile(t, variable), folder)
	}
	out, err = call(alone, []string{"PATH="})
	require.NoError(t, err, out)
	require.Equal(t, want, out)
}

// Sessions have states of their own, and mistakes have codes.
func TestSessions(t *testing.T) {
	ctx := context.Background()
	m, err := mean.Open(program.Options{})
	require.NoError(t, err)
	defer m.Close()
	other, err := m.Session(nil)
	require.NoError(t, err)
	for i, s := range []*mean.Model{m, m, other} {
		so, err := s.Add(ctx, []float32{3, 5})
		require.NoError(t, err)
		require.Equal(t, mean.AddOut{Mean: 4, Count: []int32{2, 4, 2}[i]}, so)
	}
	require.NoError(t, other.Close())
	_, err = m.Add(ctx, nil)
	require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err), "%v", err)
	_, err = mean.Open(program.Options{Device: "cuda"})
	require.Equal(t, program.CodeDevice, errs.CodeOf(err), "%v", err)
	// Each call through the tool is a process of its own, which would forget.
	_, err = mean.Open(program.Options{Tool: runfile(t, "TOOL")})
	require.Equal(t, errs.Code("IREE_TOOL_STATE"), errs.CodeOf(err), "%v", err)
}

// A program in the binary leaves no file, and is opened as often as one likes.
func TestEmbedded(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("RUNFILES_DIR", folder)
	for _, o := range []program.Options{{}, {Threads: 1}, {Tool: runfile(t, "TOOL")}} {
		m, err := identity.Open(o)
		require.NoError(t, err)
		y, err := m.Main(t.Context(), []float32{3, -4.5})
		require.NoError(t, err)
		require.Equal(t, []float32{3, -4.5}, y)
		_, err = m.Main(t.Context(), []float32{3})
		require.ErrorContains(t, err, `BACKEND_BAD_ARGUMENT: main: argument "x", f32[2]`)
		require.NoError(t, m.Close())
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, left)
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "none"))
	_, err := identity.Open(program.Options{})
	require.Equal(t, program.CodeExtract, errs.CodeOf(err), "%v", err)
}
