package reference

import (
	"errors"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

// loaded is a program with the archives that its weights lie in.
type loaded struct {
	backend.Executable
	archives map[string][]*irpa.File // of each scope
}

func (l *loaded) Close() error { return errors.Join(l.Executable.Close(), l.closeArchives()) }

func (l *loaded) closeArchives() error {
	var failed []error
	for _, files := range l.archives {
		for _, f := range files {
			failed = append(failed, f.Close())
		}
	}
	return errors.Join(failed...)
}

// open opens the archives, values of command.FlagArchive.
func (l *loaded) open(archives []string) error {
	l.archives = map[string][]*irpa.File{}
	for scope, paths := range command.Archives(archives, command.DefaultScope) {
		for _, path := range paths {
			f, err := irpa.Open(path)
			if err != nil {
				return err
			}
			l.archives[scope] = append(l.archives[scope], f)
		}
	}
	return nil
}

// parameter returns the bytes of a parameter, without a copy.
func (l *loaded) parameter(scope, key string) ([]byte, error) {
	for _, f := range l.archives[scope] {
		if _, ok := f.Entry(key); !ok {
			continue
		}
		b, err := f.Tensor(key)
		if err != nil {
			return nil, err
		}
		return b.Bytes()
	}
	return nil, errs.New(pack.CodeContractMissing, "no archive of scope %q has the parameter", scope).On(key)
}

// load captures the model as it was exported and reads the archives in place.
func load(build lang.Constructor, f Files) (backend.Executable, error) {
	c, err := contract.ReadFile(f.Contract)
	if err != nil {
		return nil, err
	}
	index, err := export.ReadIndex(f.Index)
	if err != nil {
		return nil, err
	}
	g, err := export.Capture(cpu.Evaluate, c.Name, index, build, "", f.Weights)
	if err != nil {
		return nil, err
	}
	types := map[string]tensor.Type{}
	for _, p := range c.Parameters {
		if types[p.Key], err = p.Stored(); err != nil {
			return nil, errs.WithFile(err, f.Contract)
		}
	}
	l := &loaded{}
	if err := l.open(f.Archives); err != nil {
		return nil, errors.Join(err, l.closeArchives())
	}
	l.Executable, err = cpu.Load(g, c, func(scope, key string) (tensor.Value, error) {
		data, err := l.parameter(scope, key)
		return tensor.Value{Type: types[key], Bytes: data}, err
	})
	if err != nil {
		return nil, errors.Join(err, l.closeArchives())
	}
	return l, nil
}
