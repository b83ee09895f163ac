package kernels

// Q4_1: d and m, then 16 bytes as in Q4_0.
var _ = register(reader{
	encoding: "Q4_1",
	run:      32,
	shifted:  true,
	scales: func(b *builder, from source) (scales, shifts value) {
		v := half(b, from, 0, 2)
		return b.lane(v, 0), b.lane(v, 1)
	},
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		use(0, widened(b, b.mask(halves(b, from(4, 16)), 15)))
	},
})
