package gguf

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Info is a row of the table of tensors.
type Info struct {
	tensor.Spec
	Number uint32 // the type's number in ggml
	Part   int    // of a split model, from 0
	Offset int64  // of the bytes, from the start of the part's file

	swap  int    // bytes of an element to reverse
	sized bool   // the type and the sizes give the number of bytes
	rel   uint64 // the offset as written, from the start of the data
	field int64  // where that is written
}

// info reads a row of the table. Faults of the sizes and the type leave a tensor
// whose number of bytes is not known.
func (p *parser) info(i int) error {
	at := p.at
	raw, err := p.str(fmt.Sprintf("the name of tensor %d", i), MaxName)
	if err != nil {
		return err
	}
	t := Info{Spec: tensor.Spec{Name: string(raw)}}
	if err := text(raw, fmt.Sprintf("the name of tensor %d", i), CodeName); err != nil {
		if err := p.fault(err.At(at)); err != nil {
			return err
		}
	}
	if _, twice := p.byName[t.Name]; twice {
		if err := p.fault(fail(CodeDuplicateName, at, "another tensor has this name").On(t.Name)); err != nil {
			return err
		}
	}
	at = p.at
	dims, err := p.u32("the number of dimensions")
	if err != nil {
		return on(err, t.Name)
	}
	if dims > MaxDims {
		return fail(CodeShape, at, "%d dimensions, ggml has at most %d", dims, MaxDims).On(t.Name)
	}
	at = p.at
	if err := p.need(int64(8*dims)+4+8, "the sizes, the type and the offset"); err != nil {
		return on(err, t.Name)
	}
	ne := [MaxDims]uint64{1, 1, 1, 1}
	for d := range int64(dims) {
		ne[d] = p.bits(p.at, 8)
		p.at += 8
	}
	t.Number = uint32(p.bits(p.at, 4))
	t.rel, t.field = p.bits(p.at+4, 8), p.at+4
	if err := p.sizes(&t, ne, int64(dims), at, p.at); err != nil {
		return err
	}
	p.at += 4 + 8
	if _, twice := p.byName[t.Name]; !twice {
		p.byName[t.Name] = len(p.tensors)
	}
	p.tensors = append(p.tensors, t)
	return nil
}

// sizes checks the shape against the type, and fills in what follows from them.
func (p *parser) sizes(t *Info, ne [MaxDims]uint64, dims, shapeAt, typeAt int64) error {
	// Elements are counted in the order of the shape, slowest first, and a
	// product that wraps before a zero size is a fault too.
	elements := uint64(1)
	sizes := make([]int64, dims)
	for d := dims - 1; d >= 0; d-- {
		if ne[d] > math.MaxInt64 {
			return p.fault(fail(CodeShape, shapeAt+8*d, "a size of %d", ne[d]).On(t.Name))
		}
		hi, lo := bits.Mul64(elements, ne[d])
		if hi != 0 || lo > math.MaxInt64 {
			return p.fault(fail(CodeOverflow, shapeAt, "the sizes %d have more than 2^63 elements", ne[:dims]).On(t.Name))
		}
		elements, sizes[dims-1-d] = lo, int64(ne[d])
	}
	t.Shape = shape.Of(sizes...)
	l := layoutOf(t.Number, p.cursor.big)
	if t.Number == numberI2S && !p.cursor.big && strings.HasPrefix(p.architecture, "bitnet") {
		l = layoutI2S()
	} else if name, ok := removed[t.Number]; ok {
		return p.fault(fail(CodeRemovedType, typeAt, "type %d, %s, which ggml has removed", t.Number, name).On(t.Name).
			Hint("convert the model again with a newer llama.cpp"))
	}
	t.DType, t.Encoding, t.swap = l.dtype, l.encoding, l.swap
	if l.bytes == 0 {
		return nil
	}
	if ne[0]%uint64(l.elements) != 0 {
		return p.fault(fail(CodeRow, shapeAt, "a row has %d elements, not a multiple of the %d in a block of %s", ne[0], l.elements, t.Encoding).On(t.Name))
	}
	hi, lo := bits.Mul64(elements/uint64(l.elements), uint64(l.bytes))
	if hi != 0 || lo > uint64(math.MaxInt64-l.tail) {
		return p.fault(fail(CodeOverflow, shapeAt, "the sizes %d take more than 2^63 bytes", ne[:dims]).On(t.Name))
	}
	t.Bytes, t.sized = int64(lo)+l.tail, true
	return nil
}

// place checks that the tensors follow each other as the table lists them, each
// at the next multiple of the alignment, and that the file ends after the last one.
func (p *parser) place() error {
	p.data = align(p.infos, p.alignment)
	room := max(p.size-p.data, 0)
	before := len(p.faults.List())
	want, exact := int64(0), true // where the next tensor starts, at least
	for i := range p.tensors {
		t := &p.tensors[i]
		next, err := p.placeOne(t, want, room, exact)
		if err != nil {
			return err
		}
		if i > 0 && !p.tensors[i-1].sized { // its bytes reach to here
			last := &p.tensors[i-1]
			last.Bytes = max(t.Offset-last.Offset, 0)
		}
		want, exact = next, t.sized
	}
	if n := len(p.tensors); n > 0 && !exact {
		last := &p.tensors[n-1]
		last.Bytes = max(p.size-last.Offset, 0)
		p.end = p.size
		return nil
	}
	p.end = p.infos
	if n := len(p.tensors); n > 0 && want > 0 {
		last := &p.tensors[n-1]
		p.end = last.Offset + last.Bytes
	}
	if most := align(p.end, p.alignment); p.size > most && len(p.faults.List()) == before {
		return p.fault(fail(CodeTrailing, most, "%d bytes follow the last tensor and its padding", p.size-most))
	}
	return nil
}

// placeOne checks the offset of one tensor, and returns the least one of the next.
func (p *parser) placeOne(t *Info, want, room int64, exact bool) (next int64, err error) {
	rel := int64(min(t.rel, math.MaxInt64))
	beyond := rel > room || t.sized && t.Bytes > room-rel
	if t.sized && t.Bytes == 0 {
		beyond = rel > align(room, p.alignment) // where the last padding is left out
	}
	switch {
	case t.rel%uint64(p.alignment) != 0:
		err = p.fault(fail(CodeOffset, t.field, "the offset %d is not a multiple of the alignment %d", t.rel, p.alignment).On(t.Name))
	case beyond:
		err = p.fault(fail(CodeTruncated, t.field, "%d bytes from offset %d of the data on, which has %d bytes", t.Bytes, t.rel, room).On(t.Name).
			Hint("the file was cut short; fetch it again"))
	case rel < want:
		err = p.fault(fail(CodeOverlap, t.field, "the tensor starts at offset %d of the data, inside the one before, which ends at %d", rel, want).On(t.Name))
	case rel > want && exact:
		err = p.fault(fail(CodeHole, t.field, "the tensor starts at offset %d of the data, the one before ends at %d", rel, want).On(t.Name))
	default:
		t.Offset = min(p.data+rel, p.size) // one of no bytes may be past the end
		return align(rel+t.Bytes, p.alignment), nil
	}
	// Continue from where the tensor should be.
	t.Offset = min(p.data+want, p.size)
	if next = want; t.sized && t.Bytes <= room-want {
		next = align(want+t.Bytes, p.alignment)
	}
	return next, err
}
