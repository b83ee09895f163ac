//go:build integration

package caches

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
)

// cache is the server of //test/reapi, used as a cache.
type cache struct{ root, address string }

func serve(t *testing.T) cache {
	t.Helper()
	program, err := runfiles.Rlocation(os.Getenv("REAPI"))
	require.NoError(t, err)
	c := cache{root: filepath.Join(os.Getenv("TEST_TMPDIR"), "reapi")}
	require.NoError(t, os.RemoveAll(c.root))
	require.NoError(t, os.Mkdir(c.root, 0o777))
	place := filepath.Join(c.root, "address")
	cmd := exec.Command(program, "--root", c.root, "--address-file", place)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		_ = cmd.Wait() // ended by the signal
	})
	require.Eventually(t, func() bool {
		address, err := os.ReadFile(place)
		c.address = string(address)
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	return c
}

// has reports whether a blob was ever sent.
func (c cache) has(hash string) bool {
	_, err := os.Stat(filepath.Join(c.root, "cas", hash[:2], hash))
	return err == nil
}
