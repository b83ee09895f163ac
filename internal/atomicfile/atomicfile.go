// Package atomicfile writes files that are either whole or absent.
//
// A file is written under a temporary name in the target's own folder, synced,
// and renamed; an error or a crash at any moment leaves the old file or none. A
// symbolic link stays, and the file that it points to is replaced.
//
// # Errors
//
// FILE_WRITE wraps what the operating system or the callback said and names the
// target. A target that exists and is no regular file (a folder, a device, a
// pipe) is refused. Coded errors of a callback are returned as they are.
//
// # Determinism
//
// The bytes and the mode (0644) depend only on what the callback writes.
package atomicfile

import (
	"errors"
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// CodeWrite is the code of every failed write.
const CodeWrite errs.Code = "FILE_WRITE"

// File is one of several outputs: Write fills the file at Path.
type File struct {
	Path  string
	Write func(w io.Writer) error
}

// Bytes is a File of data.
func Bytes(path string, data []byte) File {
	return File{Path: path, Write: func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}}
}

// WriteFile writes data to path.
func WriteFile(path string, data []byte) error { return WriteAll(Bytes(path, data)) }

// Write lets write fill the file at path through a buffer. No file is left, and
// an older one is untouched, when write fails.
func Write(path string, write func(w io.Writer) error) error {
	return WriteAll(File{Path: path, Write: write})
}

// WriteAll writes several files that belong together. All are complete under
// temporary names before the first takes its place, so that no older file is
// touched when one of them cannot be written. Only a rename that fails after
// another one went well, which takes a change of the folders meanwhile, leaves
// old files beside new ones.
func WriteAll(files ...File) (err error) {
	targets := make([]string, len(files))
	seen := map[string]bool{}
	for i, f := range files {
		if targets[i], err = target(f.Path); err != nil {
			return err
		}
		if seen[targets[i]] {
			return errs.New(CodeWrite, "two outputs have this name").In(f.Path).Hint("name a file for each")
		}
		seen[targets[i]] = true
	}
	temps := make([]string, 0, len(files))
	defer func() {
		for _, name := range temps { // those renamed are gone from the list
			remove(name)
		}
	}()
	for i, f := range files {
		name, err := fill(f, targets[i])
		if err != nil {
			return err
		}
		temps = append(temps, name)
	}
	for i, f := range files {
		if err := rename(temps[0], targets[i]); err != nil {
			return failed(f.Path, err)
		}
		temps = temps[1:]
	}
	return nil
}

// fill writes f to a temporary file beside target and gives its name.
func fill(f File, target string) (name string, err error) {
	t, err := create(target)
	if err != nil {
		return "", failed(f.Path, err)
	}
	defer func() {
		if err != nil {
			t.Close()
			remove(t.Name())
		}
	}()
	w := newWriter(t)
	if err := f.Write(w); err != nil {
		if errs.CodeOf(err) == "" {
			return "", failed(f.Path, err)
		}
		return "", err
	}
	for _, step := range []func() error{w.b.Flush, func() error { return t.Chmod(0o644) }, t.Sync, t.Close} {
		if err := step(); err != nil {
			return "", failed(f.Path, err)
		}
	}
	return t.Name(), nil
}

// nameless keeps the temporary name, which says nothing to a user, out of the
// errors that a callback sees and may wrap.
type nameless struct{ f *os.File }

func (n nameless) Write(p []byte) (int, error) {
	written, err := n.f.Write(p)
	return written, bare(err)
}

// bare is what the system said, without the names of the call.
func bare(err error) error {
	var path *os.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

func failed(path string, err error) error {
	return errs.Wrap(CodeWrite, bare(err), "cannot write the file").In(path).
		Hint("check the folder, its permissions and the free space")
}
