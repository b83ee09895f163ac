package reference

import (
	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

// loaded is a program with the archive that its weights lie in.
type loaded struct {
	backend.Executable
	archive *irpa.File
}

func (l *loaded) Close() error {
	err := l.Executable.Close()
	if e := l.archive.Close(); err == nil {
		err = e
	}
	return err
}

// load captures the model as it was exported and reads the archive where it lies.
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
	archive, err := irpa.Open(f.Archive)
	if err != nil {
		return nil, err
	}
	types := map[string]tensor.Type{}
	for _, p := range c.Parameters {
		if types[p.Key], err = p.Stored(); err != nil {
			archive.Close()
			return nil, errs.WithFile(err, f.Contract)
		}
	}
	x, err := cpu.Load(g, c, func(_, key string) (tensor.Value, error) {
		b, err := archive.Tensor(key)
		if err != nil {
			return tensor.Value{}, err
		}
		data, err := b.Bytes()
		return tensor.Value{Type: types[key], Bytes: data}, err
	})
	if err != nil {
		archive.Close()
		return nil, err
	}
	return &loaded{x, archive}, nil
}
