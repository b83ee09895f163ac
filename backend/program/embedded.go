package program

import (
	"crypto/sha256"
	"io/fs"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// openEmbedded writes the embedded parts to a temporary folder and opens them there.
func (p Parts) openEmbedded(o Options) (backend.Executable, error) {
	dir, remove, err := atomicfile.Folder("skainet-program-")
	if err != nil {
		return nil, errs.Wrap(CodeExtract, err, "cannot create a temporary folder").Hint("set TMPDIR to a folder with free space")
	}
	x, err := p.openIn(dir, o)
	if err != nil || backend.KeepsState(x) { // it has read the files, or none is needed
		remove()
		return x, err
	}
	users := new(atomic.Int32)
	users.Store(1)
	return &extracted{Executable: x, users: users, remove: remove}, nil
}

// extracted is a program whose files are read again for each call: they stay until its last
// session is closed.
type extracted struct {
	backend.Executable
	users  *atomic.Int32
	remove func()
	once   sync.Once
}

// PerCall implements backend.PerCall.
func (x *extracted) PerCall() bool { return true }

// Session implements backend.Shared.
func (x *extracted) Session(archives map[string][]string) (backend.Executable, error) {
	s, ok := x.Executable.(backend.Shared)
	if !ok {
		return nil, errs.New(CodeDevice, "the program has one session alone")
	}
	other, err := s.Session(archives)
	if err != nil {
		return nil, err
	}
	x.users.Add(1)
	return &extracted{Executable: other, users: x.users, remove: x.remove}, nil
}

// Close implements backend.Executable.
func (x *extracted) Close() error {
	x.once.Do(func() {
		if x.users.Add(-1) == 0 {
			x.remove()
		}
	})
	return x.Executable.Close()
}

// openIn writes the embedded parts to a folder and opens them there.
func (p Parts) openIn(dir string, o Options) (_ backend.Executable, err error) {
	put := func(place string) string {
		if place == "" || err != nil {
			return ""
		}
		var data []byte
		to := filepath.Join(dir, path.Base(place))
		if data, err = p.embedded(place); err == nil {
			err = atomicfile.WriteFile(to, data)
		}
		return to
	}
	written := Parts{Contract: put(p.Contract), Archives: map[string][]string{}, Tool: p.Tool, Files: p.Files}
	for _, c := range p.Programs {
		c.File = put(c.File)
		written.Programs = append(written.Programs, c)
	}
	for scope, places := range p.Archives {
		for _, place := range places {
			written.Archives[scope] = append(written.Archives[scope], put(place))
		}
	}
	if err != nil {
		return nil, err
	}
	if o.Library == "" && o.Tool == "" && p.Library != "" {
		if o.Library, err = p.loadLibrary(dir); err != nil {
			return nil, err
		}
	}
	return written.open(o)
}

// embedded returns an embedded part.
func (p Parts) embedded(place string) ([]byte, error) {
	data, err := fs.ReadFile(p.Embedded, place)
	if err != nil {
		return nil, errs.Wrap(CodeRunfiles, err, "a part is not in the binary").In(place).Hint("build the binary again")
	}
	return data, nil
}

// loadedPaths are the paths from which embedded libraries were loaded, by content.
var loadedPaths = struct {
	sync.Mutex
	of map[[sha256.Size]byte]string
}{of: map[[sha256.Size]byte]string{}}

// loadLibrary loads the embedded library, once for each content, and returns the path that
// it was loaded from: package ireert knows it by that when the file is gone.
func (p Parts) loadLibrary(dir string) (string, error) {
	data, err := p.embedded(p.Library)
	if err != nil {
		return "", err
	}
	loadedPaths.Lock()
	defer loadedPaths.Unlock()
	sum := sha256.Sum256(data)
	if at, ok := loadedPaths.of[sum]; ok {
		return at, nil
	}
	to := filepath.Join(dir, path.Base(p.Library))
	if err := atomicfile.WriteFile(to, data); err != nil {
		return "", err
	}
	if _, err := ireert.Load(to); err != nil {
		return "", err
	}
	loadedPaths.of[sum] = to
	return to, nil
}
