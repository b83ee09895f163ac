package filemap

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
)

func TestWhatIsTooLargeToRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	require.NoError(t, os.Truncate(path, MaxRead+1)) // a hole, of which nothing is stored
	_, err := Open(path)
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
	require.ErrorContains(t, err, "2147483649 bytes; WebAssembly cannot map files")
}

// What was read stays as it was; that the file did not is an error all the same.
func TestFileThatIsCutShort(t *testing.T) {
	path := write(t, "0123456789")
	f, err := Open(path)
	require.NoError(t, err)
	w := f.Window(2, 8)
	require.NoError(t, os.Truncate(path, 4))
	err = w.(*window).View(func([]byte) error { return nil })
	require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err))
	b, err := w.Bytes()
	require.NoError(t, err)
	require.Equal(t, "23456789", string(b))
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
}
