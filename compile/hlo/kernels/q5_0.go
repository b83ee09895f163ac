package kernels

// Q5_0: d, a bit 4 for each code, then 16 bytes as in Q4_0. A code whose bit is
// clear is negative: its upper four bits are those of the bit, flipped.
var _ = register(reader{
	encoding: "Q5_0",
	run:      32,
	scales:   oneScale,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		v := halves(b, from(6, 16))
		set, above := b.bits(from(2, 4), i1), b.integer(v.typ, -16)
		use(0, widened(b, b.xor(b.or(v, above), b.choose(set, above, b.zeros(v.typ)))))
	},
})
