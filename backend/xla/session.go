package xla

import (
	"context"
	"errors"
	"maps"
	"slices"

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

	busy   gate // held by a call until its run is over
	closed bool
	lost   error // why the state is gone
	state  map[string]spread
}

// Contract implements backend.Executable.
func (s *session) Contract() *contract.Contract { return s.engine.contract }

// Session implements backend.Shared.
func (s *session) Session(files map[string][]string) (backend.Executable, error) {
	s.busy.wait()
	defer s.busy.leave()
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

// CallInto implements backend.CallerAllocated. A run cannot be interrupted: a call whose ctx is
// over returns, and the next one waits until the run is. State is then as after the run.
func (s *session) CallInto(ctx context.Context, entry string, into []tensor.Value, args ...tensor.Value) ([]tensor.Value, error) {
	begun, err := backend.Begin(s.engine.contract, entry, args)
	if err != nil {
		return nil, err
	}
	if err := s.busy.enter(ctx); err != nil {
		return nil, errs.Wrap(pjrt.CodeCall, err, "the call was not started").On(entry)
	}
	r, err := s.prepare(ctx, begun, args)
	if err != nil {
		s.busy.leave()
		return nil, on(err, entry)
	}
	if over := ctx.Done(); over == nil {
		r.run(s)
	} else {
		ended := make(chan struct{})
		go func() {
			r.run(s)
			close(ended)
		}()
		select {
		case <-ended:
		case <-over: // a plugin for CPUs runs programs before it returns
			go func() {
				<-ended
				r.close()
				s.busy.leave()
			}()
			return nil, errs.Wrap(pjrt.CodeCall, ctx.Err(), "the call was given up while the program ran").On(entry)
		}
	}
	defer s.busy.leave()
	defer r.close()
	if r.err != nil {
		return nil, on(r.err, entry)
	}
	out := make([]tensor.Value, len(begun.Results))
	for i, b := range r.results {
		sharding := s.engine.mesh.Results[dag.PortName(entry, begun.Entry.Results[i].Name)]
		if cut := r.program.bucket; cut != nil {
			out[i], err = s.engine.cut(cut, b, begun.Results[i], i, into)
		} else {
			out[i], err = s.engine.read(b, sharding, begun.Results[i], i, into)
		}
		if err != nil {
			return nil, on(err, entry)
		}
	}
	return out, nil
}

const smallerCall = "give the call smaller sizes, or run it where there is more memory"

// running is a run with what it takes and gives.
type running struct {
	program *program
	args    []spread         // of the call
	lists   [][]*pjrt.Buffer // of each device: the same, weights and state variables
	results []spread         // of the call
	err     error
}

// close frees what the run took and gave, but for state variables.
func (r *running) close() {
	for _, list := range [][]spread{r.args, r.results} {
		for _, v := range list {
			_ = v.Close()
		}
	}
}

// run runs the program to its end. Its last results are new values of state variables.
func (r *running) run(s *session) {
	var run *pjrt.Run
	if run, r.err = r.program.executable.StartOn(r.lists...); r.err != nil {
		for _, name := range r.program.access.Writes {
			if s.state[name].gone() {
				s.lost = r.err
			}
		}
		return
	}
	all := make([]spread, r.program.executable.Outputs())
	for i := range all {
		for d := range run.Devices {
			all[i] = append(all[i], run.Devices[d][i])
		}
	}
	writes := r.program.access.Writes
	var written []spread
	r.results, written = all[:len(all)-len(writes)], all[len(all)-len(writes):]
	for i, name := range writes {
		_ = s.state[name].Close() // its memory is the new value's
		s.state[name] = written[i]
	}
	if r.err = run.Wait(); r.err != nil && len(writes) > 0 {
		s.lost = r.err
	}
}

// prepare brings what a program takes to the devices: the arguments of the call, weights and
// state variables.
func (s *session) prepare(ctx context.Context, call backend.Begun, args []tensor.Value) (_ *running, err error) {
	e, entry := s.engine, call.Entry
	switch {
	case s.closed:
		return nil, closed()
	case s.lost != nil:
		return nil, errs.Wrap(pjrt.CodeClosed, s.lost, "an earlier call lost the state of the session").Hint("open the program again")
	}
	takes := e.call(entry, args, call.Results)
	if err := e.room(takes, "the arguments and results of the call", smallerCall); err != nil {
		return nil, err
	}
	p, err := e.find(ctx, entry, call.Sizes)
	if err != nil {
		return nil, err
	}
	if want := len(call.Results) + len(p.access.Writes); p.executable.Outputs() != want {
		return nil, errs.New(pjrt.CodeProgram, "the program has %d results, the contract %d and %d state variables", p.executable.Outputs(), len(call.Results), len(p.access.Writes))
	}
	if p.bucket != nil {
		takes = padded(p.bucket)
	}
	takes.device = plus(takes.device, p.temporary())
	if err := e.room(takes, "the run", smallerCall); err != nil {
		return nil, err
	}
	r := &running{program: p, lists: make([][]*pjrt.Buffer, len(e.devices))}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	for i, v := range args {
		if v, err = p.bucket.pad(i, v); err != nil {
			return nil, err
		}
		b, err := e.put(v, e.mesh.Arguments[dag.PortName(entry.Name, entry.Args[i].Name)], false)
		if err != nil {
			return nil, err
		}
		r.args = append(r.args, b)
	}
	for _, v := range p.bucket.given(call.Sizes) {
		b, err := e.put(v, nil, false)
		if err != nil {
			return nil, err
		}
		r.args = append(r.args, b)
	}
	in := slices.Clone(r.args)
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
	for _, v := range in {
		for d := range r.lists {
			r.lists[d] = append(r.lists[d], v[d])
		}
	}
	return r, nil
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
	s.busy.wait()
	defer s.busy.leave()
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
