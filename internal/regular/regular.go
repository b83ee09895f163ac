// Package regular opens and reads regular files, and rejects everything else.
//
// # Errors
//
// FILE_OPEN wraps the operating system's error and names the file; a folder, a device
// and a pipe are rejected before they are opened, which could block forever.
//
// # Untrusted input
//
// Read reads at most the bytes that its caller allows, whatever size the file system
// reports.
//
// # Determinism
//
// The bytes are the file's; nothing is cached.
package regular

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// CodeOpen is the code of a file that cannot be opened or mapped.
const CodeOpen errs.Code = "FILE_OPEN"

// Limits for Read.
const (
	MaxDocument = 64 << 20 // contracts, indexes and settings
	MaxText     = 1 << 30  // programs as text, with constants in them
)

// Read returns the content of a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, st, err := Open(path)
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
		return nil, Failed(path, err)
	}
	if n > limit {
		return nil, tooLarge(path, n, limit)
	}
	return b.Bytes(), nil
}

func tooLarge(path string, size, limit int64) error {
	return errs.New(CodeOpen, "%d bytes, the limit is %d", size, limit).In(path).
		Hint("check that it is the right file")
}

// Check rejects what is not a regular file without opening it: opening a pipe
// waits for a writer, and reading a device may never end.
func Check(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return Failed(path, err)
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

// Open opens a regular file and returns its FileInfo.
func Open(path string) (*os.File, os.FileInfo, error) {
	if err := Check(path); err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, Failed(path, err)
	}
	st, err := f.Stat()
	if err != nil {
		err = Failed(path, err)
	} else {
		err = regular(path, st) // it may have been replaced since
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, st, nil
}

// Failed returns the error of a file that cannot be opened or mapped: the system's
// error decides the hint.
func Failed(path string, err error) error {
	hint := "check the name and the permissions"
	switch {
	case errors.Is(err, syscall.EMFILE):
		hint = "raise the limit of open files (ulimit -n), or use a model in fewer parts"
	case errors.Is(err, syscall.ENFILE):
		hint = "close other programs, or use a model in fewer parts"
	}
	return errs.Wrap(CodeOpen, err, "cannot open the file").In(path).Hint("%s", hint)
}
