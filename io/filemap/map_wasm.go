package filemap

import (
	"errors"
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// mapped reads the whole of f, as long as it has the size that it had.
func mapped(f *os.File, path string, size int64) ([]byte, error) {
	if size > MaxRead {
		return nil, errs.New(regular.CodeOpen, "%d bytes; WebAssembly cannot map files, and reads at most %d bytes of one", size, int64(MaxRead)).
			In(path).Hint("use smaller weights, or a program for the machine itself")
	}
	b := make([]byte, size)
	n, err := f.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) { // io.EOF: the file was cut short
		return nil, regular.Failed(path, err)
	}
	return b[:n:n], nil
}

// unmap leaves the memory to the collector.
func unmap([]byte) error { return nil }
