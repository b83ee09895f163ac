package open

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/errs"
)

// Session implements backend.Shared. The files of a scope are an archive, or a weight file
// of any format, which is packed for the program; one that is split is named by one part.
func (x *executable) Session(files map[string][]string) (_ backend.Executable, err error) {
	o := x.o
	with, err := o.cpu().With(files)
	if err != nil {
		return nil, err
	}
	o.Scopes = with.Scopes
	if err := with.Check(x.Contract()); err != nil {
		return nil, err
	}
	dir, remove, err := opencpu.Folder()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			remove()
		}
	}()
	scopes := slices.Sorted(maps.Keys(files))
	var n backend.Executable
	if c, ok := x.Executable.(cpu.Shared); ok {
		n, err = opencpu.Session(c, x.Contract(), scopes, dir, with)
	} else {
		n, err = x.onProgram(scopes, dir, o)
	}
	if err != nil {
		return nil, err
	}
	return &executable{n, x.graph, o, dir, remove}, nil
}

func (x *executable) onProgram(scopes []string, dir string, o Options) (backend.Executable, error) {
	s, ok := x.Executable.(backend.Shared)
	if !ok {
		return nil, errs.New(CodeBackend, "a program of this backend has one session alone").On(x.o.Backend)
	}
	archives := map[string][]string{}
	for i, scope := range scopes {
		path := filepath.Join(dir, opencpu.ArchiveName(i))
		if err := packOne(path, x.Contract(), scope, o.cpu().FileOf(scope), o.Progress); err != nil {
			return nil, err
		}
		archives[scope] = []string{path}
	}
	return s.Session(archives)
}
