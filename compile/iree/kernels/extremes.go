package kernels

import "slices"

// Extremes is y[2], the least and the greatest of the elements of x[N], f32, which a model that
// is quantised as it runs needs of every activation: x is read once, in several chains. A NaN
// is the result of both, as it is of reductions, and without elements they are inf and -inf.
type Extremes struct{}

// extremeChains is the number of vectors whose comparisons do not wait for each other.
const extremeChains = 4

// Symbol returns the kernel's name.
func (Extremes) Symbol() string { return "extremes" }

// Text returns the executable in this form, for one workgroup: it is limited by memory.
func (e Extremes) Text(f Form) string {
	return sizedOf(f, e.Symbol(), 1, []string{"n"}, nil, func(b *builder, in []value, y value, sizes []value) {
		n, zero := sizes[0], b.index(0)
		x, out := b.view(in[0], f32, []value{n}, -1), b.subspan(y, f32, 2)
		none := []value{b.constant(vectorType, "0x7F800000"), b.constant(vectorType, "0xFF800000")}
		within := func(v value, so []value) []value { return []value{b.lower(so[0], v), b.upper(so[1], v)} }
		step := b.index(extremeChains * lanes)
		wide, full := b.sub(n, b.rest(n, step)), b.sub(n, b.rest(n, b.index(lanes)))
		chains := b.loop(zero, wide, step, slices.Repeat(none, extremeChains), func(at value, so []value) []value {
			var next []value
			for i := range extremeChains {
				next = append(next, within(b.load(x, lanes, b.offset(at, i*lanes)), so[2*i:])...)
			}
			return next
		})
		so := chains[:2]
		for i := 1; i < extremeChains; i++ {
			so = []value{b.lower(so[0], chains[2*i]), b.upper(so[1], chains[2*i+1])}
		}
		so = b.loop(wide, full, b.index(lanes), so, func(at value, so []value) []value { return within(b.load(x, lanes, at), so) })
		so = b.loop(full, n, b.index(lanes), so, func(at value, so []value) []value {
			mask := b.reaches(b.sub(n, at))
			v := b.loadMasked(mask, x, at)
			return []value{b.lower(so[0], b.choose(mask, v, none[0])), b.upper(so[1], b.choose(mask, v, none[1]))}
		})
		b.store(b.bottom(so[0]), out, zero)
		b.store(b.top(so[1]), out, b.index(1))
	})
}

// lower is the minimum of two floats.
func (b *builder) lower(x, y value) value {
	return b.def(x.typ, "arith.minimumf %s, %s : %s", x.name, y.name, x.typ)
}

// bottom is the minimum of the lanes.
func (b *builder) bottom(x value) value {
	t := typ{elem: x.typ.elem}
	return b.def(t, "vector.reduction <minimumf>, %s : %s into %s", x.name, x.typ, t)
}
