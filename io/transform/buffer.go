package transform

import (
	"io"
	"sync/atomic"

	"github.com/skainet-dev/skainet-go/tensor"
)

// Buffer is a transformed tensor as a buffer. Reader streams; Bytes and View
// compute all bytes each time, and are for small tensors.
type Buffer struct {
	t        *Transform
	from     tensor.Buffer
	overflow atomic.Pointer[Stream]
}

// Buffer returns a buffer of the transformed bytes of b. Closing either closes both.
func (t *Transform) Buffer(b tensor.Buffer) *Buffer { return &Buffer{t: t, from: b} }

// Len returns the number of transformed bytes.
func (b *Buffer) Len() int64 { return b.t.To.Bytes }

// Reader returns a new stream.
func (b *Buffer) Reader() (io.Reader, error) {
	s, err := b.t.Open(b.from)
	if err != nil {
		return nil, err // not s, which would be a reader that is not nil
	}
	b.overflow.Store(s)
	return s, nil
}

// Overflow returns how many finite elements became infinite in the stream that was
// started last, as far as it was read.
func (b *Buffer) Overflow() int64 {
	if s := b.overflow.Load(); s != nil {
		return s.Overflow()
	}
	return 0
}

// Bytes returns all bytes.
func (b *Buffer) Bytes() ([]byte, error) {
	r, err := b.Reader()
	if err != nil {
		return nil, err
	}
	all := make([]byte, b.Len())
	_, err = io.ReadFull(r, all)
	return all, err
}

// View calls f with all bytes.
func (b *Buffer) View(f func(b []byte) error) error {
	all, err := b.Bytes()
	if err != nil {
		return err
	}
	return f(all)
}

// Close closes the buffer below.
func (b *Buffer) Close() error { return b.from.Close() }
