package kernels

// Q4_0: d, then 16 bytes whose low nibbles are the codes of the first 16 elements.
var _ = register(reader{
	encoding: "Q4_0",
	run:      32,
	scales:   oneScale,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		use(0, widened(b, b.plus(b.mask(halves(b, from(2, 16)), 15), -8)))
	},
})
