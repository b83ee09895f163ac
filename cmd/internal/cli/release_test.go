package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/release"
)

// A release is checked alone, and against the files that it was made from.
func TestVerifyRelease(t *testing.T) {
	out, checkout := t.TempDir(), t.TempDir()
	file := filepath.Join(checkout, "MODULE.bazel")
	require.NoError(t, os.WriteFile(file, []byte("module()\n"), 0o666))
	require.NoError(t, release.Write(release.Options{
		Version: "1.0.0", Files: map[string]string{"skainet": file}, Sources: []release.Source{{Name: "MODULE.bazel", Path: file}}, Out: out,
	}))
	for _, more := range [][]string{nil, {"--checkout", checkout}} {
		status, stdout, stderr := run(append([]string{"verify-release", out}, more...)...)
		require.Zero(t, status, stderr)
		require.Equal(t, "ok provenance.intoto.json\nok sbom.spdx.json\nok skainet\n", stdout)
	}
	require.NoError(t, os.WriteFile(file, []byte("module(1)\n"), 0o666))
	fails(t, 1, "RELEASE_SOURCE", "verify-release", out, "--checkout", checkout)
	require.NoError(t, os.WriteFile(filepath.Join(out, "skainet"), nil, 0o666))
	fails(t, 1, "RELEASE_SUM", "verify-release", out)
	fails(t, 1, "FILE_OPEN", "verify-release", checkout)
}
