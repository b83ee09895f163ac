// Package atomicfile writes files that are either whole or absent.
//
// A file is written beside the target, synced, and takes its place in one step;
// an error, kill -9 or a power failure at any moment leaves the old file or the
// new one, and none where none was. A symbolic link stays, and the file that it
// points to is replaced.
//
// Where the file system can (ext4, xfs, btrfs, tmpfs on Linux), the new file has
// no name while it is written, so that the system removes it with its writer.
// A file without a name can only be linked where nothing is, so one that
// replaces another is whole before it gets a temporary name and is renamed;
// elsewhere it has that name from the start. A process that is killed then
// leaves ".partial-skainet-N", and the next write into the folder removes it:
// writers hold a lock on their file, and what nobody holds is left over.
//
// # Errors
//
// FILE_WRITE wraps what the operating system or the callback said and names the
// target. A target that exists and is not a regular file (a folder, a device, a
// pipe) is refused. Coded errors of a callback are returned as they are. A full
// disk is "no space left on device" and leaves nothing; a callback that reserves
// its bytes hears of it before it writes any.
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
	// NoSync leaves it to the system when the bytes reach the disk. Only a power
	// failure can tell: use it where the output can be made again, as in a build.
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

// Write lets write fill the file at path through a buffer. No file is left, and
// an older one is untouched, when write fails.
func Write(path string, write func(w io.Writer) error) error {
	return WriteAll(File{Path: path, Write: write})
}

// Check finds out whether a file could be written to path now. It is for a file
// that comes at the end of long work, and leaves nothing.
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

// WriteAll writes several files that belong together. All are complete before
// the first takes its place, so that no older file is touched when one of them
// cannot be written. Only a rename that fails after another one went well, which
// takes a change of the folders meanwhile, leaves old files beside new ones.
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

// bare is what the system said, without the names of the call.
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
