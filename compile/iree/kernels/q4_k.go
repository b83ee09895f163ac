package kernels

// Q4_K: d and dmin, eight scales and eight minima of six bits in 12 bytes, then
// 32 bytes with the codes of two runs each, the first one's in the low nibbles.
var _ = register(reader{
	encoding: "Q4_K",
	run:      32,
	shifted:  true,
	scales:   scalesAndMinima,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		for g := range 4 {
			low, high := nibbles(b, from(int64(16+32*g), 32))
			use(2*g, widened(b, low))
			use(2*g+1, widened(b, high))
		}
	},
})

// scalesAndMinima reads the first 16 bytes of Q4_K and Q5_K. Scale i and minimum i
// below 4 are bits 0 to 5 of bytes 4+i and 8+i; those of 4+i have bits 0 to 3 in
// the nibbles of byte 12+i and bits 4 and 5 in bits 6 and 7 of bytes 4+i and 8+i.
func scalesAndMinima(b *builder, from source) (scales, shifts value) {
	all := from(0, 16)
	low := b.shuffle(all, b.right(all, 4), 4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 28, 29, 30, 31)
	low = b.and(low, b.row(i8, 63, 63, 63, 63, 15, 15, 15, 15, 63, 63, 63, 63, 15, 15, 15, 15))
	high := b.right(all, 2)
	high = b.shuffle(high, high, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11)
	high = b.and(high, b.row(i8, 0, 0, 0, 0, 48, 48, 48, 48, 0, 0, 0, 0, 48, 48, 48, 48))
	codes := b.signed(b.or(low, high), f32)
	v := half(b, from, 0, 2)
	d, dmin := b.splat(b.lane(v, 0), 8), b.splat(b.negative(b.lane(v, 1)), 8)
	return b.mul(b.part(codes, 0, 8), d), b.mul(b.part(codes, 8, 8), dmin)
}
