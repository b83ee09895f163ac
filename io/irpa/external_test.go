package irpa

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

func TestExternalEntries(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.irpa")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	data := filepath.Join(dir, "sub", "o.bin")
	require.NoError(t, os.WriteFile(data, []byte("0123456789"), 0o644))
	require.NoError(t, Write(path, []Item{
		{Name: "x", Length: 4, Path: "sub/o.bin", Offset: 3},
		Bytes("w", []byte("w")),
		{Name: "end", Path: "sub/o.bin", Offset: 10},
		{Name: "past", Length: 1, Path: "sub/o.bin", Offset: 10},
		{Name: "gone", Length: 1, Path: "sub/none"},
	}))
	f, err := Open(path)
	require.NoError(t, err)
	e, _ := f.Entry("x")
	require.Equal(t, []any{External, "sub/o.bin", int64(3), int64(4)}, []any{e.Type, e.Path, e.Offset, e.Length})
	for name, want := range map[string]string{"x": "3456", "end": "", "w": "w"} {
		b, err := f.Tensor(name)
		require.NoError(t, err)
		got, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		require.NoError(t, b.Close())
	}
	at, offset, err := f.Place("x")
	require.NoError(t, err)
	require.Equal(t, []any{data, int64(3)}, []any{at, offset})
	at, offset, err = f.Place("w")
	require.NoError(t, err)
	require.Equal(t, path, at)
	require.Positive(t, offset)
	for name, code := range map[string]errs.Code{"past": CodeRange, "gone": CodeExternal, "none": CodeMissing} {
		_, err := f.Tensor(name)
		require.Equal(t, code, errs.CodeOf(err), err)
		require.ErrorContains(t, err, path)
		_, _, err = f.Place(name)
		require.Equal(t, code, errs.CodeOf(err), err)
	}
	b, err := f.Tensor("x")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = b.Bytes()
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err), "the other file is closed with the archive")
	_, err = f.Tensor("x")
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
	require.ErrorContains(t, err, path)
	require.NoError(t, f.Close())
}

// Files named by an untrusted archive are not opened.
func TestPathsThatAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "in"), 0o755))
	secret := filepath.Join(dir, "out.bin")
	require.NoError(t, os.WriteFile(secret, make([]byte, 20), 0o644))
	for _, to := range []string{"../out.bin", "x/../../out.bin", secret} {
		path := filepath.Join(dir, "in", "a.irpa")
		require.NoError(t, os.WriteFile(path, badfiles.IRPAExternal(to), 0o644))
		f, err := Open(path)
		require.NoError(t, err)
		_, err = f.Tensor("x")
		require.Equal(t, CodeExternal, errs.CodeOf(err), to)
		require.NotErrorIs(t, err, os.ErrNotExist)
		require.NoError(t, f.Close())

		require.NoError(t, os.MkdirAll(filepath.Join(dir, "in", "x"), 0o755))
		f, err = OpenWith(path, Options{AnyPath: true})
		require.NoError(t, err)
		b, err := f.Tensor("x")
		require.NoError(t, err, to)
		require.EqualValues(t, 4, b.Len())
		require.NoError(t, f.Close())
	}
	_, err := OpenWith(filepath.Join(dir, "none"), Options{})
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
}
