//go:build integration

// Package interop holds our readers and writers of the formats against other
// implementations: IREE's tools and the Python packages gguf, libgguf and
// safetensors. README.md says what each file proves.
package interop

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/stretchr/testify/require"
)

// runfile returns the absolute path of the runfile that an environment variable names.
func runfile(t testing.TB, variable string) string {
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

// output runs a program and returns what it prints.
func output(t testing.TB, program string, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	require.NoError(t, err, "%s %v\n%s%s", filepath.Base(program), args, stderr.String(), stdout.String())
	return stdout.Bytes()
}

// python runs the test's oracle script and parses the JSON that it prints.
func python(t testing.TB, answer any, args ...string) {
	t.Helper()
	out := output(t, runfile(t, "PYTHON"), append([]string{runfile(t, "ORACLE")}, args...)...)
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(answer), "%s", out)
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, b, 0o644))
}
