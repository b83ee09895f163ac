package open

import (
	"context"
	"path/filepath"

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
	file     *weights.File // nil where none was named
	index    *tensor.Index
	int8     bool

	params   map[name]contract.Parameter
	taken    map[name]bool // in blocks
	archives map[string]*irpa.File
	err      error // of a file, which the backend would wrap
}

func openCPU(_ context.Context, g *dag.Graph, c *contract.Contract, dir string, o Options) (backend.Executable, error) {
	r := &reader{dir: dir, contract: c, int8: o.Int8, params: map[name]contract.Parameter{}, taken: map[name]bool{}, archives: map[string]*irpa.File{}}
	defer func() {
		for _, f := range r.archives {
			f.Close()
		}
	}()
	for _, p := range c.Parameters {
		r.params[name{p.Scope, p.Key}] = p
	}
	if o.Weights != "" {
		var err error
		if r.file, err = weights.Open(o.Weights); err != nil {
			return nil, err
		}
		defer r.file.Close()
		if r.index, err = r.file.Index(); err != nil {
			return nil, err
		}
	}
	x, err := cpu.LoadWith(g, c, r.dense, cpu.Options{Stored: r.blocks})
	if r.err != nil {
		return nil, r.err
	}
	return x, err
}

// blocks implements cpu.Stored. What is not a matrix in blocks, or has another shape,
// is left to the archive, which reports what is wrong with it.
func (r *reader) blocks(scope, key string) (*packed.Matrix, error) {
	p := r.params[name{scope, key}]
	if r.file == nil || p.Source != contract.FromWeights {
		return nil, nil
	}
	s, err := r.index.Lookup(key)
	if err != nil || !s.Shape.Equal(p.Shape) || s.Shape.Rank() != 2 {
		return nil, nil
	}
	if _, ok := s.Encoding.Block(); !ok {
		return nil, nil
	}
	b, err := r.file.Tensor(key)
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
	path := filepath.Join(r.dir, archiveName(len(r.archives)))
	if err := pack.Pack(path, &rest, scope, r.file, nil); err != nil {
		return nil, err
	}
	return irpa.Open(path)
}
