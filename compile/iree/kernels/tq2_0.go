package kernels

// TQ2_0: codes of two bits, four to a byte, then d.
var _ = register(reader{
	encoding: "TQ2_0",
	run:      32,
	// One scale serves all runs; a lane for each keeps products uniform.
	scales: func(b *builder, from source) (scales, shifts value) {
		return b.splat(half(b, from, 64, 1), 8), value{}
	},
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		for h := range 2 {
			bytes := from(int64(32*h), 32)
			for k := range 4 {
				use(4*h+k, widened(b, b.plus(b.mask(b.right(bytes, int64(2*k)), 3), -1)))
			}
		}
	},
})
