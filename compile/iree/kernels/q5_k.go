package kernels

// Q5_K: like Q4_K, with bit 4 of the codes, eight to a byte, before the others.
var _ = register(reader{
	encoding: "Q5_K",
	run:      32,
	shifted:  true,
	scales:   scalesAndMinima,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		high := from(16, 32)
		for g := range 4 {
			l, h := nibbles(b, from(int64(48+32*g), 32))
			use(2*g, widened(b, b.or(l, b.moved(high, 4-2*g, 16))))
			use(2*g+1, widened(b, b.or(h, b.moved(high, 3-2*g, 16))))
		}
	},
})
