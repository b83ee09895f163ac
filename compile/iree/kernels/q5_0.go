package kernels

// Q5_0: d, bit 4 of each code, then 16 bytes as in Q4_0. A code whose bit 4 is
// clear is negative: its upper four bits are the complement of that bit.
var _ = register(reader{
	encoding: "Q5_0",
	run:      32,
	scales:   oneScale,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		v := halves(b, from(6, 16))
		set, above := b.nonzero(spread(b, from(2, 4))), b.integer(v.typ, -16)
		use(0, widened(b, b.xor(b.or(v, above), b.choose(set, above, b.zeros(v.typ)))))
	},
})

// spread returns bit i of four bytes in lane i of 32, at any bit position. Reading the
// bits as a vector of i1 would be one AVX-512 instruction, a tenth of a product less,
// but Arm extracts them one by one: twice the instructions.
func spread(b *builder, v value) value {
	bytes, bits := make([]int, 32), make([]int64, 32)
	for i := range bytes {
		bytes[i], bits[i] = i/8, int64(int8(uint8(1)<<(i%8)))
	}
	return b.and(b.shuffle(v, v, bytes...), b.row(i8, bits...))
}
