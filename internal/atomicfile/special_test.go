//go:build unix

package atomicfile

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestSpecialTargetsAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(pipe, link))
	t.Chdir(dir) // names of sockets are short
	l, err := net.Listen("unix", "socket")
	require.NoError(t, err)
	defer l.Close()
	for path, kind := range map[string]string{
		pipe: "a pipe", link: "a pipe", os.DevNull: "a device", dir: "a folder", "socket": "a socket",
	} {
		before, err := os.Lstat(path)
		require.NoError(t, err)
		err = WriteFile(path, []byte("x"))
		require.Equal(t, CodeWrite, errs.CodeOf(err), path)
		require.ErrorContains(t, err, path+": this is "+kind)
		require.Equal(t, err.Error(), Check(path).Error())
		after, err := os.Lstat(path)
		require.NoError(t, err)
		require.True(t, os.SameFile(before, after), path)
	}
}

func TestSymbolicLinksStay(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "far"), 0o755))
	file := filepath.Join(dir, "far", "file")
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(filepath.Join("far", "file"), link))
	for _, data := range []string{"dangling at first", "then not"} {
		require.NoError(t, WriteFile(link, []byte(data)))
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, data, string(got))
		st, err := os.Lstat(link)
		require.NoError(t, err)
		require.NotZero(t, st.Mode()&os.ModeSymlink)
	}
	circle := filepath.Join(dir, "circle")
	require.NoError(t, os.Symlink(circle, circle))
	require.Equal(t, CodeWrite, errs.CodeOf(WriteFile(circle, nil)))
}

// What a full file system says, from the system call or through a callback.
func TestFailedWriteNamesTheTarget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	err := Write(path, func(io.Writer) error {
		return &os.PathError{Op: "write", Path: filepath.Join(filepath.Dir(path), ".partial-1"), Err: syscall.ENOSPC}
	})
	require.Equal(t, CodeWrite, errs.CodeOf(err))
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, path)
	require.NotContains(t, err.Error(), ".partial")

	f, err := os.CreateTemp(t.TempDir(), ".partial-*")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = (&sink{f: f}).Write([]byte("x"))
	require.ErrorIs(t, err, os.ErrClosed)
	require.NotContains(t, err.Error(), ".partial", "what a callback sees")
}

func TestAbandon(t *testing.T) {
	dir := t.TempDir()
	err := Write(filepath.Join(dir, "a"), func(io.Writer) error {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries, "nothing is seen of it")
		Abandon()
		return nil
	})
	require.Equal(t, CodeWrite, errs.CodeOf(err))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}
