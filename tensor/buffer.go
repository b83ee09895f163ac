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

func (m *memory) View(f func(b []byte) error) error {
	b, err := m.Bytes()
	if err != nil {
		return err
	}
	return f(b)
}

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

func closed() error {
	return errs.New(CodeClosed, "the tensor's buffer was closed").Hint("keep the file open while its tensors are used")
}
