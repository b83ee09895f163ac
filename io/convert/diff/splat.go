package diff

import (
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// patternRoom is a multiple of every pattern's length: 1, 2, 4, 8 or 16 bytes.
const patternRoom = 16

// repeats reports whether both tensors are splats: a few bytes of an archive that
// may claim any number of elements, so that only their patterns are compared.
func (p pair) repeats() bool { return p.a.splat != nil && p.b.splat != nil }

// period returns the number of elements after which the values of both splats come
// again; 0 where there is none, as for a scale that is kept once for the tensor,
// which io/transform takes of small tensors alone.
func (p pair) period() int64 {
	if !p.repeats() {
		return 0
	}
	a, b := p.a.period(), p.b.period()
	if a == 0 || b == 0 {
		return 0
	}
	return a / gcd(a, b) * b
}

func (s source) period() int64 {
	elements, bytes := s.unit()
	if bytes == 0 {
		return 0
	}
	return patternRoom / gcd(patternRoom, bytes) * elements
}

// unit returns the elements that are stored together, and their bytes; 0 where the
// tensor's bytes are not those of its units one after the other.
func (s source) unit() (elements, bytes int64) {
	e := s.spec.Encoding
	if e.IsDense() {
		return 1, s.spec.DType.Bytes(1)
	}
	if _, planar := e.Blocks(); planar {
		row := s.row()
		bytes, err := (transform.Storage{DType: s.spec.DType, Encoding: e}).Bytes(shape.Of(row))
		if err != nil {
			return 0, 0
		}
		return row, bytes
	}
	b, ok := e.Block()
	n, _ := s.spec.Shape.Elements() // its caller has seen it
	if !ok || e.NeedsWholeTensor() || n%b.Elements != 0 {
		return 0, 0
	}
	return b.Elements, b.Bytes
}

// row returns the number of elements of a row, 1 of a scalar.
func (s source) row() int64 {
	if rank := s.spec.Shape.Rank(); rank > 0 {
		return max(s.spec.Shape[rank-1].Size, 1)
	}
	return 1
}

// first returns the first n elements of a splat, whole units.
func (s source) first(n int64) (source, error) {
	row := s.row()
	s.spec.Shape = shape.Of(n)
	if _, planar := s.spec.Encoding.Blocks(); planar {
		s.spec.Shape = shape.Of(n/row, row)
	}
	var err error
	s.spec.Bytes, err = transform.StorageOf(s.spec).Bytes(s.spec.Shape)
	return s, err
}

// repeated returns the sums over n elements of two splats: those over a period,
// as often as it comes, and those over the rest of one.
func (p pair) repeated(n, period int64) (sums, error) {
	all := none()
	for _, part := range [...]struct{ elements, times int64 }{{period, n / period}, {n % period, 1}} {
		if part.elements == 0 {
			continue
		}
		short := p
		var err error
		if short.a, err = p.a.first(part.elements); err != nil {
			return all, err
		}
		if short.b, err = p.b.first(part.elements); err != nil {
			return all, err
		}
		s, err := short.streamed(part.elements)
		if err != nil {
			return all, err
		}
		all.merge(s.times(part.times))
	}
	return all, nil
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// times returns the sums over the same elements n times.
func (s sums) times(n int64) sums {
	for _, count := range [...]*int64{&s.d.Elements, &s.d.Different, &s.d.NaNA, &s.d.NaNB, &s.d.NaNOne, &s.d.Infinite, &s.pairs} {
		*count *= n
	}
	for _, sum := range [...]*float64{&s.abs, &s.square, &s.aa, &s.bb, &s.cross} {
		*sum *= float64(n)
	}
	return s
}
