package pjrt

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
)

// Run is an execution that was started.
type Run struct {
	// Results are the results, which may be arguments of further runs before this one is
	// done: those on the first device, if there are several. The caller closes them.
	Results []*Buffer
	// Devices are the results on each device.
	Devices [][]*Buffer

	client  *Client
	once    sync.Once
	events  []uintptr
	tickets []ticket
	err     error
}

// Start starts the program with these arguments on the device that it was compiled for, and
// returns without waiting. A buffer whose argument the program donates is deleted: its
// memory is that of a result.
func (e *Executable) Start(args ...*Buffer) (*Run, error) { return e.StartOn(args) }

// StartOn is Start for a program that was compiled for several devices: each has a list of
// arguments, which are its parts of the values, in the order of the devices.
func (e *Executable) StartOn(args ...[]*Buffer) (*Run, error) {
	c := e.client
	done, err := c.use()
	if err != nil {
		return nil, err
	}
	defer done()
	if err := e.open(); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, errs.New(CodeCall, "the program is started on no device")
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	in, out := make([]*uintptr, len(args)), make([]*uintptr, len(args))
	results := make([][]uintptr, len(args))
	for d, list := range args {
		if len(list) != len(args[0]) {
			return nil, errs.New(CodeCall, "device %d has %d arguments, and device 0 %d", d, len(list), len(args[0]))
		}
		handles := make([]uintptr, len(list)+1) // never empty, to have an address
		for i, b := range list {
			if err := b.open(c); err != nil {
				return nil, err
			}
			handles[i] = b.handle
		}
		results[d] = make([]uintptr, e.outputs+1)
		in[d], out[d] = &handles[0], &results[d][0]
		pin.Pin(in[d])
		pin.Pin(out[d])
	}
	events := make([]uintptr, len(args))
	o := &executeOptions{head: head{size: unsafe.Sizeof(executeOptions{})}}
	x := &executeArgs{
		head: head{size: unsafe.Sizeof(executeArgs{})}, executable: e.handle, options: o, args: &in[0], devices: uintptr(len(args)), n: uintptr(len(args[0])),
		results: &out[0], done: &events[0],
	}
	for _, at := range []any{x.done, o, x.args, x.results} {
		pin.Pin(at)
	}
	err = c.plugin.call(loadedExecute, unsafe.Pointer(x))
	runtime.KeepAlive(args)
	runtime.KeepAlive(e)
	if err != nil {
		return nil, failed(CodeCall, err, "the program does not start")
	}
	r := &Run{client: c, events: events, Devices: make([][]*Buffer, len(args))}
	for d := range args {
		r.Devices[d] = make([]*Buffer, e.outputs)
		for i := range r.Devices[d] {
			r.Devices[d][i] = c.buffer(results[d][i])
		}
		r.tickets = append(r.tickets, c.own(events[d], eventDestroy))
	}
	r.Results = r.Devices[0]
	runtime.AddCleanup(r, func(ts []ticket) {
		for _, t := range ts {
			_ = c.release(t)
		}
	}, r.tickets)
	return r, nil
}

// Done reports whether the run is over.
func (r *Run) Done() bool {
	done, err := r.client.use()
	if err != nil {
		return true
	}
	defer done()
	for i, t := range r.tickets {
		if !r.client.owns(t) {
			continue
		}
		if ready, err := r.client.plugin.small(eventIsReady, r.events[i]); err == nil && ready&0xff == 0 {
			return false
		}
	}
	return true
}

// Wait waits for the end of the run on all devices and returns the first error. It cannot be
// interrupted.
func (r *Run) Wait() error {
	r.once.Do(func() {
		done, err := r.client.use()
		if err != nil {
			r.err = err
			return
		}
		defer done()
		for _, t := range r.tickets {
			h, mine := r.client.disown(t)
			if !mine {
				continue
			}
			if err := r.client.plugin.wait(h.at); err != nil && r.err == nil {
				r.err = failed(CodeCall, err, "the run failed")
			}
		}
	})
	return r.err
}

// Close closes the results.
func (r *Run) Close() error {
	err := r.Wait()
	for _, list := range r.Devices {
		for _, b := range list {
			if closed := b.Close(); err == nil {
				err = closed
			}
		}
	}
	return err
}
