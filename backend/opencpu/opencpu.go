// Package opencpu opens a graph on the CPU backend, with weights from a file of any
// format, and needs nothing but Go: a program that uses it and not package backend/open,
// which loads the libraries of IREE and XLA, is static where it is built without cgo. The
// weights of linear layers are read in the blocks of the file, with the same results as
// unpacked.
//
// What a run takes of memory is not limited; package backend/open has a limit for graphs of
// others.
//
// # Errors
//
// EVAL_WORK if no temporary folder can be created, PACK_NO_SCOPE for the weight file of a
// scope that the graph does not have; everything else comes from reading weights, packing
// (PACK_*) and package cpu.
//
// # Determinism
//
// As package cpu.
package opencpu

import (
	"maps"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/pack"
)

// CodeWork is the code of a folder that cannot be made.
const CodeWork errs.Code = "EVAL_WORK" // smallest input: TMPDIR names no folder

// Options names the weights of a graph.
type Options struct {
	Weights string // weight file for the parameters of all scopes; may be "" where there are none
	// Scopes are the weight files of scopes that have one of their own, such as an adapter.
	Scopes map[string]string
	// Int8 computes products with weights that the file stores in blocks in integers, if
	// packed.Matrix.Int8 supports them: faster, and less exact.
	Int8 bool
}

// Graph opens a graph. The result is a backend.Shared.
func Graph(g *dag.Graph, o Options) (backend.Executable, error) {
	c, err := describe.Contract(g)
	if err != nil {
		return nil, err
	}
	if err := o.Check(c); err != nil {
		return nil, err
	}
	return inFolder(o, func(dir string) (backend.Executable, error) { return Load(g, c, dir, o) })
}

// inFolder opens a program with a temporary folder: the backend keeps no file.
func inFolder(o Options, open func(dir string) (backend.Executable, error)) (backend.Executable, error) {
	dir, remove, err := Folder()
	if err != nil {
		return nil, err
	}
	defer remove()
	x, err := open(dir)
	if err != nil {
		return nil, err
	}
	return &executable{x, o}, nil
}

// Folder makes a temporary folder, for archives.
func Folder() (dir string, remove func(), err error) {
	dir, remove, err = atomicfile.Folder("skainet-eval-")
	if err != nil {
		return "", nil, errs.Wrap(CodeWork, err, "cannot create a temporary folder").Hint("set TMPDIR to a folder with free space")
	}
	return dir, remove, nil
}

// FileOf returns the weight file of a scope, "" if none was named.
func (o Options) FileOf(scope string) string {
	if file, ok := o.Scopes[scope]; ok {
		return file
	}
	return o.Weights
}

// Check returns the error of a scope that the program does not have.
func (o Options) Check(c *contract.Contract) error {
	for _, scope := range slices.Sorted(maps.Keys(o.Scopes)) {
		if known := c.Scopes(); !slices.Contains(known, scope) {
			return errs.New(pack.CodeNoScope, "program %s has no parameters in scope %q", c.Name, scope).Hint("it has scopes %q", known)
		}
	}
	return nil
}

// With returns the options with these files of scopes, of each the first.
func (o Options) With(files map[string][]string) (Options, error) {
	o.Scopes = maps.Clone(o.Scopes)
	if o.Scopes == nil {
		o.Scopes = map[string]string{}
	}
	for scope, paths := range files {
		if len(paths) == 0 {
			return o, errs.New(pack.CodeNoWeights, "no weight file was given").On(scope)
		}
		o.Scopes[scope] = paths[0]
	}
	return o, nil
}

// executable is an open graph.
type executable struct {
	backend.Executable
	o Options
}

// Session implements backend.Shared. The files of a scope are a weight file of any format;
// one that is split is named by one part.
func (x *executable) Session(files map[string][]string) (backend.Executable, error) {
	o, err := x.o.With(files)
	if err != nil {
		return nil, err
	}
	if err := o.Check(x.Contract()); err != nil {
		return nil, err
	}
	return inFolder(o, func(dir string) (backend.Executable, error) {
		return Session(x.Executable.(cpu.Shared), x.Contract(), slices.Sorted(maps.Keys(files)), dir, o)
	})
}
