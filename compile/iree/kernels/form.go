package kernels

// Form is how the text of a kernel is written. It does not change results.
type Form struct {
	Indent string // before each line
	// IntegerF16 widens f16 with bit operations, for processors without an instruction
	// for it: there the pinned compiler calls its own conversion for each number, which
	// flushes subnormals to 0 (IREE 3.13.0).
	IntegerF16 bool
}

// widenedF16 returns f16 as f32, exactly. No step needs a subnormal f32, which the
// runtime lets the processor flush to 0.
func (b *builder) widenedF16(x value) value {
	whole := b.signed(b.pattern(x, i16), i32) // the sign is then the highest bit of 32
	number := b.left(b.mask(whole, 0x7FFF), 13)
	const rebias = (127 - 15) << 23
	normal := b.pattern(b.plus(number, rebias), f32)
	// An exponent of 0 has no hidden bit: subtract 2^-14. For all other finite numbers
	// the difference is the greater of the two, so the smaller one is right.
	subnormal := b.sub(b.pattern(b.plus(number, rebias+1<<23), f32), b.number(normal.typ, 0x1p-14))
	finite := b.pattern(b.choose(b.compare("olt", subnormal, normal), subnormal, normal), i32)
	// Infinities and NaNs have the greatest exponent in both types.
	beyond := b.compare("sge", number, b.integer(number.typ, 0x7C00<<13))
	magnitude := b.add(finite, b.choose(beyond, b.integer(number.typ, rebias), b.zeros(number.typ)))
	return b.pattern(b.or(magnitude, b.mask(whole, -1<<31)), f32)
}

// pattern returns the bits of each element as a type of the same width.
func (b *builder) pattern(x value, to element) value {
	b.must(widths[x.typ.elem] == widths[to], "the bits of %s as %s", x.typ, to)
	t := typ{to, x.typ.lanes}
	return b.def(t, "arith.bitcast %s : %s to %s", x.name, x.typ, t)
}
