package tensor

import (
	"bytes"
	"io"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
)

// Buffer is a handle to the stored bytes of one tensor. Nothing is read before
// it is asked for. Methods may be called from several goroutines.
type Buffer interface {
	// Len returns the number of stored bytes.
	Len() int64
	// Bytes returns all bytes, without a copy where the buffer is memory or a
	// mapping. The slice must not be written and is valid until Close.
	Bytes() ([]byte, error)
	// View calls f with the bytes and keeps them there until f returns, whatever
	// is closed meanwhile. Where the bytes are a mapping of a file that was cut
	// short, View returns TENSOR_BAD_SIZE in place of the fault that f met. f must
	// not keep the slice, and must not write it.
	View(f func(b []byte) error) error
	// Reader reads the bytes in order, for copies with bounded memory.
	Reader() (io.Reader, error)
	// Close releases the handle; use after it is TENSOR_CLOSED.
	Close() error
}

// Owned returns a buffer over b, which the caller must not use any more.
func Owned(b []byte) Buffer { return &memory{b: b} }

type memory struct {
	mu     sync.Mutex
	b      []byte
	closed bool
}

func (m *memory) Len() int64 { return int64(len(m.b)) }

func (m *memory) Bytes() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, closed()
	}
	return m.b, nil
}

func (m *memory) View(f func(b []byte) error) error { return view(m, f) }

func (m *memory) Reader() (io.Reader, error) {
	b, err := m.Bytes()
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(b), nil
}

func (m *memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// Window returns a buffer over n bytes of r from offset on: a file window whose
// Bytes reads into fresh memory and whose Reader streams.
func Window(r io.ReaderAt, offset, n int64) Buffer {
	return &window{r: r, offset: offset, n: n}
}

type window struct {
	mu        sync.Mutex
	r         io.ReaderAt
	offset, n int64
	closed    bool
}

func (w *window) Len() int64 { return w.n }

func (w *window) Reader() (io.Reader, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, closed()
	}
	return io.NewSectionReader(w.r, w.offset, w.n), nil
}

func (w *window) Bytes() ([]byte, error) {
	r, err := w.Reader()
	if err != nil {
		return nil, err
	}
	b := make([]byte, w.n)
	if n, err := io.ReadFull(r, b); err != nil {
		return nil, errs.Wrap(CodeBadSize, err, "read %d of %d bytes", n, w.n).At(w.offset + int64(n)).
			Hint("the file changed or was cut short after it was opened; fetch it again")
	}
	return b, nil
}

func (w *window) View(f func(b []byte) error) error { return view(w, f) }

// view is View of a buffer whose bytes are ordinary memory.
func view(b Buffer, f func(b []byte) error) error {
	data, err := b.Bytes()
	if err != nil {
		return err
	}
	return f(data)
}

func (w *window) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	return nil
}

func closed() error {
	return errs.New(CodeClosed, "the tensor's buffer was closed").Hint("keep the file open while its tensors are used")
}
