package atomicfile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// forceNamed makes every file a named one, as on a file system that has no
// others; for tests.
var forceNamed = false

// unnamed makes a locked file without a name, or returns nil if the file system does
// not support them. It is linked through /proc, since doing it by descriptor is a
// privilege.
func unnamed(dir string) *os.File {
	if forceNamed {
		return nil
	}
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), filepath.Join(dir, "(unnamed)"))
	if _, err := os.Stat(path(f)); err != nil {
		f.Close()
		return nil
	}
	lock(f)
	return f
}

func path(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

// link gives an unnamed file a name that is not in use.
func link(f *os.File, name string) error {
	err := unix.Linkat(unix.AT_FDCWD, path(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: name, Err: err}
	}
	return nil
}

// linkTemporary gives the file a temporary name.
func (t *temp) linkTemporary() error {
	for {
		name := filepath.Join(filepath.Dir(t.target), fmt.Sprint(prefix, rand.Uint32()))
		err := link(t.f, name)
		if err == nil {
			t.name = name
		}
		if !os.IsExist(err) {
			return err
		}
	}
}
