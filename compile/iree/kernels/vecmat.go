package kernels

// VecMat is y[N] = x[K] W[K, N], all f32: one row with a weight that is stored by rows of
// K, as ONNX files have it. Each workgroup sums its columns over all of K in registers and
// reads its part of W once.
type VecMat struct{}

const (
	vecMatColumns = 256 // of a workgroup
	vecMatVectors = 4   // sums at a time
	vecMatUnroll  = 4   // rows of W of an iteration
)

// Symbol returns the kernel's name.
func (VecMat) Symbol() string { return "vecmat" }

// Text returns the executable in this form.
func (m VecMat) Text(f Form) string {
	return sized(f, m.Symbol(), []string{"k", "n"}, []dealt{{of: "n", by: vecMatColumns}}, func(b *builder, w, x, y value, sizes []value) {
		k, n := sizes[0], sizes[1]
		v := vecMat{b, k, b.view(w, f32, []value{k, n}, -1, -1), b.view(x, f32, []value{k}, -1), b.view(y, f32, []value{n}, -1)}
		first := b.mul(b.workgroup("id", 0), b.index(vecMatColumns))
		last := b.least(b.plus(first, vecMatColumns), n)
		rest := func(by int64) value {
			return b.def(indexType, "arith.remui %s, %s : index", b.sub(last, first).name, b.index(by).name)
		}
		wide, whole := b.sub(last, rest(lanes*vecMatVectors)), b.sub(last, rest(lanes))
		b.loop(first, wide, b.index(lanes*vecMatVectors), nil, func(n value, _ []value) []value {
			v.columns(n, vecMatVectors, value{})
			return nil
		})
		b.loop(wide, whole, b.index(lanes), nil, func(n value, _ []value) []value {
			v.columns(n, 1, value{})
			return nil
		})
		b.body.open("scf.if %s {", b.less(whole, last).name)
		v.columns(whole, 1, b.def(typ{i1, lanes}, "vector.create_mask %s : vector<%dxi1>", b.sub(last, whole).name, lanes))
		b.body.close()
	})
}

type vecMat struct {
	*builder
	k       value
	w, x, y memory
}

// columns computes so many vectors of y, or the lanes of a mask, in one chain each, or
// several if there is one vector.
func (v *vecMat) columns(n value, vectors int, mask value) {
	chains := vecMatVectors / vectors
	sums := make([]value, vectors*chains)
	for i := range sums {
		sums[i] = v.zeros(vectorType)
	}
	add := func(steps int) func(k value, sums []value) []value {
		return func(k value, sums []value) []value {
			next := append([]value{}, sums...)
			for u := range steps {
				at := v.offset(k, u)
				x := v.splat(v.load(v.x, 0, at), lanes)
				for i := range vectors {
					s := &next[u%chains*vectors+i]
					*s = v.fma(v.lanesOf(at, v.offset(n, i*lanes), mask), x, *s)
				}
			}
			return next
		}
	}
	end := v.sub(v.k, v.def(indexType, "arith.remui %s, %s : index", v.k.name, v.index(vecMatUnroll).name))
	sums = v.loop(v.index(0), end, v.index(vecMatUnroll), sums, add(vecMatUnroll))
	sums = v.loop(end, v.k, v.index(1), sums, add(1))
	for i := range vectors {
		s := sums[i]
		for c := 1; c < chains; c++ {
			s = v.add(s, sums[c*vectors+i])
		}
		v.keep(s, mask, v.y, v.offset(n, i*lanes))
	}
}

func (v *vecMat) lanesOf(k, n, mask value) value {
	if mask.none() {
		return v.load(v.w, lanes, k, n)
	}
	return v.loadMasked(mask, v.w, k, n)
}

// loadMasked loads the lanes of a mask, and 0 elsewhere; keep stores them, or all without
// a mask.
func (b *builder) loadMasked(mask value, from memory, at ...value) value {
	t := typ{from.elem, mask.typ.lanes}
	return b.def(t, "vector.maskedload %s[%s], %s, %s : %s, %s, %s into %s", from.name, list(at), mask.name, b.zeros(t).name, from, mask.typ, t, t)
}

func (b *builder) keep(v, mask value, to memory, at ...value) {
	if mask.none() {
		b.store(v, to, at...)
		return
	}
	b.body.line("vector.maskedstore %s[%s], %s, %s : %s, %s, %s", to.name, list(at), mask.name, v.name, to, mask.typ, v.typ)
}
