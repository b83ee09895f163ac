package transform

import (
	"errors"
	"io"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/parallel"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Stream reads the bytes of a transformed tensor in order. It is not safe for
// concurrent use.
type Stream struct {
	t        *Transform
	copied   io.Reader // of a Copy
	pipe     *parallel.Pipe[*chunk]
	out      []byte // of the chunk given last, not yet read
	left     int64  // bytes
	chunks   int64  // not yet taken
	overflow int64
	err      error
}

// Remaining returns how many bytes are left.
func (s *Stream) Remaining() int64 { return s.left }

// Overflow returns how many finite elements became infinite, so far.
func (s *Stream) Overflow() int64 { return s.overflow }

// Read returns the next bytes.
func (s *Stream) Read(p []byte) (int, error) {
	if s.copied != nil {
		n, err := s.copied.Read(p)
		s.left -= int64(n)
		return n, err
	}
	for len(s.out) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.next()
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	s.left -= int64(n)
	return n, nil
}

// WriteTo writes what is left, without a buffer between.
func (s *Stream) WriteTo(w io.Writer) (n int64, err error) {
	if s.copied != nil {
		n, err := io.Copy(w, s.copied)
		s.left -= n
		return n, err
	}
	for {
		m, err := w.Write(s.out)
		n += int64(m)
		s.left -= int64(m)
		s.out = s.out[m:]
		if err != nil {
			return n, err
		}
		if errors.Is(s.err, io.EOF) {
			return n, nil
		}
		if s.err != nil {
			return n, s.err
		}
		s.next()
	}
}

// next takes the next chunk, or sets err. An overflow is reported in place of the
// last chunk, so that a reader of exactly so many bytes sees it.
func (s *Stream) next() {
	c, ok, err := s.pipe.Next()
	if err != nil {
		s.err = s.t.named(err)
		return
	}
	if !ok {
		s.err = io.EOF
		return
	}
	s.overflow += c.overflow
	if s.chunks--; s.chunks == 0 && s.overflow > 0 && !s.t.options.AllowOverflow {
		wide := "use bf16 or f32"
		if s.t.To.DType != dtype.F16 {
			wide = "keep " + StorageOf(s.t.From).String() // those two are no wider
		}
		s.err = errs.New(CodeOverflow, "%d finite elements are too large for %s", s.overflow, StorageOf(s.t.To)).In(s.t.options.File).On(s.t.From.Name).
			Hint("%s for this tensor, or allow infinities with --allow-overflow", wide)
		return
	}
	s.out = c.dst
}

// named puts the names of the tensor and the file on the error of a step.
func (t *Transform) named(err error) error {
	var e *errs.Error
	if errors.As(err, &e) && e.Node == "" {
		e.Node = t.From.Name
	}
	return errs.WithFile(err, t.options.File)
}

func (t *Transform) stream(r io.Reader) *Stream {
	all, _ := t.From.Shape.Elements() // New has seen it
	size := t.unit * t.units
	chunks := (all + size - 1) / size
	row := columns(t.From.Shape)
	// A stored length is in proportion to the elements, in whole units.
	bytes := func(total, elements int64) int64 {
		return total / (all / t.unit) * (elements / t.unit)
	}
	elements := func(i int64) int64 { return min(size, all-i*size) }
	read := func(i int64, c *chunk) error {
		_, err := io.ReadFull(r, grow(&c.src, bytes(t.From.Bytes, elements(i))))
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return errs.Wrap(tensor.CodeBadSize, io.ErrUnexpectedEOF, "the tensor has fewer than its %d bytes", t.From.Bytes)
		}
		return err
	}
	work := func(i int64, c *chunk) error {
		n := elements(i)
		grow(&c.dst, bytes(t.To.Bytes, n))
		return t.steps.run(c, n, row)
	}
	return &Stream{t: t, left: t.To.Bytes, chunks: chunks, pipe: parallel.New(t.options.Workers, chunks, func() *chunk { return &chunk{} }, read, work)}
}
