package kernels

// Q4_0: d, then 16 bytes whose low halves are the codes of the first 16 elements.
var _ = register(reader{
	encoding: "Q4_0",
	run:      32,
	scales:   oneScale,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		low, high := nibbles(b, from(2, 16))
		use(0, append(widened(b, b.plus(low, -8)), widened(b, b.plus(high, -8))...))
	},
})
