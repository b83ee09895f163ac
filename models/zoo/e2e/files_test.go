//go:build integration

// Package e2e tests the zoo's models and the commands that use them. README.md says what
// it proves.
package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
)

// path returns the absolute path of the runfile that an environment variable names.
func path(t testing.TB, variable string) string {
	t.Helper()
	name := os.Getenv(variable)
	require.NotEmpty(t, name, "%s must name a runfile; run this test through Bazel", variable)
	p, err := runfiles.Rlocation(name)
	require.NoError(t, err)
	p, err = filepath.Abs(p)
	require.NoError(t, err)
	require.FileExists(t, p)
	return p
}

func read(t testing.TB, variable string, to any) {
	t.Helper()
	b, err := os.ReadFile(path(t, variable))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, to))
}

// run runs a command and returns what it prints.
func run(t testing.TB, variable string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(path(t, variable), args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return string(out)
}
