package kernels

// Q2_K: 16 bytes, each a scale and a minimum, codes of two bits, four to a byte,
// then d and dmin.
var _ = register(reader{
	encoding: "Q2_K",
	run:      16,
	shifted:  true,
	scales: func(b *builder, from source) (scales, shifts value) {
		low, high := nibbles(b, from(0, 16))
		v := half(b, from, 80, 2)
		d, dmin := b.splat(b.lane(v, 0), 16), b.splat(b.negative(b.lane(v, 1)), 16)
		return b.mul(b.signed(low, f32), d), b.mul(b.signed(high, f32), dmin)
	},
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		for h := range 2 {
			bytes := from(int64(16+32*h), 32)
			for k := range 4 {
				pairOfRuns(b, 8*h+2*k, b.mask(b.right(bytes, int64(2*k)), 3), use)
			}
		}
	},
})

// pairOfRuns returns the codes of two runs of 16.
func pairOfRuns(b *builder, run int, v value, use func(run int, codes []value)) {
	for i, codes := range widened(b, v) {
		use(run+i, []value{codes})
	}
}
