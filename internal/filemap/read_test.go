//go:build unix

package filemap

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestReadFile(t *testing.T) {
	for _, data := range []string{"", "0123456789"} {
		b, err := ReadFile(write(t, data), 10)
		require.NoError(t, err)
		require.Equal(t, data, string(b))
	}
	_, err := ReadFile(write(t, "0123456789"), 9)
	require.Equal(t, CodeOpen, errs.CodeOf(err))
	require.ErrorContains(t, err, "10 bytes, at most 9 are taken")
}

// Nobody writes to the pipe, so that opening it would wait for ever.
func TestSpecialFilesAreNotOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for path, want := range map[string]string{
		pipe: "not a regular file but a pipe", os.DevNull: "a device", t.TempDir(): "a folder", pipe + "x": "no such file",
	} {
		_, err := ReadFile(path, 10)
		require.Equal(t, CodeOpen, errs.CodeOf(err), path)
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, want)
		_, err = Open(path)
		require.Equal(t, CodeOpen, errs.CodeOf(err), path)
		require.ErrorContains(t, err, want)
	}
}
