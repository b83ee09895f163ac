package kernels

import "slices"

// ByteProduct is y[M, N] = (x[M, K] - zero) W[K, N] with x of unsigned bytes, one zero point,
// W of bytes with a sign and sums of 32 bits, modulo 2^32: exact for what quantised models
// multiply. K is a multiple of 4.
//
// It is for processors with an instruction that multiplies four bytes without a sign by four
// with one and adds the products to a sum (VNNI's vpdpbusd, which unlike AVX2's pmaddubsw does
// not saturate): four neighbours of K are an element of 32 bits, and a tile takes half as many
// instructions as that of an IntegerProduct. The zero point is taken off the sums, times the
// sums of W's columns, which are added up as the panel is filled.
type ByteProduct struct {
	// Rows says that W is stored as [N, K], and K a multiple of 16: four neighbours of K lie side
	// by side, and four rows of four such elements at a time are transposed into the panel.
	Rows bool
}

// ByteProducts is the instruction that a ByteProduct needs, by the compiler's name.
const ByteProducts = "avx512vnni"

// byteTile: sums of 6 rows and 64 columns, which of each row of W are a line of the cache. With
// the wide tile, of 8 x 48, products over 30 rows take 1.06 times as long, over 16 rows 1.07.
var byteTile = tileForm{height: 6, vectors: 4, elements: 96, unroll: 1, group: 256, rows: 48}

// prefetchAhead is how many rows of a panel before they are read those of W are prefetched: the
// processor finds rows that are further apart than a page of memory too late. Over 128 rows the
// products of a BERT of 12 x 384 take 0.94 of the time with it.
const prefetchAhead = 8

// byteDot is the name of the compiler's operation.
const byteDot = "llvm.x86.avx512.vpdpbusd.512"

// byteLanes is the number of bytes in a vector.
const byteLanes = 4 * lanes

// Symbol returns the kernel's name.
func (m ByteProduct) Symbol() string {
	if m.Rows {
		return "byte_product_rows"
	}
	return "byte_product"
}

// Text returns the executable in this form. The operands are W, x, the zero point, and the
// sizes; k counts fours.
func (m ByteProduct) Text(f Form) string {
	form := byteTile
	grid := []dealt{{of: "n", by: form.columns()}, form.rowParts(false)}
	return sizedOf(f, m.Symbol(), 3, []string{"m", "n", "k"}, grid, func(b *builder, in []value, y value, sizes []value) {
		p := product{builder: b, form: form, tail: true, ragged: true, bytes: true, m: sizes[0], n: sizes[1], k: sizes[2]}
		p.source = panelSource{elements: 1, slice: form.elements}
		p.x = b.view(in[1], i32, []value{p.m, p.k}, -1, -1)
		p.y = b.view(y, i32, []value{p.m, p.n}, -1, -1)
		p.panel = b.scratch(i8, form.elements, int64(form.vectors*byteLanes))
		p.starts = b.scratch(i32, int64(form.vectors*lanes))
		var w memory
		if m.Rows {
			p.source.elements = 4
			w = b.view(in[0], i32, []value{p.n, p.k}, -1, -1)
		} else {
			w = b.view(in[0], i8, []value{b.mul(p.k, b.index(4)), p.n}, -1, -1)
		}
		zero := b.splat(b.load(b.subspan(in[2], i32, 1), 0, b.index(0)), lanes)
		p.fill = func(n, start, length value) {
			if m.Rows {
				p.fillByteRows(w, zero, n, start, length)
			} else {
				p.fillBytes(w, zero, n, start, length)
			}
		}
		p.loops()
	})
}

// fillBytes fills the panel with columns of w from n on, four rows of w to a row of it, and
// starts with what sums of the slice start with: the zero point times those of the columns,
// negative.
func (p *product) fillBytes(w memory, zero, n, start, length value) {
	ones := p.integer(typ{i8, byteLanes}, 1)
	p.columnsOf(w, func(load func(at ...value) value) {
		sums := slices.Repeat([]value{p.zeros(typ{i32, lanes})}, p.vectors)
		sums = p.loop(p.index(0), length, p.index(1), sums, func(i value, sums []value) []value {
			first := p.mul(p.add(start, i), p.index(4))
			next := make([]value, len(sums))
			for j := range 4 {
				p.prefetch(w, p.offset(first, 4*prefetchAhead+j), n)
			}
			for v := range sums {
				four := load(first, p.offset(n, v*lanes))
				four = p.convert(four, i32, false)
				for j := 1; j < 4; j++ {
					r := p.convert(load(p.offset(first, j), p.offset(n, v*lanes)), i32, false)
					four = p.or(four, p.left(r, int64(8*j)))
				}
				bytes := p.bits(four, i8)
				p.store(bytes, p.panel, i, p.index(int64(v*byteLanes)))
				next[v] = p.byteSums(ones, bytes, sums[v])
			}
			return next
		})
		p.startWith(zero, sums)
	})
}

// fillByteRows is fillBytes for rows of w, whose elements are four bytes.
func (p *product) fillByteRows(w memory, zero, n, start, length value) {
	p.fillRows(n, length, func(row, k value) value { return p.load(w, 4, row, p.add(start, k)) })
	ones := p.integer(typ{i8, byteLanes}, 1)
	sums := slices.Repeat([]value{p.zeros(typ{i32, lanes})}, p.vectors)
	p.startWith(zero, p.loop(p.index(0), length, p.index(1), sums, func(i value, sums []value) []value {
		next := make([]value, len(sums))
		for v := range sums {
			next[v] = p.byteSums(ones, p.load(p.panel, byteLanes, i, p.index(int64(v*byteLanes))), sums[v])
		}
		return next
	}))
}

// fillRows fills the panel with rows from n on, of elements of 32 bits of which of loads four
// of a row.
func (p *product) fillRows(n, length value, of func(row, k value) value) {
	four, wide := p.index(4), p.step()/lanes
	for v := range p.vectors {
		p.loop(p.index(0), p.index(lanes), four, nil, func(i value, _ []value) []value {
			var rows [4]value
			for j := range rows {
				row := p.add(p.offset(n, v*lanes), p.offset(i, j))
				rows[j] = p.least(row, p.sub(p.n, p.index(1))) // any value for the columns that y lacks
			}
			at := p.offset(p.mul(i, p.index(int64(wide))), v*p.step())
			p.loop(p.index(0), length, four, nil, func(k value, _ []value) []value {
				var r [4]value
				for j := range r {
					r[j] = of(rows[j], k)
				}
				t := p.transposed(r)
				for j := range r {
					p.store(p.bits(p.part(t, 4*j, 4), p.panel.elem), p.panel, p.offset(k, j), at)
				}
				return nil
			})
			return nil
		})
	}
}

// startWith stores what sums start with, of the sums of the panel's columns.
func (p *product) startWith(zero value, sums []value) {
	for v, s := range sums {
		p.store(p.sub(p.zeros(s.typ), p.mul(zero, s)), p.starts, p.index(int64(v*lanes)))
	}
}

// byteSums is s and, in each of its lanes, the products of four bytes of x without a sign and
// four of y with one.
func (b *builder) byteSums(x, y, s value) value {
	bytes := typ{i8, byteLanes}
	b.must(x.typ == bytes && y.typ == bytes && s.typ == typ{i32, lanes}, "byte products of %s and %s", x.typ, y.typ)
	return b.def(s.typ, "llvm.call_intrinsic %q(%s, %s, %s) : (%s, %s, %s) -> %s", byteDot, s.name, x.name, y.name, s.typ, x.typ, y.typ, s.typ)
}

// prefetch has the processor fetch the line of the cache that an element is in, which need not
// be one.
func (b *builder) prefetch(m memory, at ...value) {
	b.must(len(at) == len(m.sizes), "%d indexes into %s", len(at), m)
	b.body.line("memref.prefetch %s[%s], read, locality<3>, data : %s", m.name, list(at), m)
}
