package kernels

// IQ4_NL: like Q4_0, but codes are indices into a table.
var _ = register(reader{
	encoding: "IQ4_NL",
	run:      32,
	scales:   oneScale,
	codes: func(b *builder, from source, use func(run int, codes []value)) {
		use(0, widened(b, stepped(b, b.mask(halves(b, from(2, 16)), 15))))
	},
})

// steps4 is the table of IQ4_NL and IQ4_XS.
var steps4 = [16]int64{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}

// stepped looks up codes of four bits in the table: the dialects have no lookup
// by lane, so each bit in turn selects half of what is left.
func stepped(b *builder, codes value) value {
	var left []value
	for _, n := range steps4 {
		left = append(left, b.integer(codes.typ, n))
	}
	for bit := int64(1); len(left) > 1; bit *= 2 {
		set := b.nonzero(b.mask(codes, bit))
		var next []value
		for i := 0; i < len(left); i += 2 {
			next = append(next, b.choose(set, left[i+1], left[i]))
		}
		left = next
	}
	return left[0]
}
