package filemap

import (
	"bytes"
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// Limits for ReadFile.
const (
	MaxDocument = 64 << 20 // contracts, indexes and settings
	MaxText     = 1 << 30  // programs as text, with constants in them
)

// ReadFile returns the content of a regular file of at most limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, st, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st.Size() > limit {
		return nil, tooLarge(path, st.Size(), limit)
	}
	var b bytes.Buffer
	b.Grow(int(st.Size()) + bytes.MinRead)
	// The file may grow meanwhile.
	n, err := b.ReadFrom(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, failed(path, err)
	}
	if n > limit {
		return nil, tooLarge(path, n, limit)
	}
	return b.Bytes(), nil
}

func tooLarge(path string, size, limit int64) error {
	return errs.New(CodeOpen, "%d bytes, at most %d are taken", size, limit).In(path).
		Hint("check that it is the right file")
}

// Regular refuses what is not a regular file without opening it: opening a pipe
// waits for a writer, and reading a device may never end.
func Regular(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return failed(path, err)
	}
	return regular(path, st)
}

func regular(path string, st os.FileInfo) error {
	if st.Mode().IsRegular() {
		return nil
	}
	return errs.New(CodeOpen, "not a regular file but %s", atomicfile.Kind(st.Mode())).In(path).
		Hint("name the file itself")
}

func open(path string) (*os.File, os.FileInfo, error) {
	if err := Regular(path); err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, failed(path, err)
	}
	st, err := f.Stat()
	if err != nil {
		err = failed(path, err)
	} else {
		err = regular(path, st) // it may have been replaced since
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, st, nil
}
