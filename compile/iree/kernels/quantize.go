package kernels

// Quantize is y[N] = x[N]/scale rounded to nearest even, plus zero, in the range of bytes, of
// f32 with one scale and one zero point; a NaN is taken for 0. It is for processors with a
// fused multiply-add.
//
// A quotient takes 16 cycles for 16 elements with AVX-512, which is more than all the rest. So
// it is a product with the reciprocal, to which two steps of Newton's method with exact rests
// add what is missing: the first leaves less than a unit in the last place, after which the
// second rounds as a division does (Markstein, "Computation of elementary functions on the IBM
// RISC System/6000 processor", 1990, theorem 8.4). Rests are exact where the scale is far from
// the limits of the exponent; for others there is a loop with divisions.
type Quantize struct{}

const (
	quantizePart = 1 << 14 // elements of a workgroup
	quotientMost = 1024    // beyond which any quotient is out of range with any zero point
	// nearestWhole is added to round to nearest even: numbers of its magnitude are whole.
	nearestWhole     = 3 << 22
	nearestWholeBits = 0x4B400000
)

// Symbol returns the kernel's name.
func (Quantize) Symbol() string { return "quantize" }

// Text returns the executable in this form. The operands are x, the scale, f32 [1], the zero
// point, i32 [1], and the size.
func (q Quantize) Text(f Form) string {
	return sizedOf(f, q.Symbol(), 3, []string{"n"}, []dealt{{of: "n", by: quantizePart}}, func(b *builder, in []value, y value, sizes []value) {
		n, zero := sizes[0], b.index(0)
		x, to := b.view(in[0], f32, []value{n}, -1), b.view(y, i8, []value{n}, -1)
		scale := b.load(b.subspan(in[1], f32, 1), 0, zero)
		one := typ{elem: f32}
		between := func(low, high float64) value {
			return b.and(b.compare("oge", scale, b.number(one, low)), b.compare("ole", scale, b.number(one, high)))
		}
		divisor := b.splat(scale, lanes)
		point := b.splat(b.load(b.subspan(in[2], i32, 1), 0, zero), lanes)
		shift := b.sub(point, b.integer(point.typ, nearestWholeBits))
		begin := b.mul(b.workgroup("id", 0), b.index(quantizePart))
		end := b.least(b.plus(begin, quantizePart), n)
		full := b.sub(end, b.rest(b.sub(end, begin), b.index(lanes)))
		all := func(quotient func(v value) value) {
			bytes := func(v value) value {
				whole := b.add(b.pattern(b.add(quotient(v), b.number(v.typ, nearestWhole)), i32), shift)
				least, most := b.zeros(whole.typ), b.integer(whole.typ, 255)
				whole = b.choose(b.compare("slt", whole, least), least, whole)
				whole = b.choose(b.compare("sgt", whole, most), most, whole)
				return b.def(typ{i8, lanes}, "arith.trunci %s : %s to %s", whole.name, whole.typ, typ{i8, lanes})
			}
			b.loop(begin, full, b.index(lanes), nil, func(at value, _ []value) []value {
				b.store(bytes(b.load(x, lanes, at)), to, at)
				return nil
			})
			b.loop(full, end, b.index(lanes), nil, func(at value, _ []value) []value {
				mask := b.reaches(b.sub(end, at))
				b.keep(bytes(b.loadMasked(mask, x, at)), mask, to, at)
				return nil
			})
		}
		b.either(between(0x1p-60, 0x1p60), func() {
			inverse := b.splat(b.def(one, "arith.divf %s, %s : f32", b.number(one, 1).name, scale.name), lanes)
			less := b.negative(divisor)
			most := b.mul(divisor, b.number(vectorType, quotientMost))
			all(func(v value) value {
				v = b.limited(v, most)
				q := b.mul(v, inverse)
				for range 2 {
					q = b.fma(b.fma(less, q, v), inverse, q)
				}
				return q
			})
		}, func() {
			all(func(v value) value {
				return b.limited(b.def(v.typ, "arith.divf %s, %s : %s", v.name, divisor.name, v.typ), b.number(vectorType, quotientMost))
			})
		})
	})
}

// limited is v, 0 where it is NaN, between -most and most.
func (b *builder) limited(v, most value) value {
	least := b.negative(most)
	v = b.choose(b.compare("oeq", v, v), v, b.zeros(v.typ))
	v = b.choose(b.compare("olt", v, most), v, most)
	return b.choose(b.compare("ogt", v, least), v, least)
}
