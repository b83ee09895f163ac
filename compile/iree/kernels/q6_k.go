package kernels

// Q6_K: bits 0 to 3 of the codes, two to a byte, bits 4 and 5, four to a byte,
// 16 scales, i8, then d.
var _ = register(reader{
	encoding: "Q6_K",
	run:      16,
	scales: func(b *builder, from source) (scales, shifts value) {
		return b.mul(b.signed(from(192, 16), f32), b.splat(half(b, from, 208, 1), 16)), value{}
	},
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		for h := range 2 {
			high := from(int64(128+32*h), 32)
			var low [4]value
			low[0], low[2] = nibbles(b, from(int64(64*h), 32))
			low[1], low[3] = nibbles(b, from(int64(64*h+32), 32))
			for k := range 4 {
				v := b.or(low[k], b.moved(high, 4-2*k, 48))
				pairOfRuns(b, 8*h+2*k, b.plus(v, -32), use)
			}
		}
	},
})
