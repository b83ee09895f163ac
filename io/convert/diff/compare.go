package diff

import (
	"bytes"
	"io"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/internal/ordered"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/quant"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// pair is two tensors of one name.
type pair struct {
	a, b    *weights.File
	sa, sb  tensor.Spec
	workers int
}

func side(s tensor.Spec) Side {
	return Side{Shape: s.Shape, Storage: transform.StorageOf(s), Bytes: s.Bytes}
}

func compare(p pair) (Tensor, error) {
	t := Tensor{Name: p.sa.Name, A: side(p.sa), B: side(p.sb)}
	if !p.sa.Shape.Equal(p.sb.Shape) {
		return t, nil
	}
	if t.A.Storage == t.B.Storage && p.sa.Bytes == p.sb.Bytes {
		var err error
		if t.Equal, err = p.sameBytes(); err != nil {
			return t, err
		}
	}
	if !comparable(p.sa) || !comparable(p.sb) {
		return t, nil
	}
	n, err := p.sa.Shape.Elements()
	if err != nil {
		return t, errs.WithFile(err, p.a.Path())
	}
	if t.Equal {
		t.Distance = &Distance{Elements: n, First: -1, MaxAt: -1, Cosine: 1}
		return t, nil
	}
	t.Distance, err = p.distance(n)
	return t, err
}

// comparable says whether the values can be decoded.
func comparable(s tensor.Spec) bool {
	if s.Encoding != quant.Dense {
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
	a, b, err := readers(p.stored(p.a, p.sa), p.stored(p.b, p.sb))
	if err != nil {
		return false, err
	}
	total := p.sa.Bytes
	read := func(i int64, c *chunk) error {
		n := min(chunkBytes, total-i*chunkBytes)
		return fill(c, a, b, n, n)
	}
	pipe := ordered.New(p.workers, (total+chunkBytes-1)/chunkBytes, func() *chunk { return &chunk{} }, read,
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

// distance compares n decoded elements.
func (p pair) distance(n int64) (*Distance, error) {
	openA, typeA, err := p.decoded(p.a, p.sa)
	if err != nil {
		return nil, err
	}
	openB, typeB, err := p.decoded(p.b, p.sb)
	if err != nil {
		return nil, err
	}
	a, b, err := readers(openA, openB)
	if err != nil {
		return nil, err
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
	pipe := ordered.New(p.workers, (n+chunkElements-1)/chunkElements, func() *chunk { return &chunk{} }, read, work)
	all := none()
	for {
		c, ok, err := pipe.Next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return all.distance(), nil
		}
		all.merge(c.sums)
	}
}

// stored opens a tensor's bytes as they are.
func (p pair) stored(w *weights.File, s tensor.Spec) func() (io.Reader, error) {
	return func() (io.Reader, error) {
		b, err := w.Tensor(s.Name)
		if err != nil {
			return nil, err
		}
		return b.Reader()
	}
}

// decoded opens a tensor as dense elements of the type that it gives.
func (p pair) decoded(w *weights.File, s tensor.Spec) (func() (io.Reader, error), dtype.DType, error) {
	if s.Encoding == quant.Dense {
		return p.stored(w, s), s.DType, nil
	}
	t, err := transform.New(s, transform.Storage{DType: dtype.F32}, transform.Options{Workers: p.workers, File: w.Path()})
	if err != nil {
		return nil, dtype.Invalid, err
	}
	b, err := w.Tensor(s.Name)
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
