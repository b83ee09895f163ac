package drill

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The example of a job gives Bazel what its environment names, and nothing else.
func TestPipeline(t *testing.T) {
	script, err := os.ReadFile("../../../examples/ci/pipeline.sh")
	require.NoError(t, err)
	workspace := t.TempDir()
	path := filepath.Join(workspace, "examples/ci/pipeline.sh")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, script, 0o755))
	// A Bazel that shows its arguments, and the settings that it was given as a file.
	require.NoError(t, os.WriteFile(filepath.Join(workspace, "bazelw"), []byte(`#!/bin/sh
echo "CI=$CI"
for a in "$@"; do case $a in --bazelrc=*) cat "${a#*=}";; *) echo "$a";; esac; done
`), 0o755))
	header := filepath.Join(workspace, "header")
	require.NoError(t, os.WriteFile(header, []byte("Authorization: Bearer a=b\n"), 0o600))
	empty := filepath.Join(workspace, "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))

	run := func(args []string, env ...string) (string, error) {
		cmd := exec.Command("bash", append([]string{path}, args...)...)
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}, env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, c := range []struct {
		args, env []string
		want      string
	}{
		{nil, nil, "CI=true test -- //..."},
		{[]string{"//a", "//b:c"}, []string{"CACHE_URL=https://c/x"}, "CI=true test --config=ci-cache --remote_cache=https://c/x -- //a //b:c"},
		{nil, []string{"CACHE_URL=grpcs://c", "CACHE_WRITE=true"}, "CI=true test --config=ci-cache --remote_cache=grpcs://c --config=ci-cache-write -- //..."},
		{nil, []string{"CACHE_WRITE=true"}, "CI=true test -- //..."},
		{nil, []string{"ENGINE_URL=grpcs://e", "DISK_CACHE=/d"}, "CI=true test --config=remote --remote_executor=grpcs://e --disk_cache=/d -- //..."},
		{nil, []string{"VENDOR_DIR=/v"}, "CI=true test --vendor_dir=/v -- //..."},
		{nil, []string{"AUTH_HEADER_FILE=" + header}, "CI=true build '--remote_header=Authorization=Bearer a=b' test -- //..."},
	} {
		out, err := run(c.args, c.env...)
		require.NoError(t, err, out)
		require.Equal(t, c.want, strings.ReplaceAll(strings.TrimSpace(out), "\n", " "))
	}
	out, err := run(nil, "AUTH_HEADER_FILE="+empty)
	require.Error(t, err)
	require.Contains(t, out, "holds no")
}
