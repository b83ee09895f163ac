package kernels

// IQ4_XS: d, bits 4 and 5 of eight scales, two bits each, their bits 0 to 3, then
// 16 bytes a run as in IQ4_NL.
var _ = register(reader{
	encoding: "IQ4_XS",
	run:      32,
	scales: func(b *builder, from source) (scales, shifts value) {
		low0, low1 := nibbles(b, from(4, 4))
		low := b.shuffle(low0, low1, 0, 4, 1, 5, 2, 6, 3, 7)
		h := from(2, 2)
		h = b.shuffle(h, b.right(h, 2), 0, 2, 1, 3)
		h = b.shuffle(h, b.right(h, 4), 0, 1, 4, 5, 2, 3, 6, 7)
		codes := b.plus(b.or(low, b.left(b.mask(h, 3), 4)), -32)
		return b.mul(b.signed(codes, f32), b.splat(half(b, from, 0, 1), 8)), value{}
	},
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		for r := range 8 {
			use(r, widened(b, stepped(b, b.mask(halves(b, from(int64(8+16*r), 16)), 15))))
		}
	},
})
