package kernels

// Form is how the text of a kernel is written. It does not change results.
type Form struct {
	Indent string // before each line
	// IntegerF16 widens f16 with bit operations, for processors without an instruction
	// for it: there the pinned compiler calls its own conversion for each number, which
	// flushes subnormals to 0 (IREE 3.13.0).
	IntegerF16 bool
	// Wide is for processors with 32 registers of 16 elements, such as those with AVX-512.
	Wide bool
}

// at returns the form with another indent.
func (f Form) at(indent string) Form {
	f.Indent = indent
	return f
}

// tileForm is the form of a tile of a product: the sums that stay in registers.
type tileForm struct {
	height, vectors int   // rows, and vectors of columns
	elements        int64 // of K in a panel of so many columns
	unroll          int   // elements of K at a time
	group           int64 // the most rows of a workgroup: a slice of them stays in the L2 cache
	rows            int64 // the least of a workgroup, where columns make few; 0: all
	direct          bool  // whether what is near is read where it lies
}

// wideTile: sums of 8 rows and 48 columns, a row of the panel and an element of x fill 28 of
// the 32 registers of AVX-512. They hide the latency of a multiply-add, and each element
// that is read is used 3 or 8 times, where a tile of 6 rows and 16 columns is limited by both.
// On a Xeon of 177 GFLOP/s (Sapphire Rapids) convolutions of 3 x 3 take 145 GFLOP/s, with
// tiles of 6 x 16 94; panels of 192 elements and tiles of 6 x 64 are no faster. Products of
// 4096 rows with the weights of a BERT of 12 x 384 take 1211 ms with groups of 256 rows, 1226 with
// those of 128 and 1355 with those of 512; those of narrow tiles do not depend on it. With narrow ones EfficientNet takes 2 % more if
// columns are not copied.
var wideTile = tileForm{8, 3, 128, 1, 256, 48, true}

// fewGroups is the number of workgroups below which rows are dealt in smaller parts, each of which
// copies the panels.
const fewGroups = 4

// rowParts is how rows of y are dealt to workgroups.
func (t tileForm) rowParts(direct bool) dealt {
	if direct {
		return directRows
	}
	return dealt{of: "m", by: t.group, least: t.rows, few: fewGroups}
}

// directRows is how rows are dealt where nothing is copied, and more parts cost nothing: 1152 rows
// of 49 columns in parts of 256 are 5, of which one of two threads takes 3.
var directRows = dealt{of: "m", by: 64, least: 24, few: 6}

// tile returns the form of tiles of products whose panels are copied.
func (f Form) tile() tileForm {
	if f.Wide {
		return wideTile
	}
	return narrowTile
}

// columns is the number of columns of a workgroup: two panels.
func (t tileForm) columns() int64 { return int64(2 * t.vectors * lanes) }

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
