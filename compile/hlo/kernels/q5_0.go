package kernels

// Q5_0: d, a bit 4 for each code, then 16 bytes as in Q4_0. A code whose bit is
// clear is negative, so that the bits choose between a code and that less 16.
var _ = register(reader{
	encoding: "Q5_0",
	run:      32,
	scales:   oneScale,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		low, high := nibbles(b, from(6, 16))
		var codes []value
		for i, v := range []value{low, high} {
			set := b.bits(from(int64(2+2*i), 2), i1)
			codes = append(codes, widened(b, b.choose(set, v, b.plus(v, -16)))...)
		}
		use(0, codes)
	},
})
