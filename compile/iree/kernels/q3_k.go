package kernels

// Q3_K: bit 2 of the codes, eight to a byte, their bits 0 and 1 as in Q2_K, 16 scales
// of six bits, then d. A code whose bit 2 is clear is negative.
var _ = register(reader{
	encoding: "Q3_K",
	run:      16,
	scales: func(b *builder, from source) (scales, shifts value) {
		l, h := from(96, 8), from(104, 4)
		low0, low1 := nibbles(b, l)
		low := b.shuffle(low0, low1, span(0, 16)...)
		h4 := b.shuffle(h, b.right(h, 2), span(0, 8)...)
		high := b.shuffle(h4, b.right(h4, 4), span(0, 16)...)
		codes := b.plus(b.or(low, b.left(b.mask(high, 3), 4)), -32)
		return b.mul(b.signed(codes, f32), b.splat(half(b, from, 108, 1), 16)), value{}
	},
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		high := from(0, 32)
		for h := range 2 {
			bytes := from(int64(32+32*h), 32)
			for k := range 4 {
				set := b.moved(high, 2-(4*h+k), 4)
				v := b.or(b.mask(b.right(bytes, int64(2*k)), 3), set)
				pairOfRuns(b, 8*h+2*k, b.plus(v, -4), use)
			}
		}
	},
})
