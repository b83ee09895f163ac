package kernels

import (
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// source reads lanes bytes of the block at hand from an offset on, vector<lanes x i8>.
type source func(offset int64, lanes int) value

// reader writes what reads a block of an encoding as it is stored. Its elements
// fall into runs of equal length, one after another; element j of run r is
//
//	scales[r] * code[j] + shifts[r]
//
// A product sums code times x over a run and multiplies by the scale once; an
// unpacked row takes the same expression element by element. Codes are numbers
// that f32 holds exactly.
type reader struct {
	encoding quant.Encoding
	run      int  // elements of a run: 16 or 32
	shifted  bool // whether there are shifts
	// scales returns scales and shifts, f32, a lane for each run, or scalars where the
	// block is one run. Shifts are none for an encoding that has none.
	scales func(b *builder, from source) (scales, shifts value)
	// codes calls use for each run once, in the order in which the bytes are best
	// read, with its codes: vectors of 16 lanes of f32, in order.
	codes func(b *builder, from source, use func(run int, codes []value))
}

// readers has the encodings for which there are kernels.
var readers = map[quant.Encoding]reader{}

func register(r reader) reader {
	readers[r.encoding] = r
	return r
}

// block returns the sizes of a block.
func (r reader) block() (elements, bytes, runs int64) {
	b, _ := r.encoding.Block()
	return b.Elements, b.Bytes, b.Elements / int64(r.run)
}

// half reads count floats of 16 bits as f32: a scalar for one.
func half(b *builder, from source, offset int64, count int) value {
	v := b.bits(from(offset, 2*count), f16)
	if count == 1 {
		return b.signed(b.lane(v, 0), f32)
	}
	return b.signed(v, f32)
}

// widened returns signed bytes as f32, in vectors of 16 lanes.
func widened(b *builder, v value) []value {
	var out []value
	for i := 0; i < v.typ.lanes; i += lanes {
		out = append(out, b.signed(b.part(v, i, lanes), f32))
	}
	return out
}

// nibbles returns the low and the high halves of bytes.
func nibbles(b *builder, v value) (low, high value) { return b.mask(v, 15), b.right(v, 4) }

// oneScale is scales of an encoding whose block is d, f16, and codes.
func oneScale(b *builder, from source) (scales, shifts value) { return half(b, from, 0, 1), value{} }

// halves returns the low halves of 16 bytes and then their high ones, with other
// bits above.
func halves(b *builder, v value) value {
	v = b.shuffle(v, v, append(span(0, 16), span(0, 16)...)...)
	return b.bits(b.arith("shru", b.bits(v, i32), b.row(i32, 0, 0, 0, 0, 4, 4, 4, 4)), i8)
}
