package opencpu

import (
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/cpu/packed"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
)

type name struct{ scope, key string }

// reader gives the CPU backend its parameters: weights of linear layers that the
// file stores in blocks as they are, and all others from archives, which have the
// types of the contract.
type reader struct {
	dir      string
	contract *contract.Contract
	files    map[string]*source // by scope; nil where none was named
	int8     bool

	params   map[name]contract.Parameter
	taken    map[name]bool // in blocks
	archives map[string]*irpa.File
	err      error // of a file, which the backend would wrap
}

// source is an open weight file.
type source struct {
	*weights.File
	index *tensor.Index
}

// Load opens a graph with contract c; it writes archives in dir, which it has read when it
// returns.
func Load(g *dag.Graph, c *contract.Contract, dir string, o Options) (backend.Executable, error) {
	r, err := newReader(c, c.Scopes(), dir, o)
	defer r.close()
	if err != nil {
		return nil, err
	}
	x, err := cpu.LoadWith(g, c, r.dense, cpu.Options{Stored: r.blocks})
	if r.err != nil {
		return nil, r.err
	}
	return x, err
}

// Session opens another session of a program, with these scopes read anew, as Load does.
func Session(x cpu.Shared, c *contract.Contract, scopes []string, dir string, o Options) (backend.Executable, error) {
	r, err := newReader(c, scopes, dir, o)
	defer r.close()
	if err != nil {
		return nil, err
	}
	n, err := x.Session(scopes, r.dense, r.blocks)
	if r.err != nil {
		return nil, r.err
	}
	return n, err
}

// newReader opens the weight files of these scopes, each once. The reader is to be
// closed whether or not there is an error.
func newReader(c *contract.Contract, scopes []string, dir string, o Options) (*reader, error) {
	r := &reader{
		dir: dir, contract: c, files: map[string]*source{}, int8: o.Int8,
		params: map[name]contract.Parameter{}, taken: map[name]bool{}, archives: map[string]*irpa.File{},
	}
	for _, p := range c.Parameters {
		r.params[name{p.Scope, p.Key}] = p
	}
	opened := map[string]*source{}
	for _, scope := range scopes {
		path := o.FileOf(scope)
		if path == "" {
			continue
		}
		if opened[path] == nil {
			f, err := weights.Open(path)
			if err != nil {
				return r, err
			}
			opened[path] = &source{File: f}
			r.files[scope] = opened[path]
			if opened[path].index, err = f.Index(); err != nil {
				return r, err
			}
		}
		r.files[scope] = opened[path]
	}
	return r, nil
}

func (r *reader) close() {
	for _, f := range r.archives {
		f.Close()
	}
	for _, f := range r.files {
		f.Close()
	}
}

// of returns the weight file of a scope, nil where there is none.
func (r *reader) of(scope string) *weights.File {
	if s := r.files[scope]; s != nil {
		return s.File
	}
	return nil
}

// blocks implements cpu.Stored. What is not a matrix in blocks, or has another shape,
// is left to the archive, which reports what is wrong with it.
func (r *reader) blocks(scope, key string) (*packed.Matrix, error) {
	p := r.params[name{scope, key}]
	file := r.files[scope]
	if file == nil || p.Source != contract.FromWeights {
		return nil, nil
	}
	s, err := file.index.Lookup(key)
	if err != nil || !s.Shape.Equal(p.Shape) || s.Shape.Rank() != 2 {
		return nil, nil
	}
	if _, ok := s.Encoding.Block(); !ok {
		return nil, nil
	}
	b, err := file.Tensor(key)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	var m *packed.Matrix
	// A copy: the backend keeps the bytes, and the file may be truncated later.
	err = b.View(func(data []byte) error {
		m, err = packed.New(s.Encoding, int(s.Shape[0].Size), int(s.Shape[1].Size), append([]byte{}, data...))
		return err
	})
	if errs.CodeOf(err) == packed.CodeShape { // an encoding whose blocks are not whole
		return nil, nil
	}
	if err != nil {
		r.err = err
		return nil, err
	}
	if r.int8 {
		if rounding, err := m.Int8(); err == nil { // products with others are exact
			m = rounding
		}
	}
	r.taken[name{scope, key}] = true
	return m, nil
}

// dense implements cpu.Params.
func (r *reader) dense(scope, key string) (tensor.Value, error) {
	p := r.params[name{scope, key}]
	stored, err := p.Stored()
	v := tensor.Value{Type: stored}
	if err != nil {
		return v, err
	}
	a := r.archives[scope]
	if a == nil {
		if a, r.err = r.archive(scope); r.err != nil {
			return v, r.err
		}
		r.archives[scope] = a
	}
	b, err := a.Tensor(key)
	if err != nil {
		return v, err
	}
	// A copy: the backend keeps the bytes, and the archive is closed before.
	err = b.View(func(data []byte) error { v.Bytes = append([]byte{}, data...); return nil })
	return v, err
}

// archive packs the parameters of a scope that the backend does not have yet.
func (r *reader) archive(scope string) (*irpa.File, error) {
	rest := *r.contract
	rest.Parameters = nil
	for _, p := range r.contract.Parameters {
		if !r.taken[name{p.Scope, p.Key}] {
			rest.Parameters = append(rest.Parameters, p)
		}
	}
	path := filepath.Join(r.dir, ArchiveName(len(r.archives)))
	if err := pack.Pack(path, &rest, scope, r.of(scope), nil); err != nil {
		return nil, err
	}
	return irpa.Open(path)
}

// ArchiveName returns the name of archive number i, whatever its scope is called.
func ArchiveName(i int) string { return strings.Repeat("s", i+1) + ".irpa" }
