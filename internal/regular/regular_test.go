//go:build unix

package regular

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestRead(t *testing.T) {
	for _, data := range []string{"", "0123456789"} {
		b, err := Read(write(t, data), 10)
		require.NoError(t, err)
		require.Equal(t, data, string(b))
	}
	_, err := Read(write(t, "0123456789"), 9)
	require.Equal(t, CodeOpen, errs.CodeOf(err))
	require.ErrorContains(t, err, "10 bytes, the limit is 9")
}

// Nobody writes to the pipe, so opening it would block forever.
func TestSpecialFilesAreNotOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for path, want := range map[string]string{
		pipe: "not a regular file but a pipe", os.DevNull: "a device", t.TempDir(): "a folder", pipe + "x": "no such file",
	} {
		_, err := Read(path, 10)
		require.Equal(t, CodeOpen, errs.CodeOf(err), path)
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, want)
		_, _, err = Open(path)
		require.Equal(t, CodeOpen, errs.CodeOf(err), path)
		require.ErrorContains(t, err, want)
	}
}

// The system's error decides the hint.
func TestHints(t *testing.T) {
	for err, want := range map[error]string{
		&os.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}: "ulimit -n",
		&os.PathError{Op: "open", Path: "x", Err: syscall.ENFILE}: "close other programs",
		&os.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}: "check the name",
	} {
		require.ErrorContains(t, Failed("x", err), want)
	}
}

func write(t *testing.T, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, []byte(data), 0o644))
	return path
}
