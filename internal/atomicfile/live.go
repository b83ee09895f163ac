package atomicfile

import (
	"os"
	"path/filepath"
	"sync"
)

// live holds the names of the temporary files that exist now.
var live = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// Abandon removes the temporary files of all writes in progress, which fail
// then. It is for programs that end at once, on a signal.
func Abandon() {
	live.Lock()
	defer live.Unlock()
	for name := range live.names {
		os.Remove(name)
	}
	clear(live.names)
}

func create(target string) (*os.File, error) {
	live.Lock()
	defer live.Unlock()
	f, err := os.CreateTemp(filepath.Dir(target), ".partial-*")
	if err == nil {
		live.names[f.Name()] = true
	}
	return f, err
}

func remove(name string) {
	live.Lock()
	defer live.Unlock()
	os.Remove(name)
	delete(live.names, name)
}

func rename(name, target string) error {
	live.Lock()
	defer live.Unlock()
	if err := os.Rename(name, target); err != nil {
		return err
	}
	delete(live.names, name)
	return nil
}
