package kernels

import (
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// source reads lanes bytes of the current block, starting at an offset, as vector<lanes x i8>.
type source func(offset int64, lanes int) value

// reader emits code that reads a block of an encoding as stored. Its elements form
// consecutive runs of equal length; element j of run r is
//
//	scales[r] * code[j] + shifts[r]
//
// A product sums code times x over a run and multiplies by the scale once; an
// unpacked row evaluates the same expression element by element. Codes are exact in f32.
type reader struct {
	encoding quant.Encoding
	run      int  // elements in a run: 16 or 32
	shifted  bool // whether there are shifts
	// scales returns scales and shifts, f32, one lane per run, or scalars if the block
	// is one run. Shifts are the zero value if the encoding has none.
	scales func(b *builder, from source) (scales, shifts value)
	// codes calls use once for each run, in the order that suits the bytes' layout, with
	// its codes: vectors of 16 lanes of f32, in order.
	codes func(b *builder, from source, use func(run int, codes []value))
}

// readers holds the encodings that have kernels.
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

// half reads count f16 numbers as f32: a scalar if count is 1.
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

// nibbles returns the low and the high nibbles of bytes.
func nibbles(b *builder, v value) (low, high value) { return b.mask(v, 15), b.right(v, 4) }

// oneScale implements scales for encodings whose block is d, f16, and codes.
func oneScale(b *builder, from source) (scales, shifts value) { return half(b, from, 0, 1), value{} }

// halves returns the low nibbles of 16 bytes and then their high nibbles; higher bits
// are not cleared.
func halves(b *builder, v value) value {
	v = b.shuffle(v, v, append(span(0, 16), span(0, 16)...)...)
	return b.bits(b.arith("shru", b.bits(v, i32), b.row(i32, 0, 0, 0, 0, 4, 4, 4, 4)), i8)
}
