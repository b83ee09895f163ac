package npy

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// archive writes members in turn: a name, then its bytes.
func archive(t *testing.T, method uint16, members ...any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.npz")
	out, err := os.Create(path)
	require.NoError(t, err)
	defer out.Close()
	z := zip.NewWriter(out)
	for i := 0; i < len(members); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: members[i].(string), Method: method})
		require.NoError(t, err)
		_, err = w.Write(members[i+1].([]byte))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return path
}

var (
	floats  = file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 0, 0, 128, 63)
	integer = file("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", 7, 0, 0, 0, 0, 0, 0, 0)
)

func TestReadArchive(t *testing.T) {
	one, err := tensor.Of([]float32{1}, 1)
	require.NoError(t, err)
	seven, err := tensor.Of([]int64{7})
	require.NoError(t, err)
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		got, err := ReadArchive(archive(t, method, "x.npy", floats, "/model/Add_output_0.npy", integer))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff([]Array{{"x", one}, {"/model/Add_output_0", seven}}, got))
	}
	got, err := ReadArchive(archive(t, zip.Store))
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestWriteArchive(t *testing.T) {
	one, err := tensor.Of([]float32{1}, 1)
	require.NoError(t, err)
	seven, err := tensor.Of([]int64{7})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "a.npz")
	want := []Array{{"x", one}, {"x#1", seven}}
	require.NoError(t, WriteArchive(path, want))
	got, err := ReadArchive(path)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, got))
	for _, bad := range [][]Array{{{"x", one}, {"x", seven}}, {{"", one}}} {
		err := WriteArchive(path+".bad", bad)
		require.Equal(t, CodeArchive, errs.CodeOf(err))
		require.NoFileExists(t, path+".bad")
	}
}

func TestReadArchiveRefuses(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.npz")
	require.NoError(t, os.WriteFile(empty, nil, 0o644))
	for name, c := range map[string]struct {
		path string
		code errs.Code
		want string
	}{
		"empty":   {empty, CodeArchive, "not a .npz"},
		"none":    {empty + ".no", CodeOpen, "empty.npz.no"},
		"text":    {archive(t, zip.Store, "notes.txt", []byte("x")), CodeArchive, `"notes.txt" is not an array`},
		"twice":   {archive(t, zip.Store, "x.npy", floats, "x.npy", floats), CodeArchive, `two arrays are named "x"`},
		"damaged": {archive(t, zip.Store, "x.npy", floats[:len(floats)-1]), CodeSize, "a.npz/x.npy"},
		"longer":  {archive(t, zip.Deflate, "x.npy", append(append([]byte{}, floats...), 0)), CodeSize, "a.npz/x.npy"},
	} {
		_, err := ReadArchive(c.path)
		require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, c.want, name)
	}
}
