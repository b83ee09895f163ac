//go:build integration

// Package e2e tests the static runners as a board would use them. README.md explains
// what each file proves.
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// path returns the absolute path of the runfile that an environment variable names.
func path(t testing.TB, variable string) string {
	t.Helper()
	name := os.Getenv(variable)
	require.NotEmpty(t, name, "%s must name a runfile; run this test through Bazel", variable)
	p, err := runfiles.Rlocation(name)
	require.NoError(t, err)
	p, err = filepath.EvalSymlinks(p)
	require.NoError(t, err)
	return p
}

// prefix returns the words before the runner: an emulator, if the test has one.
func prefix(t testing.TB) []string {
	t.Helper()
	if os.Getenv("QEMU") == "" {
		return nil
	}
	name, err := runfiles.Rlocation(os.Getenv("QEMU"))
	require.NoError(t, err)
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	var tools struct {
		Available bool
		Prefix    []string
	}
	require.NoError(t, json.Unmarshal(b, &tools))
	require.True(t, tools.Available)
	for i, w := range tools.Prefix {
		tools.Prefix[i] = strings.ReplaceAll(w, "{root}", filepath.Dir(name))
	}
	// The program is static: it must not need the emulator's libraries (-L).
	return append(tools.Prefix[:1:1], strings.Fields(os.Getenv("QEMU_OPTIONS"))...)
}

type outcome struct {
	status         int // -1 when a signal ended it
	stdout, stderr string
}

// run starts the runner in dir with an empty environment.
func run(t testing.TB, dir string, args ...string) outcome {
	t.Helper()
	return start(t, dir, append([]string{path(t, "RUNNER")}, args...)...)
}

func start(t testing.TB, dir string, words ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	words = append(prefix(t), words...)
	if limit := os.Getenv("RUNNER_LIMIT"); limit != "" {
		words = append([]string{"/bin/sh", "-c", "ulimit -v " + limit + ` && exec "$@"`, "sh"}, words...)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = dir, []string{}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// board makes a folder with the files that a board gets, under short names.
func board(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for variable, name := range map[string]string{
		"PROGRAM": "demo.vmfb", "ARCHIVE": "demo.irpa", "CONTRACT": "demo.contract.json",
	} {
		b, err := os.ReadFile(path(t, variable))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o666))
	}
	return dir
}

// call returns the arguments that call an entry point.
func call(entry string, args ...string) []string {
	return append([]string{"demo.vmfb", "--contract", "demo.contract.json", "--archive=model=demo.irpa", "--entry", entry}, args...)
}

// put writes a file to the board's folder.
func put(t *testing.T, dir, name string, b []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o666))
}

// array returns the bytes of a .npy file.
func array[T tensor.Element](t *testing.T, data []T, sizes ...int64) []byte {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, npy.Write(&b, v))
	return b.Bytes()
}
