package ireert

import (
	"runtime"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/dynlib"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// MaxRank is the number of dimensions that a call can pass.
const MaxRank = 8

// cTensor mirrors ireert_tensor: 104 bytes.
type cTensor struct {
	data     unsafe.Pointer
	nbytes   int64
	handle   uintptr
	dtype    int32
	flags    int32
	rank     int32
	reserved int32
	dims     [MaxRank]int64
}

const flagKeep = 1

// Operand is an argument or a result: a host value, or a buffer that stays on
// the device when Device is set.
type Operand struct {
	Host   tensor.Value
	Device *Buffer
}

// Want describes an expected result. No memory is allocated for a size that a type
// claims: see MaxUnseen.
type Want struct {
	Type tensor.Type // dynamic dimensions take the size that the program returns
	Keep bool        // leave it on the device
	// Into receives the result's bytes, if the result has a static size of that many bytes.
	Into []byte
}

// Buffer is a result that was left on the device. It may be an argument of
// later calls of its session.
type Buffer struct {
	session *Session
	handle  uintptr // 0 after Release
	typ     tensor.Type
}

// Type returns the static type.
func (b *Buffer) Type() tensor.Type { return b.typ }

// Read copies the whole buffer to the host.
func (b *Buffer) Read() (tensor.Value, error) {
	b.session.mu.Lock()
	defer b.session.mu.Unlock()
	return b.session.read(b)
}

// Release frees the buffer. Releasing again, or after the session was closed,
// does nothing.
func (b *Buffer) Release() {
	b.session.mu.Lock()
	defer b.session.mu.Unlock()
	if b.handle != 0 {
		b.session.lib.release(b.handle)
		b.handle = 0
		delete(b.session.buffers, b)
	}
}

func (s *Session) read(b *Buffer) (tensor.Value, error) {
	if err := s.owns(b); err != nil {
		return tensor.Value{}, err
	}
	v, err := tensor.Zero(b.typ)
	if err != nil || len(v.Bytes) == 0 {
		return v, err
	}
	rc := s.lib.read(s.s, b.handle, 0, unsafe.Pointer(&v.Bytes[0]), int64(len(v.Bytes)), s.text.pointer(), s.text.room())
	if status := s.text.status(rc); status != nil {
		return tensor.Value{}, errs.Wrap(CodeCall, status, "a buffer cannot be read from the device")
	}
	return v, nil
}

func (s *Session) owns(b *Buffer) error {
	if err := s.open(); err != nil {
		return err
	}
	if b.session != s {
		return errs.New(CodeCall, "the buffer belongs to another session")
	}
	if b.handle == 0 {
		return errs.New(CodeClosed, "the buffer was released")
	}
	return nil
}

// Call runs fn and waits for its results, which are checked against wants.
func (s *Session) Call(fn Function, args []Operand, wants []Want) ([]Operand, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return nil, err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	ins := make([]cTensor, len(args))
	for i, a := range args {
		if err := s.lower(&ins[i], a, &pin); err != nil {
			return nil, err
		}
	}
	outs := make([]cTensor, len(wants))
	results := make([]Operand, len(wants))
	for i, w := range wants {
		v, err := w.memory()
		if err != nil {
			return nil, err
		}
		if v.Bytes == nil {
			outs[i].flags = flagKeep
			continue
		}
		results[i].Host = v
		setData(&outs[i], v.Bytes, &pin)
	}
	pin.Pin(s.text)
	rc := dynlib.Invoke(s.lib.call, s.s, uintptr(fn),
		address(ins, &pin), uintptr(len(ins)), address(outs, &pin), uintptr(len(outs)),
		uintptr(s.text.pointer()), uintptr(s.text.room()))
	runtime.KeepAlive(ins)
	// Buffers are taken into account first, so that an error leaks none.
	for i := range outs {
		if outs[i].handle != 0 {
			results[i].Device = &Buffer{session: s, handle: outs[i].handle}
			s.buffers[results[i].Device] = struct{}{}
		}
	}
	if err := s.finish(s.text.status(int32(rc)), outs, wants, results); err != nil {
		for _, r := range results {
			s.drop(r.Device)
		}
		return nil, err
	}
	return results, nil
}

// MaxUnseen is how many bytes are allocated for a result before the program returned it.
// Types come from a contract, which may be another program's or damaged: a larger result
// stays on the device until its size is verified.
const MaxUnseen = 1 << 20

// memory returns the buffer of a result; it is empty for one that first stays on the device.
func (w Want) memory() (tensor.Value, error) {
	if w.Keep || !w.Type.Shape.IsStatic() {
		return tensor.Value{}, nil
	}
	n, err := w.Type.Bytes()
	switch {
	case err != nil:
		return tensor.Value{}, err
	case n > 0 && n == int64(len(w.Into)):
		return tensor.Value{Type: w.Type, Bytes: w.Into}, nil
	case n > MaxUnseen:
		return tensor.Value{}, nil
	}
	return tensor.Zero(w.Type)
}

func (s *Session) finish(status *Status, outs []cTensor, wants []Want, results []Operand) error {
	if status != nil {
		return errs.Wrap(CodeCall, status, "the call failed")
	}
	for i := range outs {
		got, err := typeOf(&outs[i])
		if err != nil {
			return err
		}
		if !Fits(got, wants[i].Type) {
			return errs.New(CodeCall, "result %d is %s, but the contract says %s", i, got, wants[i].Type).
				Hint("the contract and the program must come from the same export")
		}
		b := results[i].Device
		if b == nil {
			continue
		}
		b.typ = got
		if wants[i].Keep {
			continue
		}
		if results[i].Host, err = s.read(b); err != nil {
			return err
		}
		s.drop(b)
		results[i].Device = nil
	}
	return nil
}

func (s *Session) drop(b *Buffer) {
	if b != nil && b.handle != 0 {
		s.lib.release(b.handle)
		b.handle = 0
		delete(s.buffers, b)
	}
}

func (s *Session) lower(t *cTensor, a Operand, pin *runtime.Pinner) error {
	if a.Device != nil {
		if err := s.owns(a.Device); err != nil {
			return err
		}
		t.handle = a.Device.handle
		return nil
	}
	if err := a.Host.Check(); err != nil {
		return err
	}
	typ := a.Host.Type
	if typ.Shape.Rank() > MaxRank {
		return errs.New(CodeCall, "an argument has %d dimensions; at most %d are supported", typ.Shape.Rank(), MaxRank)
	}
	element, err := elementOf(typ.DType)
	if err != nil {
		return err
	}
	t.dtype, t.rank = element, int32(typ.Shape.Rank())
	copy(t.dims[:], typ.Shape.Sizes())
	setData(t, a.Host.Bytes, pin)
	return nil
}

func setData(t *cTensor, b []byte, pin *runtime.Pinner) {
	if len(b) > 0 {
		pin.Pin(&b[0])
		t.data = unsafe.Pointer(&b[0])
	}
	t.nbytes = int64(len(b))
}

func address(ts []cTensor, pin *runtime.Pinner) uintptr {
	if len(ts) == 0 {
		return 0
	}
	pin.Pin(&ts[0])
	return uintptr(unsafe.Pointer(&ts[0]))
}

func typeOf(t *cTensor) (tensor.Type, error) {
	if t.rank < 0 || t.rank > MaxRank {
		return tensor.Type{}, errs.New(CodeCall, "a result has %d dimensions; at most %d are supported", t.rank, MaxRank)
	}
	d := dtypeOf(t.dtype)
	if !d.Valid() {
		return tensor.Type{}, errs.New(CodeCall, "a result has IREE's element type %#x, which is not supported", uint32(t.dtype))
	}
	return tensor.Type{DType: d, Shape: shape.Of(t.dims[:t.rank]...)}, nil
}

// Fits reports whether want allows got, a static type: a dynamic dimension of want
// matches any size.
func Fits(got, want tensor.Type) bool {
	if got.DType != want.DType || got.Shape.Rank() != want.Shape.Rank() {
		return false
	}
	for i, d := range want.Shape {
		if d.Size != shape.Dynamic && d.Size != got.Shape[i].Size {
			return false
		}
	}
	return true
}
