package xla

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/archives"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// session is a program with its weights and its state.
type session struct {
	engine *engine
	files  map[string][]string
	scopes map[string]*scope

	mu     sync.Mutex
	closed bool
	lost   error // why the state is gone
	state  map[string]spread
}

// Contract implements backend.Executable.
func (s *session) Contract() *contract.Contract { return s.engine.contract }

// Session implements backend.Shared.
func (s *session) Session(files map[string][]string) (backend.Executable, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, closed()
	}
	if err := archives.CheckScopes(CodeParameters, s.engine.contract, files, archives.Scopes(files)); err != nil {
		return nil, err
	}
	all := maps.Clone(s.files)
	if all == nil {
		all = map[string][]string{}
	}
	maps.Copy(all, files)
	s.engine.hold()
	return s.engine.session(all, files, s)
}

func closed() error {
	return errs.New(pjrt.CodeClosed, "the session was closed").Hint("open the program again")
}

// Call implements backend.Executable.
func (s *session) Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	return s.CallInto(ctx, entry, nil, args...)
}

// CallInto implements backend.CallerAllocated. A run cannot be interrupted; ctx is checked
// before.
func (s *session) CallInto(ctx context.Context, entry string, into []tensor.Value, args ...tensor.Value) ([]tensor.Value, error) {
	e, err := s.engine.contract.Entry(entry)
	if err != nil {
		return nil, err
	}
	if err := backend.Check(e, args); err != nil {
		return nil, err
	}
	types := make([]tensor.Type, len(args))
	for i := range args {
		types[i] = args[i].Type
	}
	sizes, err := backend.Bind(e, types)
	if err != nil {
		return nil, err
	}
	wants, err := backend.Results(e, sizes)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, closed()
	case s.lost != nil:
		return nil, errs.Wrap(pjrt.CodeClosed, s.lost, "an earlier call lost the state of the session").On(entry).Hint("open the program again")
	}
	if err := ctx.Err(); err != nil {
		return nil, errs.Wrap(pjrt.CodeCall, err, "the call was not started").On(entry)
	}
	takes := s.engine.call(e, args, wants)
	if err := s.engine.room(takes, "the arguments and results of the call", smallerCall); err != nil {
		return nil, on(err, entry)
	}
	p, err := s.engine.find(ctx, e, sizes)
	if err != nil {
		return nil, err
	}
	takes.device = plus(takes.device, p.temporary())
	if err := s.engine.room(takes, "the run", smallerCall); err != nil {
		return nil, on(err, entry)
	}
	results, err := s.run(p, e, args, wants, into)
	return results, on(err, entry)
}

const smallerCall = "give the call smaller sizes, or run it where there is more memory"

// run runs a program: its arguments are those of the call, weights and state variables; its
// results those of the call and new values of state variables.
func (s *session) run(p *program, entry *contract.Entry, args []tensor.Value, wants []tensor.Type, into []tensor.Value) (_ []tensor.Value, err error) {
	e := s.engine
	var in []spread
	for i, v := range args {
		b, err := e.put(v, e.mesh.Arguments[dag.PortName(entry.Name, entry.Args[i].Name)], false)
		if err != nil {
			return nil, err
		}
		defer b.Close()
		in = append(in, b)
	}
	for _, key := range p.access.Parameters {
		w := s.weight(key)
		if w == nil {
			return nil, errs.New(CodeParameters, "no archive has the key").On(key)
		}
		in = append(in, w)
	}
	for _, name := range p.access.States {
		in = append(in, s.state[name])
	}
	if p.executable.Outputs() != len(wants)+len(p.access.Writes) {
		return nil, errs.New(pjrt.CodeProgram, "the program has %d results, the contract %d and %d state variables", p.executable.Outputs(), len(wants), len(p.access.Writes))
	}
	lists := make([][]*pjrt.Buffer, len(e.devices))
	for _, v := range in {
		for d := range lists {
			lists[d] = append(lists[d], v[d])
		}
	}
	run, err := p.executable.StartOn(lists...)
	if err != nil {
		return nil, err
	}
	all := make([]spread, p.executable.Outputs())
	for i := range all {
		for d := range run.Devices {
			all[i] = append(all[i], run.Devices[d][i])
		}
	}
	results, written := all[:len(wants)], all[len(wants):]
	for i, name := range p.access.Writes {
		_ = s.state[name].Close() // its memory is the new value's
		s.state[name] = written[i]
	}
	if err := run.Wait(); err != nil {
		if len(written) > 0 {
			s.lost = err
		}
		return nil, err
	}
	out := make([]tensor.Value, len(wants))
	for i, b := range results {
		if out[i], err = e.read(b, e.mesh.Results[dag.PortName(entry.Name, entry.Results[i].Name)], wants[i], i, into); err != nil {
			return nil, err
		}
		if err := b.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *session) weight(key string) spread {
	for _, scope := range s.scopes {
		if w := scope.weights[key]; w != nil {
			return w
		}
	}
	return nil
}

// on names the entry point on an error of a call.
func on(err error, entry string) error {
	var e *errs.Error
	if errors.As(err, &e) && e.Node == "" {
		e.Node = entry
	}
	return err
}

// Close implements backend.Executable.
func (s *session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	return s.free()
}

// free releases what the session has.
func (s *session) free() error {
	for _, b := range s.state {
		_ = b.Close()
	}
	return s.engine.release(slices.Collect(maps.Values(s.scopes))...)
}
