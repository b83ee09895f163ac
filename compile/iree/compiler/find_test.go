package compiler

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(Variable, "")
	t.Setenv("PATH", dir)
	_, err := Find()
	require.Equal(t, CodeNone, errs.CodeOf(err))
	require.ErrorContains(t, err, "--backend=cpu")
	path := filepath.Join(dir, "iree-compile")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755))
	found, err := Find()
	require.NoError(t, err)
	require.Equal(t, path, found)
	t.Setenv(Variable, "/named/iree-compile")
	found, err = Find()
	require.NoError(t, err)
	require.Equal(t, "/named/iree-compile", found)
}
