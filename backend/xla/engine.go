package xla

import (
	"context"
	"sync"

	"github.com/skainet-dev/skainet-go/backend/archives"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// source gives the programs of an engine.
type source interface {
	// start makes what is needed before the first call.
	start(ctx context.Context, e *engine, sizes []map[string]int64) error
	// find returns the program of an entry point for these sizes.
	find(ctx context.Context, e *engine, entry *contract.Entry, sizes map[string]int64) (*program, error)
	// has reports whether find only looks it up.
	has(entry *contract.Entry, sizes map[string]int64) bool
	// states returns the state variables.
	states() []state
}

// program is an entry point on the device, for known sizes.
type program struct {
	executable *pjrt.Executable
	access     hlo.Access
	bucket     *bucket // nil where it is for the sizes of one call
	temp       *int64  // bytes of temporary memory, once it was asked for
	used       int64   // when, for compiled
	stays      bool    // whether it is kept however many others there are
}

// state is a state variable.
type state struct {
	Name  string      `json:"name"`
	DType dtype.DType `json:"dtype"`
	Shape shape.Shape `json:"shape"`
	Init  float64     `json:"init"`
}

// engine is what sessions of a program share: the devices, compiled programs, and weights.
type engine struct {
	client   *pjrt.Client
	devices  []pjrt.Device
	mesh     *dag.Mesh // of the devices, never nil
	contract *contract.Contract
	source   source
	copies   bool
	unpacked []dag.Unpacking // the weights that programs read unpacked

	programs gate // held while a program is looked for

	mu    sync.Mutex
	users int
	open  map[*scope]int // and how many use it
}

// scope is the weights of a scope on the device.
type scope struct {
	files   []*irpa.File
	opened  []tensor.Buffer
	weights map[string]spread
}

// find returns the program for a call. If ctx is over while it is compiled it returns; the
// compiler cannot be interrupted, and what it makes is there for the next call.
func (e *engine) find(ctx context.Context, entry *contract.Entry, sizes map[string]int64) (*program, error) {
	if err := e.programs.enter(ctx); err != nil {
		return nil, errs.Wrap(pjrt.CodeCompile, err, "the program was not compiled").On(entry.Name)
	}
	look := func() (*program, error) {
		defer e.programs.leave()
		return e.source.find(ctx, e, entry, sizes)
	}
	over := ctx.Done()
	if over == nil || e.source.has(entry, sizes) {
		return look()
	}
	type found struct {
		p   *program
		err error
	}
	done := make(chan found, 1)
	go func() {
		p, err := look()
		done <- found{p, err}
	}()
	select {
	case f := <-done:
		return f.p, f.err
	case <-over:
		return nil, errs.Wrap(pjrt.CodeCompile, ctx.Err(), "the call was given up while the program was compiled").On(entry.Name)
	}
}

// numbers are those of the devices, as the plugin numbers them.
func (e *engine) numbers() []int64 {
	var ids []int64
	for _, d := range e.devices {
		ids = append(ids, int64(d.ID))
	}
	return ids
}

// hold adds a user of the engine.
func (e *engine) hold() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.users++
}

// release ends the use of the engine, and closes it after the last.
func (e *engine) release(used ...*scope) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range used {
		if e.open[s]--; e.open[s] == 0 {
			delete(e.open, s)
			s.close()
		}
	}
	if e.users--; e.users > 0 {
		return nil
	}
	return e.client.Close()
}

// giveUp is release where ctx may be over while a program is still compiled, for which release
// waits.
func (e *engine) giveUp(ctx context.Context) {
	if ctx.Err() != nil {
		go func() { _ = e.release() }()
		return
	}
	_ = e.release()
}

// load brings the weights of a scope to the device.
func (e *engine) load(name string, paths []string) (_ *scope, err error) {
	s := &scope{weights: map[string]spread{}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if err := e.roomForWeights(name); err != nil {
		return nil, err
	}
	needed := map[string]contract.Parameter{}
	for _, p := range e.contract.Parameters {
		if p.Scope == name {
			needed[p.Key] = p
		}
	}
	for _, path := range paths {
		f, err := irpa.Open(path)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, f)
		for _, entry := range f.Entries() {
			p, ok := needed[entry.Name]
			if !ok {
				continue
			}
			if err := e.bring(s, f, p); err != nil {
				return nil, errs.WithFile(err, path)
			}
		}
	}
	if err := e.unpackIn(name, s); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open[s]++
	return s, nil
}

// bring makes the buffers of a weight.
func (e *engine) bring(s *scope, f *irpa.File, p contract.Parameter) error {
	t, err := p.Stored()
	if err != nil {
		return err
	}
	b, err := f.Tensor(p.Key)
	if err != nil {
		return err
	}
	s.opened = append(s.opened, b)
	bytes, err := b.Bytes()
	if err != nil {
		return err
	}
	entry, _ := f.Entry(p.Key)
	lent := !e.copies && entry.Type == irpa.Data // other entries are memory of the garbage collector
	w, err := e.put(tensor.Value{Type: t, Bytes: bytes}, e.mesh.Parameter(p.Key, t.Shape.Rank()), lent)
	if err != nil {
		return err
	}
	s.weights[p.Key] = w
	return nil
}

// close frees the weights, and unmaps them after that.
func (s *scope) close() {
	for _, w := range s.weights {
		_ = w.Close()
	}
	for _, b := range s.opened {
		_ = b.Close()
	}
	for _, f := range s.files {
		_ = f.Close()
	}
}

// session opens a session with the weights of these archives; those of scopes that are not
// in changed are used by another session already, of which shared are the scopes.
func (e *engine) session(files, changed map[string][]string, shared ...*session) (_ *session, err error) {
	s := &session{engine: e, files: files, busy: newGate(), scopes: map[string]*scope{}, state: map[string]spread{}}
	defer func() {
		if err != nil {
			_ = s.free()
		}
	}()
	for _, name := range archives.Scopes(files) {
		if _, other := changed[name]; !other && len(shared) > 0 {
			s.scopes[name] = shared[0].scopes[name]
			e.mu.Lock()
			e.open[s.scopes[name]]++
			e.mu.Unlock()
			continue
		}
		if s.scopes[name], err = e.load(name, files[name]); err != nil {
			delete(s.scopes, name)
			return nil, err
		}
	}
	if err := e.roomForStates(); err != nil {
		return nil, err
	}
	for _, v := range e.source.states() {
		if s.state[v.Name], err = e.initial(v); err != nil {
			delete(s.state, v.Name)
			return nil, err
		}
	}
	return s, nil
}

// initial returns a state variable as it is at first.
func (e *engine) initial(v state) (spread, error) {
	value, err := filled(stateType(v), v.Init)
	if err != nil {
		return nil, err
	}
	return e.put(value, e.mesh.States[v.Name], false)
}
