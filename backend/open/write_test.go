package open

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A compiler that fails leaves the program that was there before, and nothing of its own.
func TestWriteKeepsWhatWasThere(t *testing.T) {
	g, err := lang.Capture("m", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 2).Exp()) })
	})
	require.NoError(t, err)
	dir := t.TempDir()
	fails := filepath.Join(dir, "iree-compile")
	require.NoError(t, os.WriteFile(fails, []byte("#!/bin/sh\nexit 1\n"), 0o700))
	path := filepath.Join(dir, "out", "m.vmfb")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	_, err = Write(t.Context(), g, path, Options{Compiler: fails})
	require.Error(t, err)
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(kept))
	list, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, list, 1)
}
