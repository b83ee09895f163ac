package diff

import (
	"bytes"
	"io"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/parallel"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// pair is two tensors of one name.
type pair struct {
	a, b    source
	workers int
}

// source is a tensor of a file.
type source struct {
	w     *weights.File
	spec  tensor.Spec
	splat []byte // the pattern that fills it; nil where its bytes are stored
}

func sourceOf(w *weights.File, s tensor.Spec) source { return source{w, s, w.Splat(s.Name)} }

func (s source) side() Side {
	return Side{Shape: s.spec.Shape, Storage: transform.StorageOf(s.spec), Bytes: s.spec.Bytes}
}

func compare(p pair) (Tensor, error) {
	t := Tensor{Name: p.a.spec.Name, A: p.a.side(), B: p.b.side()}
	if !p.a.spec.Shape.Equal(p.b.spec.Shape) {
		return t, nil
	}
	if t.A.Storage == t.B.Storage && t.A.Bytes == t.B.Bytes {
		var err error
		if t.Equal, err = p.sameBytes(); err != nil {
			return t, err
		}
	}
	if !comparable(p.a.spec) || !comparable(p.b.spec) {
		return t, nil
	}
	n, err := p.a.spec.Shape.Elements()
	if err != nil {
		return t, errs.WithFile(err, p.a.w.Path())
	}
	if t.Equal {
		t.Distance = &Distance{Elements: n, First: -1, MaxAt: -1, Cosine: 1}
		return t, nil
	}
	all, err := p.sums(n)
	if err != nil {
		return t, err
	}
	t.Distance = all.distance()
	return t, nil
}

// comparable reports whether the values can be decoded.
func comparable(s tensor.Spec) bool {
	if !s.Encoding.IsDense() {
		return !s.Encoding.IsOpaque()
	}
	if _, small := s.DType.Small(); small {
		return s.DType.Bits() == 8
	}
	return s.DType.Bits()%8 == 0 && s.DType != dtype.C64
}

const (
	chunkBytes    = 1 << 20
	chunkElements = 1 << 16
)

// chunk is one part of both tensors.
type chunk struct {
	rawA, rawB []byte
	a, b       []float64
	same       bool
	sums       sums
}

// readers opens both tensors.
func readers(open ...func() (io.Reader, error)) (a, b io.Reader, err error) {
	if a, err = open[0](); err != nil {
		return nil, nil, err
	}
	b, err = open[1]()
	return a, b, err
}

// sameBytes compares two tensors of one length until the first difference.
func (p pair) sameBytes() (bool, error) {
	a, b, err := readers(p.a.stored, p.b.stored)
	if err != nil {
		return false, err
	}
	total := p.a.spec.Bytes
	if p.repeats() {
		total = min(total, patternRoom)
	}
	read := func(i int64, c *chunk) error {
		n := min(chunkBytes, total-i*chunkBytes)
		return fill(c, a, b, n, n)
	}
	pipe := parallel.New(p.workers, (total+chunkBytes-1)/chunkBytes, func() *chunk { return &chunk{} }, read,
		func(_ int64, c *chunk) error { c.same = bytes.Equal(c.rawA, c.rawB); return nil })
	for {
		c, ok, err := pipe.Next()
		if err != nil || !ok {
			return err == nil, err
		}
		if !c.same {
			return false, nil
		}
	}
}

// sums compares n decoded elements, of two splats only those of one period.
func (p pair) sums(n int64) (sums, error) {
	if period := p.period(); period > 0 && period < n {
		return p.repeated(n, period)
	}
	return p.streamed(n)
}

// streamed compares n decoded elements one after the other.
func (p pair) streamed(n int64) (sums, error) {
	openA, typeA, err := p.a.decoded(p.workers)
	if err != nil {
		return sums{}, err
	}
	openB, typeB, err := p.b.decoded(p.workers)
	if err != nil {
		return sums{}, err
	}
	a, b, err := readers(openA, openB)
	if err != nil {
		return sums{}, err
	}
	elements := func(i int64) int64 { return min(chunkElements, n-i*chunkElements) }
	read := func(i int64, c *chunk) error {
		return fill(c, a, b, typeA.Bytes(elements(i)), typeB.Bytes(elements(i)))
	}
	work := func(i int64, c *chunk) error {
		c.a, c.b = grow(c.a, elements(i)), grow(c.b, elements(i))
		if err := tensor.Float64s(typeA, c.a, c.rawA); err != nil {
			return err
		}
		if err := tensor.Float64s(typeB, c.b, c.rawB); err != nil {
			return err
		}
		c.sums = none()
		c.sums.add(c.a, c.b, i*chunkElements)
		return nil
	}
	pipe := parallel.New(p.workers, (n+chunkElements-1)/chunkElements, func() *chunk { return &chunk{} }, read, work)
	all := none()
	for {
		c, ok, err := pipe.Next()
		if err != nil || !ok {
			return all, err
		}
		all.merge(c.sums)
	}
}

func (s source) buffer() (tensor.Buffer, error) {
	if s.splat != nil {
		return irpa.Repeat(s.spec.Name, s.splat, s.spec.Bytes), nil
	}
	return s.w.Tensor(s.spec.Name)
}

// stored opens the tensor's bytes as they are.
func (s source) stored() (io.Reader, error) {
	b, err := s.buffer()
	if err != nil {
		return nil, err
	}
	return b.Reader()
}

// decoded opens the tensor as dense elements of the type that it returns.
func (s source) decoded(workers int) (func() (io.Reader, error), dtype.DType, error) {
	if s.spec.Encoding.IsDense() {
		return s.stored, s.spec.DType, nil
	}
	t, err := transform.New(s.spec, transform.Storage{DType: dtype.F32}, transform.Options{Workers: workers, File: s.w.Path()})
	if err != nil {
		return nil, dtype.Invalid, err
	}
	b, err := s.buffer()
	if err != nil {
		return nil, dtype.Invalid, err
	}
	return t.Buffer(b).Reader, dtype.F32, nil
}

// fill reads the next bytes of both sides.
func fill(c *chunk, a, b io.Reader, na, nb int64) error {
	c.rawA, c.rawB = grow(c.rawA, na), grow(c.rawB, nb)
	if _, err := io.ReadFull(a, c.rawA); err != nil {
		return err
	}
	_, err := io.ReadFull(b, c.rawB)
	return err
}

func grow[T any](s []T, n int64) []T {
	if int64(cap(s)) < n {
		return make([]T, n)
	}
	return s[:n]
}
