package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

// prefix of temporary names; what follows are the digits of os.CreateTemp.
const prefix = ".partial-skainet-"

var leftover = regexp.MustCompile(`^` + regexp.QuoteMeta(prefix) + `[0-9]+$`)

// errAbandoned is the error of a write whose file Abandon removed.
var errAbandoned = errors.New("abandoned")

// live holds the temporary files that exist now; its lock is held while one
// gets or loses its name.
var live = struct {
	sync.Mutex
	temps   map[*temp]bool
	folders map[string]bool
}{temps: map[*temp]bool{}, folders: map[string]bool{}}

// temp is a file that is being written for target. It stays open, and locked,
// until it is in its place.
type temp struct {
	target string
	f      *os.File
	name   string // "" while it has none
}

// Folder makes a folder for temporary files, as os.MkdirTemp does, that remove or
// Abandon removes with all that is in it.
func Folder(pattern string) (dir string, remove func(), err error) {
	live.Lock()
	defer live.Unlock()
	if dir, err = os.MkdirTemp("", pattern); err != nil {
		return "", nil, err
	}
	live.folders[dir] = true
	return dir, func() {
		live.Lock()
		defer live.Unlock()
		delete(live.folders, dir)
		_ = os.RemoveAll(dir) // the system cleans up what cannot be removed
	}, nil
}

// Abandon removes the temporary files of all writes in progress, which fail
// then, and temporary folders. It is for programs that exit at once, on a signal.
func Abandon() {
	live.Lock()
	defer live.Unlock()
	for t := range live.temps {
		t.unlink()
	}
	clear(live.temps)
	for dir := range live.folders {
		_ = os.RemoveAll(dir)
	}
	clear(live.folders)
}

// create makes the file for target and removes what killed writers left next to it.
func create(target string) (*temp, error) {
	live.Lock()
	defer live.Unlock()
	dir := filepath.Dir(target)
	sweep(dir)
	t := &temp{target: target, f: unnamed(dir)}
	if t.f == nil {
		f, err := named(dir)
		if err != nil {
			return nil, err
		}
		t.f, t.name = f, f.Name()
	}
	live.temps[t] = true
	return t, nil
}

// named makes a locked file with a temporary name.
func named(dir string) (*os.File, error) {
	for {
		f, err := os.CreateTemp(dir, prefix+"*")
		if err != nil {
			return nil, err
		}
		// Another writer may have found it before the lock and swept it away.
		if lock(f); same(f) {
			return f, nil
		}
		f.Close()
	}
}

// same reports whether f still is the file of its name.
func same(f *os.File) bool {
	at, err := os.Lstat(f.Name())
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	st, err := f.Stat()
	return err == nil && os.SameFile(st, at)
}

// sweep removes the temporary files in a folder whose writers are gone: those
// that are not locked. It ignores failures.
func sweep(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(1024)
		for _, name := range names {
			if leftover.MatchString(name) {
				sweepFile(filepath.Join(dir, name))
			}
		}
		if err != nil {
			return
		}
	}
}

func sweepFile(name string) {
	if st, err := os.Lstat(name); err != nil || !st.Mode().IsRegular() {
		return
	}
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) && same(f) {
		os.Remove(name)
	}
}

// place moves the file to its target.
func (t *temp) place() error {
	live.Lock()
	defer live.Unlock()
	if !live.temps[t] {
		return errAbandoned
	}
	if t.name == "" {
		err := link(t.f, t.target)
		if err == nil {
			t.done()
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := t.linkTemporary(); err != nil {
			return err
		}
	}
	if err := os.Rename(t.name, t.target); err != nil {
		return err
	}
	t.name = ""
	t.done()
	return nil
}

// discard removes a file that was not placed.
func (t *temp) discard() {
	live.Lock()
	defer live.Unlock()
	if live.temps[t] {
		t.unlink()
		t.done()
	}
	t.f.Close()
}

func (t *temp) unlink() {
	if t.name != "" {
		os.Remove(t.name)
		t.name = ""
	}
}

func (t *temp) done() { delete(live.temps, t) }
