// Package atomicfile writes files that are either whole or absent.
//
// A file is written next to the target, synced, and renamed over it in one step; an
// error, kill -9 or a power failure at any moment leaves the old file, if any, or the
// new one. A symbolic link is kept, and the file that it points to is replaced.
//
// Where the file system supports it (ext4, xfs, btrfs, tmpfs on Linux), the new file
// has no name while it is written, so that the system removes it when its writer ends.
// A file without a name cannot be linked over an existing one, so one that replaces
// another is complete before it gets a temporary name and is renamed; elsewhere it has
// that name from the start. A process that is killed then leaves ".partial-skainet-N",
// and the next write into the folder removes it: writers lock their file, so an
// unlocked one is left over.
//
// # Errors
//
// FILE_WRITE wraps the error of the operating system or the callback and names the
// target. A target that exists and is not a regular file (a folder, a device, a pipe)
// is rejected. Coded errors of a callback are returned unchanged. A full disk is "no
// space left on device" and leaves nothing; a callback that reserves its bytes gets
// this error before it writes any.
//
// # Determinism
//
// The bytes and the mode (0644) depend only on what the callback writes.
package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodeWrite is the code of every failed write.
const CodeWrite errs.Code = "FILE_WRITE"

// File is one of several outputs: Write fills the file at Path.
type File struct {
	Path string
	// Write gets a writer that also is a RangeCopier and a Reserver.
	Write func(w io.Writer) error
	// NoSync lets the system decide when the bytes reach the disk. It matters only in
	// a power failure: use it if the output can be regenerated, as in a build.
	NoSync bool
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

// Write calls write to fill the file at path through a buffer. If write fails, no
// file is left, and an older one is untouched.
func Write(path string, write func(w io.Writer) error) error {
	return WriteAll(File{Path: path, Write: write})
}

// Check reports whether a file could be written to path now. Use it for a file that
// is written at the end of long work; it leaves nothing.
func Check(path string) error {
	to, err := target(path)
	if err != nil {
		return err
	}
	t, err := create(to)
	if err != nil {
		return failed(path, err)
	}
	t.discard()
	return nil
}

// WriteAll writes several files that belong together. All are complete before the first
// is renamed, so that no older file is touched if one of them cannot be written. Only a
// rename that fails after another one succeeded, because the folders changed meanwhile,
// leaves old files next to new ones.
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
	temps := make([]*temp, 0, len(files))
	defer func() {
		for _, t := range temps {
			t.discard() // does nothing to one that is in its place
		}
	}()
	for i, f := range files {
		t, err := create(targets[i])
		if err != nil {
			return failed(f.Path, err)
		}
		temps = append(temps, t)
		if err := fill(t.f, f); err != nil {
			return err
		}
	}
	for i, f := range files {
		if err := temps[i].place(); err != nil {
			return failed(f.Path, err)
		}
	}
	for i, f := range files {
		if f.NoSync {
			continue
		}
		if err := syncFolder(filepath.Dir(targets[i])); err != nil {
			return failed(f.Path, err)
		}
	}
	return nil
}

// fill writes the bytes of f.
func fill(t *os.File, f File) error {
	w := newWriter(t, !f.NoSync)
	if err := f.Write(w); err != nil {
		_ = w.finish() // the cause is known
		if errs.CodeOf(err) == "" {
			return failed(f.Path, err)
		}
		return err
	}
	steps := []func() error{w.finish, func() error { return t.Chmod(0o644) }}
	if !f.NoSync {
		steps = append(steps, t.Sync)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return failed(f.Path, err)
		}
	}
	return nil
}

// bare returns the system's error, without the names of the call.
func bare(err error) error {
	var path *os.PathError
	var link *os.LinkError
	var call *os.SyscallError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	case errors.As(err, &call):
		return call.Err
	}
	return err
}

func failed(path string, err error) error {
	return errs.Wrap(CodeWrite, bare(err), "cannot write the file").In(path).
		Hint("check the folder, its permissions and the free space")
}
