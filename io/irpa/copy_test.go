package irpa

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
)

// copier is a writer that records which bytes were copied by the system.
type copier struct {
	bytes.Buffer
	copied   []int64
	reserved int64
}

func (c *copier) CopyRange(from *os.File, offset, n int64) (int64, error) {
	c.copied = append(c.copied, n)
	return io.Copy(&c.Buffer, io.NewSectionReader(from, offset, n))
}

func (c *copier) Reserve(n int64) error { c.reserved = n; return nil }

// Windows of a file are copied by the system, after headers and padding, and
// give the same archive as readers of the same bytes.
func TestWindowsAreCopiedByTheSystem(t *testing.T) {
	data := make([]byte, 300_000)
	for i := range data {
		data[i] = byte(i % 251)
	}
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	m, err := filemap.Open(path)
	require.NoError(t, err)
	defer m.Close()
	var windows, readers []Item
	for i, r := range [][2]int64{{0, 1}, {7, 200_000}, {299_999, 1}, {5, 64}} {
		name := string('a' + rune(i))
		w := m.Window(r[0], r[1])
		windows = append(windows, Item{Name: name, Length: r[1], Open: w.Reader})
		readers = append(readers, Bytes(name, data[r[0]:r[0]+r[1]]))
	}
	var want bytes.Buffer
	require.NoError(t, Encode(&want, readers))
	var got copier
	require.NoError(t, Encode(&got, windows))
	require.True(t, bytes.Equal(want.Bytes(), got.Bytes()))
	require.Equal(t, []int64{1, 200_000, 1, 64}, got.copied)
	require.EqualValues(t, want.Len(), got.reserved)
	var plain bytes.Buffer
	require.NoError(t, Encode(&plain, windows))
	require.True(t, bytes.Equal(want.Bytes(), plain.Bytes()))
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, Write(out, windows))
	written, err := os.ReadFile(out)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want.Bytes(), written))

	longer := m.Window(0, 10)
	err = Encode(&copier{}, []Item{{Name: "a", Length: 9, Open: longer.Reader}})
	require.Equal(t, CodeLength, errs.CodeOf(err))
	require.NoError(t, os.Truncate(path, 100_000))
	for _, w := range []io.Writer{&copier{}, io.Discard, &bytes.Buffer{}} {
		err = Encode(w, windows)
		require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err))
		require.ErrorContains(t, err, path)
	}
	err = Write(out, windows)
	require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err))
}
