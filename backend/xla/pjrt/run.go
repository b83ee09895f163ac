package pjrt

import (
	"runtime"
	"sync"
	"unsafe"
)

// Run is an execution that was started.
type Run struct {
	// Results are the results, which may be arguments of further runs before this one is
	// done. The caller closes them.
	Results []*Buffer

	client *Client
	once   sync.Once
	event  uintptr
	ticket ticket
	err    error
}

// Start starts the program with these arguments on the device that it was compiled for, and
// returns without waiting. A buffer whose argument the program donates is deleted: its
// memory is that of a result.
func (e *Executable) Start(args ...*Buffer) (*Run, error) {
	c := e.client
	done, err := c.use()
	if err != nil {
		return nil, err
	}
	defer done()
	if err := e.open(); err != nil {
		return nil, err
	}
	in := make([]uintptr, len(args)+1) // never empty, to have an address
	for i, b := range args {
		if err := b.open(c); err != nil {
			return nil, err
		}
		in[i] = b.handle
	}
	out := make([]uintptr, e.outputs+1)
	var pin runtime.Pinner
	defer pin.Unpin()
	inAt, outAt, event := &in[0], &out[0], new(uintptr)
	o := &executeOptions{head: head{size: unsafe.Sizeof(executeOptions{})}}
	x := &executeArgs{
		head: head{size: unsafe.Sizeof(executeArgs{})}, executable: e.handle, options: o, args: &inAt, devices: 1, n: uintptr(len(args)),
		results: &outAt, done: event,
	}
	for _, at := range []any{inAt, outAt, event, o, x.args, x.results} {
		pin.Pin(at)
	}
	err = c.plugin.call(loadedExecute, unsafe.Pointer(x))
	runtime.KeepAlive(args)
	runtime.KeepAlive(e)
	if err != nil {
		return nil, failed(CodeCall, err, "the program does not start")
	}
	r := &Run{client: c, event: *event, Results: make([]*Buffer, e.outputs)}
	for i := range r.Results {
		r.Results[i] = c.buffer(out[i])
	}
	r.ticket = c.own(r.event, eventDestroy)
	runtime.AddCleanup(r, func(t ticket) { _ = c.release(t) }, r.ticket)
	return r, nil
}

// Done reports whether the run is over.
func (r *Run) Done() bool {
	done, err := r.client.use()
	if err != nil {
		return true
	}
	defer done()
	if !r.client.owns(r.ticket) {
		return true
	}
	ready, err := r.client.plugin.small(eventIsReady, r.event)
	return err != nil || ready&0xff != 0
}

// Wait waits for the end of the run and returns its error. It cannot be interrupted.
func (r *Run) Wait() error {
	r.once.Do(func() {
		done, err := r.client.use()
		if err != nil {
			r.err = err
			return
		}
		defer done()
		h, mine := r.client.disown(r.ticket)
		if !mine {
			return
		}
		if err := r.client.plugin.wait(h.at); err != nil {
			r.err = failed(CodeCall, err, "the run failed")
		}
	})
	return r.err
}

// Close closes the results.
func (r *Run) Close() error {
	err := r.Wait()
	for _, b := range r.Results {
		if closed := b.Close(); err == nil {
			err = closed
		}
	}
	return err
}
