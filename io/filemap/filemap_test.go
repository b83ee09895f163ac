package filemap

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func write(t *testing.T, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, []byte(data), 0o644))
	return path
}

func TestWindow(t *testing.T) {
	f, err := Open(write(t, "0123456789"))
	require.NoError(t, err)
	require.EqualValues(t, 10, f.Size())
	w := f.Window(2, 4)
	require.EqualValues(t, 4, w.Len())
	b, err := w.Bytes()
	require.NoError(t, err)
	require.Equal(t, "2345", string(b))
	require.NoError(t, f.View(func(all []byte) error {
		require.Same(t, &all[2], &b[0], "a window is no copy")
		return nil
	}))
	require.Equal(t, 4, cap(b), "appending must not reach the bytes after the window")
	r, err := w.Reader()
	require.NoError(t, err)
	b, err = io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "2345", string(b))

	require.NoError(t, w.Close())
	_, err = w.Bytes()
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err), "a closed window")
	w = f.Window(0, 1)
	require.NoError(t, f.Close())
	require.NoError(t, f.Close())
	_, err = w.Reader()
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err), "a window of a closed file")
}

func TestEmptyFile(t *testing.T) {
	f, err := Open(write(t, ""))
	require.NoError(t, err)
	require.NoError(t, f.View(func(b []byte) error {
		require.Empty(t, b)
		return nil
	}))
	b, err := f.Window(0, 0).Bytes()
	require.NoError(t, err)
	require.Empty(t, b)
	require.NoError(t, f.Close())
}

func TestWhatCannotBeOpened(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		_, err := Open(path)
		require.Equal(t, regular.CodeOpen, errs.CodeOf(err), path)
		require.ErrorContains(t, err, path)
	}
}
