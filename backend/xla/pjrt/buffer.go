package pjrt

import (
	"runtime"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Buffer is a value on a device. One that is no longer needed should be closed; one that
// is forgotten is freed by the garbage collector, and Client.Close frees the rest.
type Buffer struct {
	client *Client
	handle uintptr
	ticket ticket
	lent   []byte // memory that the buffer may borrow
}

// Alignment is what the address of borrowed memory must be a multiple of: XLA's programs
// for CPUs load whole vectors. Other memory is copied.
const Alignment = 64

// How long the plugin may read host memory (PJRT_HostBufferSemantics).
const (
	duringCall = 0
	zeroCopy   = 2
)

// Copy returns a buffer with a copy of v on a device.
func (c *Client) Copy(v tensor.Value, d Device) (*Buffer, error) { return c.fromHost(v, d, duringCall) }

// Borrow returns a buffer that reads the memory of v in place, where the device is a CPU
// and the address a multiple of Alignment; else the memory is copied. It must not be
// memory of the garbage collector, and must neither change nor be unmapped until the
// buffer is closed. No program may be given the buffer as a donated argument.
func (c *Client) Borrow(v tensor.Value, d Device) (*Buffer, error) {
	if len(v.Bytes) == 0 || c.platform != "cpu" || uintptr(unsafe.Pointer(&v.Bytes[0]))%Alignment != 0 {
		return c.fromHost(v, d, duringCall)
	}
	b, err := c.fromHost(v, d, zeroCopy)
	if err == nil {
		b.lent = v.Bytes
	}
	return b, err
}

func (c *Client) fromHost(v tensor.Value, d Device, semantics int32) (*Buffer, error) {
	if err := v.Check(); err != nil {
		return nil, err
	}
	element, err := elementOf(v.Type.DType)
	if err != nil {
		return nil, err
	}
	done, err := c.use()
	if err != nil {
		return nil, err
	}
	defer done()
	if d.client != c {
		return nil, errs.New(CodeDevice, "device %d belongs to another client", d.ID)
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	x := &fromHostArgs{
		head: head{size: unsafe.Sizeof(fromHostArgs{})}, client: c.client, element: element, device: d.handle, semantics: semantics,
		rank: uintptr(v.Type.Shape.Rank()),
	}
	data := v.Bytes
	if len(data) == 0 {
		data = make([]byte, 1) // a pointer that is not nil
	}
	x.data = unsafe.Pointer(&data[0])
	if semantics == duringCall {
		pin.Pin(&data[0])
	}
	if dims := v.Type.Shape.Sizes(); len(dims) > 0 {
		x.dims = &dims[0]
		pin.Pin(x.dims)
	}
	if err := c.plugin.call(bufferFromHost, unsafe.Pointer(x)); err != nil {
		return nil, failed(CodeCall, err, "a value of type %s cannot be brought to the device", v.Type)
	}
	b := c.buffer(x.buffer)
	// The event of borrowed memory comes when the buffer is freed.
	if semantics == duringCall {
		err = c.plugin.of(eventAwait, x.done)
	}
	if freed := c.plugin.of(eventDestroy, x.done); err == nil {
		err = freed
	}
	if err != nil {
		_ = b.free()
		return nil, failed(CodeCall, err, "a value of type %s was not brought to the device", v.Type)
	}
	return b, nil
}

// buffer takes a buffer.
func (c *Client) buffer(handle uintptr) *Buffer {
	b := &Buffer{client: c, handle: handle, ticket: c.own(handle, bufferDestroy)}
	runtime.AddCleanup(b, func(t ticket) { _ = c.release(t) }, b.ticket)
	return b
}

// free is Close within a call.
func (b *Buffer) free() error {
	if h, mine := b.client.disown(b.ticket); mine {
		return b.client.plugin.of(h.free, h.at)
	}
	return nil
}

// open begins a use of the buffer.
func (b *Buffer) open(c *Client) error {
	if b == nil {
		return errs.New(CodeCall, "an argument is nil")
	}
	if b.client != c {
		return errs.New(CodeCall, "the buffer belongs to another client")
	}
	if !c.owns(b.ticket) {
		return errs.New(CodeClosed, "the buffer was closed")
	}
	return nil
}

// Type returns the type.
func (b *Buffer) Type() (tensor.Type, error) {
	done, err := b.begin()
	if err != nil {
		return tensor.Type{}, err
	}
	defer done()
	return b.typ()
}

func (b *Buffer) begin() (done func(), err error) {
	if done, err = b.client.use(); err != nil {
		return nil, err
	}
	if err := b.open(b.client); err != nil {
		done()
		return nil, err
	}
	return done, nil
}

func (b *Buffer) typ() (tensor.Type, error) {
	p := b.client.plugin
	element, err := p.small(bufferElement, b.handle)
	if err != nil {
		return tensor.Type{}, errs.Wrap(CodeCall, err, "a buffer has no type")
	}
	d, err := dtypeOf(element)
	if err != nil {
		return tensor.Type{}, err
	}
	at, n, err := p.list(bufferDimensions, b.handle)
	if err != nil {
		return tensor.Type{}, errs.Wrap(CodeCall, err, "a buffer has no sizes")
	}
	var sizes []int64
	if n > 0 {
		sizes = unsafe.Slice((*int64)(at), n)
	}
	runtime.KeepAlive(b)
	return tensor.Type{DType: d, Shape: shape.Of(sizes...)}, nil
}

// Deleted reports whether the value is gone: a program got it as a donated argument.
func (b *Buffer) Deleted() (bool, error) {
	done, err := b.begin()
	if err != nil {
		return false, err
	}
	defer done()
	gone, err := b.client.plugin.small(bufferIsDeleted, b.handle)
	runtime.KeepAlive(b)
	if err != nil {
		return false, errs.Wrap(CodeCall, err, "a buffer is not known")
	}
	return gone&0xff != 0, nil
}

// Borrowed reports whether the buffer reads the memory that was lent to it in place.
func (b *Buffer) Borrowed() bool {
	if len(b.lent) == 0 {
		return false
	}
	done, err := b.begin()
	if err != nil {
		return false
	}
	defer done()
	at, err := b.client.plugin.number(bufferPointer, b.handle)
	runtime.KeepAlive(b)
	return err == nil && at == uintptr(unsafe.Pointer(&b.lent[0]))
}

// Read waits for the value and returns a copy.
func (b *Buffer) Read() (tensor.Value, error) {
	t, err := b.Type()
	if err != nil {
		return tensor.Value{}, err
	}
	v, err := tensor.Zero(t)
	if err != nil {
		return tensor.Value{}, err
	}
	return v, b.ReadInto(v.Bytes)
}

// ReadInto waits for the value and copies it into memory of its length.
func (b *Buffer) ReadInto(to []byte) error {
	done, err := b.begin()
	if err != nil {
		return err
	}
	defer done()
	t, err := b.typ()
	if err != nil {
		return err
	}
	n, err := t.Bytes()
	if err != nil {
		return err
	}
	if int64(len(to)) != n {
		return errs.New(CodeCall, "a value of type %s has %d bytes, and is read into %d", t, n, len(to))
	}
	if n == 0 {
		return nil
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&to[0])
	x := &toHostArgs{head: head{size: unsafe.Sizeof(toHostArgs{})}, buffer: b.handle, to: unsafe.Pointer(&to[0]), n: uintptr(n)}
	err = b.client.plugin.call(bufferToHost, unsafe.Pointer(x))
	if err == nil {
		err = b.client.plugin.wait(x.done)
	}
	runtime.KeepAlive(b)
	if err != nil {
		return failed(CodeCall, err, "a value of type %s cannot be read from the device", t)
	}
	return nil
}

// wait waits for an event and frees it.
func (p *Plugin) wait(event uintptr) error {
	if event == 0 {
		return nil
	}
	err := p.of(eventAwait, event)
	if freed := p.of(eventDestroy, event); err == nil {
		err = freed
	}
	return err
}

// Close frees the value. Closing again does nothing.
func (b *Buffer) Close() error { return b.client.release(b.ticket) }
