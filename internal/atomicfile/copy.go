package atomicfile

import (
	"bufio"
	"io"
	"os"
)

// RangeCopier is what the writer of a callback implements beside io.Writer: n
// bytes of another file from offset on follow what was written before, copied
// by the operating system where it can. Fewer bytes than n without an error
// mean that the other file ends there.
type RangeCopier interface {
	CopyRange(from *os.File, offset, n int64) (int64, error)
}

// writer is a buffer before a temporary file.
type writer struct {
	b *bufio.Writer
	f *os.File
}

func newWriter(f *os.File) *writer {
	return &writer{b: bufio.NewWriterSize(nameless{f}, 1<<20), f: f}
}

func (w *writer) Write(p []byte) (int, error) { return w.b.Write(p) }

func (w *writer) CopyRange(from *os.File, offset, n int64) (int64, error) {
	if err := w.b.Flush(); err != nil {
		return 0, err
	}
	n, err := io.CopyBuffer(nameless{w.f}, io.NewSectionReader(from, offset, n), make([]byte, min(n+1, 1<<20)))
	return n, bare(err)
}
