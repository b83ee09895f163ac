//go:build integration

// Package xla runs the targets of a model for XLA as `bazel run` does.
package xla

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
)

func place(t *testing.T, variable string) string {
	t.Helper()
	path, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err, variable)
	return path
}

// start runs a command in a folder, with a cache of its own.
func start(t *testing.T, dir, cache, name string, args ...string) (output string, status int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "BUILD_WORKING_DIRECTORY="+dir, "BUILD_WORKSPACE_DIRECTORY="+dir, "SKAINET_CACHE="+cache)
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); !ok {
		require.NoError(t, err, "%s", out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// The fixture computes w*x + v with w = [2, -3] and v = 0.5, here of x = [1, 2].
const answer = "y: f32[2] = [2.5 -5.5]\n"

// A portable program is compiled where it runs, once; a serialised one before.
func TestRun(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	kept := func() int {
		files, err := filepath.Glob(filepath.Join(cache, "*.xla"))
		require.NoError(t, err)
		return len(files)
	}
	out, status := start(t, dir, cache, place(t, "SERIALIZED"), "x=1,2")
	require.Zero(t, status, out)
	require.Equal(t, answer, out)
	require.Zero(t, kept(), "nothing is compiled")
	for range 2 {
		out, status = start(t, dir, cache, place(t, "BOTH"), "--entry=main", "x=1,2")
		require.Zero(t, status, out)
		require.Equal(t, answer, out)
		require.Equal(t, 1, kept())
	}
	out, status = start(t, dir, cache, place(t, "BOTH"), "x=1")
	require.Equal(t, 1, status)
	require.Contains(t, out, "BACKEND_BAD_ARGUMENT: main: argument \"x\"")
	out, status = start(t, dir, cache, place(t, "ALONE"), "--help")
	require.Zero(t, status, out)
	require.Contains(t, out, "takes x: f32[4]")
	out, status = start(t, dir, cache, place(t, "BENCH"), "--rounds=3")
	require.Zero(t, status, out)
	require.Contains(t, out, "main   3")
	out, status = start(t, dir, cache, place(t, "TPU"), "x=1,2")
	require.Equal(t, 1, status)
	require.Contains(t, out, "XLA_PLUGIN: no plugin for xla_tpu is chosen")
}

// The tar has all that a machine needs, and the call that its README says.
func TestTar(t *testing.T) {
	dir := t.TempDir()
	out, status := start(t, dir, dir, "tar", "xf", place(t, "TAR"))
	require.Zero(t, status, out)
	folder := filepath.Join(dir, "both")
	out, status = start(t, folder, dir, "sha256sum", "-c", "--quiet", "SHA256SUMS")
	require.Zero(t, status, out)
	readme, err := os.ReadFile(filepath.Join(folder, "README.md"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(readme)), "\n")
	words := strings.Fields(lines[len(lines)-1])
	out, status = start(t, folder, dir, words[0], words[1:]...)
	require.Zero(t, status, out)
	require.Equal(t, answer, out)
}
