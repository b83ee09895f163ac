package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/errs"
)

// Same reports whether two paths name one file, or would: it follows links if the file exists,
// and compares names if not.
func Same(a, b string) bool {
	if x, err := os.Stat(a); err == nil {
		if y, err := os.Stat(b); err == nil {
			return os.SameFile(x, y)
		}
	}
	return filepath.Clean(a) == filepath.Clean(b)
}

// target returns the file to replace: path, or where a symbolic link points to.
func target(path string) (string, error) {
	st, err := os.Stat(path)
	switch {
	case err == nil && !st.Mode().IsRegular():
		return "", errs.New(CodeWrite, "this is %s, not a file, and is not replaced", Kind(st.Mode())).In(path).
			Hint("name a file")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", failed(path, err)
	}
	l, lerr := os.Lstat(path)
	switch {
	case errors.Is(lerr, fs.ErrNotExist):
		return filepath.Clean(path), nil
	case lerr != nil:
		return "", failed(path, lerr)
	case l.Mode()&fs.ModeSymlink == 0:
		return filepath.Clean(path), nil
	}
	if err == nil {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return "", failed(path, err)
		}
		return real, nil
	}
	// The link points to a file yet to be made.
	to, err := os.Readlink(path)
	if err != nil {
		return "", failed(path, err)
	}
	if !filepath.IsAbs(to) {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return "", failed(path, err)
		}
		to = filepath.Join(folder, to)
	}
	return target(to) // ends: Stat fails otherwise for a circle of links
}

// Kind describes in words a file that is not a regular one.
func Kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}
