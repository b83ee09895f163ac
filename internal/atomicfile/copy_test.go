package atomicfile

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ranges that the system copies and bytes that are written keep their order, at
// all sizes around the limits, to files with and without a name.
func TestCopyRange(t *testing.T) {
	dir := t.TempDir()
	r := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 20<<20)
	r.Read(data)
	source := filepath.Join(dir, "source")
	require.NoError(t, os.WriteFile(source, data, 0o644))
	from, err := os.Open(source)
	require.NoError(t, err)
	defer from.Close()
	var want []byte
	path := filepath.Join(dir, "out")
	require.NoError(t, Write(path, func(w io.Writer) error {
		require.NoError(t, w.(Reserver).Reserve(50<<20))
		for _, n := range []int64{bufferSize, 16*bufferSize + 5} { // whole blocks, which the system may share
			done, err := w.(RangeCopier).CopyRange(from, blockSize, n)
			require.NoError(t, err)
			require.Equal(t, n, done)
			want = append(want, data[blockSize:blockSize+n]...)
		}
		for i, n := range []int64{0, 1, 5, bufferSize - 1, bufferSize, bufferSize + 1, 2 * bufferSize, writeBack + 3, 10} {
			offset := int64(i * 1001)
			done, err := w.(RangeCopier).CopyRange(from, offset, n)
			require.NoError(t, err)
			require.Equal(t, n, done)
			_, err = w.Write(data[:i])
			require.NoError(t, err)
			want = append(append(want, data[offset:offset+n]...), data[:i]...)
		}
		for _, past := range []int64{0, 7, 100_000} { // the file ends before the range
			n, err := w.(RangeCopier).CopyRange(from, int64(len(data))-past, 200_000)
			require.NoError(t, err)
			require.Equal(t, past, n)
			want = append(want, data[len(data)-int(past):]...)
		}
		return nil
	}))
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, got), "%d bytes, want %d", len(got), len(want)) // Equal would print them
}

// A pipe shares nothing with a file, and a closed file cannot be read.
func TestCopyRangeFallsBack(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	source := filepath.Join(t.TempDir(), "source")
	require.NoError(t, os.WriteFile(source, make([]byte, 3*bufferSize), 0o644))
	from, err := os.Open(source)
	require.NoError(t, err)
	read := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(r)
		read <- b
	}()
	out := newWriter(w, true)
	n, err := out.CopyRange(from, bufferSize, 2*bufferSize)
	require.NoError(t, err)
	require.EqualValues(t, 2*bufferSize, n)
	require.NoError(t, out.finish())
	require.NoError(t, w.Close())
	require.Equal(t, make([]byte, 2*bufferSize), <-read)
	require.NoError(t, from.Close())
	_, err = out.CopyRange(from, 0, bufferSize)
	require.ErrorIs(t, err, os.ErrClosed)
}
