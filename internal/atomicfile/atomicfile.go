// Package atomicfile writes files that are either whole or absent.
//
// A file is written under a temporary name in the target's own folder, synced,
// and renamed; an error or a crash at any moment leaves the old file or none.
//
// # Errors
//
// FILE_WRITE wraps what the operating system said and names the target.
//
// # Determinism
//
// The bytes and the mode (0644) depend only on what the callback writes.
package atomicfile

import (
	"bufio"
	"io"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// CodeWrite is the code of every failed write.
const CodeWrite errs.Code = "FILE_WRITE"

// WriteFile writes data to path.
func WriteFile(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Write lets write fill the file at path through a buffer. An error of write
// is returned as it is and no file is left.
func Write(path string, write func(w io.Writer) error) error {
	return WriteTo(path, func(f *os.File) error {
		w := bufio.NewWriterSize(f, 1<<20)
		if err := write(w); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return failed(path, err)
		}
		return nil
	})
}

// WriteTo is Write with the bare file, for callers that seek or copy ranges.
func WriteTo(path string, write func(f *os.File) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".partial-*")
	if err != nil {
		return failed(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return failed(path, err)
	}
	if err := f.Sync(); err != nil {
		return failed(path, err)
	}
	if err := f.Close(); err != nil {
		return failed(path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return failed(path, err)
	}
	return nil
}

func failed(path string, err error) error {
	return errs.Wrap(CodeWrite, err, "cannot write the file").In(path).
		Hint("check the folder, its permissions and the free space")
}
