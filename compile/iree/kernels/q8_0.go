package kernels

// Q8_0: d, then a byte for each code.
var _ = register(reader{
	encoding: "Q8_0",
	run:      32,
	scales:   oneScale,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		use(0, append(widened(b, from(2, 16)), widened(b, from(18, 16))...))
	},
})
