package gguf

import (
	"bufio"
	"io"

	"github.com/skainet-dev/skainet-go/tensor"
)

// swapped is a buffer whose elements have their bytes reversed. Bytes and
// View decode all of them into new memory.
type swapped struct {
	tensor.Buffer
	size int // of an element: 2, 4 or 8 bytes
}

func (s *swapped) Bytes() (b []byte, err error) {
	err = s.Buffer.View(func(raw []byte) error {
		b = append(make([]byte, 0, len(raw)), raw...)
		reverse(b, s.size)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (s *swapped) View(f func(b []byte) error) error {
	b, err := s.Bytes()
	if err != nil {
		return err
	}
	return f(b)
}

func (s *swapped) Reader() (io.Reader, error) {
	r, err := s.Buffer.Reader()
	if err != nil {
		return nil, err
	}
	return swapReader(r, s.size), nil
}

// swapReader reverses elements while they are read; the bytes of r are a whole
// number of elements.
func swapReader(r io.Reader, size int) io.Reader {
	return bufio.NewReaderSize(&swapping{r: r, size: size}, piece)
}

// swapping reads whole elements. Its caller, a bufio.Reader, passes a slice of
// more than one.
type swapping struct {
	r    io.Reader
	size int
}

func (s *swapping) Read(p []byte) (int, error) {
	n, err := io.ReadFull(s.r, p[:len(p)/s.size*s.size])
	reverse(p[:n/s.size*s.size], s.size)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// reverse reverses the bytes of every element.
func reverse(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}
