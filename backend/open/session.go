package open

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// Session implements backend.Shared. The files of a scope are an archive, or a weight file
// of any format, which is packed for the program; one that is split is named by one part.
func (x *executable) Session(files map[string][]string) (_ backend.Executable, err error) {
	o := x.o
	o.Scopes = maps.Clone(o.Scopes)
	if o.Scopes == nil {
		o.Scopes = map[string]string{}
	}
	for scope, paths := range files {
		if len(paths) == 0 {
			return nil, errs.New(CodeBackend, "no weight file was given").On(scope)
		}
		o.Scopes[scope] = paths[0]
	}
	if err := o.check(x.Contract()); err != nil {
		return nil, err
	}
	dir, remove, err := atomicfile.Folder("skainet-eval-")
	if err != nil {
		return nil, errs.Wrap(CodeWork, err, "cannot create a temporary folder").Hint("set TMPDIR to a folder with free space")
	}
	defer func() {
		if err != nil {
			remove()
		}
	}()
	scopes := slices.Sorted(maps.Keys(files))
	var n backend.Executable
	if c, ok := x.Executable.(cpu.Shared); ok {
		n, err = x.onCPU(c, scopes, dir, o)
	} else {
		n, err = x.onProgram(scopes, dir, o)
	}
	if err != nil {
		return nil, err
	}
	return &executable{n, x.graph, o, dir, remove}, nil
}

func (x *executable) onCPU(c cpu.Shared, scopes []string, dir string, o Options) (backend.Executable, error) {
	r, err := newReader(x.Contract(), scopes, dir, o)
	defer r.close()
	if err != nil {
		return nil, err
	}
	n, err := c.Session(scopes, r.dense, r.blocks)
	if r.err != nil {
		return nil, r.err
	}
	return n, err
}

func (x *executable) onProgram(scopes []string, dir string, o Options) (backend.Executable, error) {
	s, ok := x.Executable.(backend.Shared)
	if !ok {
		return nil, errs.New(CodeBackend, "a program of this backend has one session alone").On(x.o.Backend)
	}
	archives := map[string][]string{}
	for i, scope := range scopes {
		path := filepath.Join(dir, archiveName(i))
		if err := packOne(path, x.Contract(), scope, o.fileOf(scope), o.Progress); err != nil {
			return nil, err
		}
		archives[scope] = []string{path}
	}
	return s.Session(archives)
}
