package open

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// Written are the files of a program that Write made: what iree.Options needs of it.
type Written struct {
	Program, Contract string
	Archives          map[string][]string // by scope, as in iree.Options
	Unpacked          []string            // scopes that have no archive, since no weight file was given
	Warnings          []string            // of the compiler
}

// Beside returns the files that lie next to a program: its contract, and the archive of a scope.
func Beside(program, scope string) (document, archive string) {
	base := strings.TrimSuffix(program, filepath.Ext(program))
	if scope != contract.DefaultScope {
		return base + ".contract.json", base + "." + scope + ".irpa"
	}
	return base + ".contract.json", base + ".irpa"
}

// Write compiles a graph for IREE and writes the program to path, its contract and the
// archives of its weights next to it. After an error none that it wrote is there.
func Write(ctx context.Context, g *dag.Graph, path string, o Options) (_ *Written, err error) {
	m, err := o.text(g)
	if err != nil {
		return nil, err
	}
	if err := o.cpu().Check(m.Contract); err != nil {
		return nil, err
	}
	w := &Written{Program: path, Archives: map[string][]string{}}
	var made []string // a file that was there before is kept where its step fails
	defer func() {
		if err != nil {
			for _, file := range made {
				os.Remove(file)
			}
		}
	}()
	if w.Warnings, err = o.compile(ctx, m, path); err != nil {
		return nil, err
	}
	made = append(made, path)
	w.Contract, _ = Beside(path, contract.DefaultScope)
	for _, scope := range m.Contract.Scopes() {
		file := o.cpu().FileOf(scope)
		if file == "" {
			w.Unpacked = append(w.Unpacked, scope)
			continue
		}
		_, archive := Beside(path, scope)
		if err = packOne(archive, m.Contract, scope, file, o.Progress); err != nil {
			return nil, err
		}
		made = append(made, archive)
		w.Archives[scope] = []string{archive}
	}
	doc, err := m.Contract.Marshal()
	if err != nil {
		return nil, err
	}
	err = atomicfile.WriteFile(w.Contract, doc)
	return w, err
}
