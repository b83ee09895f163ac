package main

import (
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/errs"
)

// warm reads a file, so that its pages are in the cache.
func warm(path string) error {
	return with(path, os.O_RDONLY, func(f *os.File) error {
		_, err := io.Copy(io.Discard, f)
		return err
	})
}

// cold has a file's pages dropped from the cache. They have to be written back
// before, else the kernel keeps them.
func cold(path string) error {
	return with(path, os.O_RDONLY, func(f *os.File) error {
		if err := f.Sync(); err != nil {
			return err
		}
		return dropPages(f)
	})
}

// sync writes a file back, like a program whose output must not be lost.
func sync(path string) error { return with(path, os.O_WRONLY, (*os.File).Sync) }

// remove drops a file's pages and the file, so that no later round pays for them.
func remove(path string) error {
	if err := cold(path); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return fileError(err)
	}
	return nil
}

func with(path string, flag int, f func(*os.File) error) error {
	file, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return fileError(err)
	}
	defer file.Close()
	if err := f(file); err != nil {
		return fileError(err)
	}
	return nil
}

func fileError(err error) error {
	if errs.CodeOf(err) != "" {
		return err
	}
	return errs.Wrap(codeFile, err, "a file of the benchmark")
}

// scratch writes a file of the benchmark's folder, which is removed at its end.
func scratch(path string, b []byte) error {
	if err := os.WriteFile(path, b, 0o600); err != nil { //nolint:forbidigo // nobody keeps this output
		return fileError(err)
	}
	return nil
}
