package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestWriteFileReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, WriteFile(path, []byte("one")))
	require.NoError(t, WriteFile(path, []byte("two")))
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(got))
}

func TestFailedWriteLeavesTheOldFileAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, WriteFile(path, []byte("old")))
	boom := errors.New("boom")
	err := Write(path, func(w io.Writer) error {
		if _, err := w.Write([]byte("part")); err != nil {
			return err
		}
		return boom
	})
	require.ErrorIs(t, err, boom)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(got))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestMissingFolderIsCoded(t *testing.T) {
	err := WriteFile(filepath.Join(t.TempDir(), "no", "a"), nil)
	require.Equal(t, CodeWrite, errs.CodeOf(err))
}

func TestCheckLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	require.Equal(t, CodeWrite, errs.CodeOf(Check(filepath.Join(dir, "no", "a"))))
	require.NoError(t, Check(filepath.Join(dir, "a")))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestWriteAll(t *testing.T) {
	dir := t.TempDir()
	a, b, obstacle := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "obstacle")
	require.NoError(t, WriteAll(Bytes(a, []byte("old a")), Bytes(b, []byte("old b"))))
	require.NoError(t, os.Mkdir(obstacle, 0o755))
	boom := File{Path: filepath.Join(dir, "c"), Write: func(io.Writer) error { return errors.New("boom") }}
	for name, last := range map[string]File{
		"a folder in the place of an output": Bytes(obstacle, nil),
		"a failing callback":                 boom,
		"one name twice":                     Bytes(dir+"/./a", []byte("x")),
		"no such folder":                     Bytes(filepath.Join(dir, "no", "c"), nil),
	} {
		err := WriteAll(Bytes(a, []byte("new a")), Bytes(b, []byte("new b")), last)
		require.Equal(t, CodeWrite, errs.CodeOf(err), name)
		require.ErrorContains(t, err, last.Path, name)
		for path, want := range map[string]string{a: "old a", b: "old b"} {
			got, err := os.ReadFile(path)
			require.NoError(t, err, name)
			require.Equal(t, want, string(got), name)
		}
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 3, name)
	}
}

// A temporary folder is removed with what is in it, once: by its maker, or by
// Abandon.
func TestFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, abandon := range []bool{false, true} {
		dir, remove, err := Folder("x-")
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
		if abandon {
			Abandon()
			require.NoDirExists(t, dir)
		}
		remove()
		require.NoDirExists(t, dir)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	_, _, err := Folder("x-")
	require.Error(t, err)
}

func TestSame(t *testing.T) {
	dir := t.TempDir()
	a, b, link := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "link")
	for _, path := range []string{a, b} {
		require.NoError(t, os.WriteFile(path, nil, 0o644))
	}
	require.NoError(t, os.Symlink(a, link))
	for _, c := range []struct {
		x, y string
		want bool
	}{
		{a, a, true}, {a, b, false}, {a, link, true}, {b, link, false},
		{a, dir + "/./a", true}, {dir + "/none", dir + "/x/../none", true}, {dir + "/none", a, false},
	} {
		require.Equal(t, c.want, Same(c.x, c.y), "%s and %s", c.x, c.y)
		require.Equal(t, c.want, Same(c.y, c.x), "%s and %s", c.y, c.x)
	}
}
