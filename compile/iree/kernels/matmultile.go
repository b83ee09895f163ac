package kernels

import "slices"

// product writes the body of a MatMul or a Conv.
type product struct {
	*builder
	source  panelSource
	tail    bool // the last panel may be narrower than a vector
	ragged  bool // slices may have any number of elements
	pairs   bool // an element is two integers of 16 bits, and y of 32 bits
	bytes   bool // an element is four bytes, and y of 32 bits
	ends    Epilogue
	along   *Line // the panel has lines in place of columns
	form    tileForm
	vectors int // of columns in the panel at hand
	m, n, k value

	w, x, y  memory
	bias     memory  // [..., m], with ends.Bias
	addend   memory  // like y, with along.Addend
	xAt, yAt []value // leading indices into x and y
	direct   memory  // like y with K for M: the columns where they lie, if none are copied
	panel    memory  // [slice, 16 vectors]: columns of y side by side
	starts   memory  // [16 vectors]: what sums start with; only with bytes
	line     memory  // [slice]: a column; none if all columns are in panels
	rows     memory  // [16, elements]: a block of each row of W
	first    value   // whether the slice is the first
	last     value   // whether it is the last; only with ends
	columns  value   // the panel's columns that y has, as a mask; only with tail
	whole    value   // whether these are all; only with tail

	fill func(n, start, length value) // fills the panel with columns from n on, of elements from start on
}

var vectorType = typ{f32, lanes}

// write writes a MatMul.
func (p *product) write(w, x, y value) {
	s := p.source
	size := p.index(s.elements)
	p.w = s.memory(p.builder, w, p.n, p.over(p.k, size, false))
	p.x = p.view(x, f32, []value{p.m, p.k}, -1, -1)
	p.y = p.view(y, f32, []value{p.m, p.n}, -1, -1)
	p.rows = p.scratch(f32, lanes, s.elements)
	p.panel = p.scratch(f32, s.slice, lanes)
	p.fill = p.unpacked
	p.loops()
}

// loops writes the loops around the panels: over slices of K, and in each over the
// panels of the workgroup.
func (p *product) loops() {
	wide, group := p.form.vectors, p.form.columns()
	p.vectors = 1
	column := p.mul(p.workgroup("id", 0), p.index(group))
	lastColumn := p.least(p.plus(column, group), p.n)
	// Tiles of rows are distributed evenly among the workgroups of a column.
	tiles := p.over(p.over(p.m, p.index(int64(p.form.height)), true), p.workgroup("count", 1), true)
	height := p.mul(tiles, p.index(int64(p.form.height)))
	row := p.least(p.mul(p.workgroup("id", 1), height), p.m)
	lastRow := p.least(p.add(row, height), p.m)
	rest := p.def(indexType, "arith.remui %s, %s : index", p.sub(lastRow, row).name, p.index(int64(p.form.height)).name)
	lastTile := p.sub(lastRow, rest)
	// Panels of several vectors take what they can fill.
	single := column
	if wide > 1 {
		columns := p.sub(lastColumn, column)
		single = p.sub(lastColumn, p.def(indexType, "arith.remui %s, %s : index", columns.name, p.index(int64(wide*lanes)).name))
	}
	alone := p.columnsAlone(column, lastColumn)

	panels := func(from, to, start, length value) {
		p.loop(from, to, p.index(int64(p.vectors*lanes)), nil, func(n value, _ []value) []value {
			p.narrow(n)
			if p.copies() {
				p.fill(n, start, length)
			}
			p.loop(row, lastTile, p.index(int64(p.form.height)), nil, func(m value, _ []value) []value {
				at := make([]value, p.form.height)
				for i := range at {
					at[i] = p.offset(m, i)
				}
				p.tile(at, n, start, length, p.form.unroll, 1)
				return nil
			})
			p.remaining(lastTile, lastRow, n, start, length)
			return nil
		})
	}
	p.slices(func(start, length value) {
		if wide > 1 {
			p.vectors = wide
			panels(column, single, start, length)
			p.vectors = 1
		}
		panels(single, alone, start, length)
		if p.line.name != "" {
			p.alone(alone, lastColumn, row, lastRow, start, length)
		}
	})
}

// copies reports whether columns are copied to panels.
func (p *product) copies() bool { return p.direct.name == "" }

// slices writes a loop over slices of K, of about equal size, in whole blocks.
func (p *product) slices(body func(start, length value)) {
	zero, size := p.index(0), p.index(p.source.elements)
	slices := p.over(p.k, p.index(p.source.slice), true)
	step := p.mul(p.over(p.over(p.k, slices, true), size, true), size)
	p.loop(zero, p.k, step, nil, func(start value, _ []value) []value {
		length := p.least(p.sub(p.k, start), step)
		p.first = p.def(typ{elem: i1}, "arith.cmpi eq, %s, %s : index", start.name, zero.name)
		if p.ends != (Epilogue{}) || p.along != nil && p.along.Addend {
			p.last = p.def(typ{elem: i1}, "arith.cmpi eq, %s, %s : index", p.add(start, length).name, p.k.name)
		}
		body(start, length)
		return nil
	})
}

// narrow finds which columns of a panel y has, from n on.
func (p *product) narrow(n value) {
	p.columns, p.whole = value{}, value{}
	if p.tail && p.vectors == 1 {
		p.columns = p.def(typ{i1, lanes}, "vector.create_mask %s : vector<%dxi1>", p.sub(p.n, n).name, lanes)
		p.whole = p.def(typ{elem: i1}, "arith.cmpi ule, %s, %s : index", p.plus(n, lanes).name, p.n.name)
	}
}

// remaining adds the products of the rows that fill no tile: one by one in several chains,
// which hide the latency of a multiply-add; a Conv, whose rows are few, halves them first.
func (p *product) remaining(row, lastRow, n, start, length value) {
	if p.ragged {
		for _, height := range []int{4, 2} {
			rest := p.def(indexType, "arith.remui %s, %s : index", p.sub(lastRow, row).name, p.index(int64(height)).name)
			end := p.sub(lastRow, rest)
			p.loop(row, end, p.index(int64(height)), nil, func(m value, _ []value) []value {
				at := make([]value, height)
				for i := range at {
					at[i] = p.offset(m, i)
				}
				chains := rowChains / height
				p.tile(at, n, start, length, max(tileUnroll, chains), chains)
				return nil
			})
			row = end
		}
	}
	p.loop(row, lastRow, p.index(1), nil, func(m value, _ []value) []value {
		p.tile([]value{m}, n, start, length, rowChains, rowChains)
		return nil
	})
}

// unpacked unpacks rows of W, starting at row n and element start, into the panel.
func (p *product) unpacked(n, start, length value) {
	zero, one, four := p.index(0), p.index(1), p.index(4)
	size := p.index(p.source.elements)
	p.loop(zero, length, size, nil, func(k value, _ []value) []value {
		block := p.over(p.add(start, k), size, false)
		p.loop(zero, p.index(lanes), one, nil, func(i value, _ []value) []value {
			row := p.add(n, i)
			if p.tail {
				row = p.least(row, p.sub(p.n, one)) // any value for the columns that y lacks
			}
			p.source.unpack(p.builder, p.w, row, block, func(element int, v value) {
				p.store(v, p.rows, i, p.index(int64(element)))
			})
			return nil
		})
		// Four by four elements are transposed in registers.
		p.loop(zero, size, four, nil, func(e value, _ []value) []value {
			at := p.add(k, e)
			p.loop(zero, p.index(lanes), four, nil, func(i value, _ []value) []value {
				var r [4]value
				for j := range r {
					r[j] = p.load(p.rows, 4, p.offset(i, j), e)
				}
				v := p.transposed(r)
				for j := range r {
					p.store(p.part(v, 4*j, 4), p.panel, p.offset(at, j), i)
				}
				return nil
			})
			return nil
		})
		return nil
	})
}

// tile adds the products of rows of x with the panel to y, or, in the first
// slice, stores them; it takes unroll elements of K at a time, in that many chains.
func (p *product) tile(rows []value, n, start, length value, unroll, chains int) {
	// Sums of a row are vectors side by side.
	count := len(rows) * p.vectors
	sums := slices.Repeat([]value{p.zeros(typ{p.y.elem, lanes})}, chains*count)
	if p.bytes {
		for v := range p.vectors {
			start := p.load(p.starts, lanes, p.index(int64(v*lanes)))
			for i := range rows {
				sums[i*p.vectors+v] = start
			}
		}
	}
	end := length
	if p.ragged {
		end = p.sub(length, p.def(indexType, "arith.remui %s, %s : index", length.name, p.index(int64(unroll)).name))
	}
	steps := func(first, end value, unroll int) {
		sums = p.loop(first, end, p.index(int64(unroll)), sums, func(k value, sums []value) []value {
			for u := range unroll {
				at := p.offset(k, u)
				from := p.add(start, at)
				w := make([]value, p.vectors)
				for v := range w {
					w[v] = p.columnsAt(at, from, n, v)
				}
				for i, m := range rows {
					x := p.factor(m, from)
					for v := range w {
						s := &sums[u%chains*count+i*p.vectors+v]
						*s = p.multiplyAdd(w[v], x, *s)
					}
				}
			}
			return sums
		})
	}
	switch {
	case p.along != nil:
		sums = p.lineSteps(sums, rows, start, length, chains)
	case p.ragged:
		steps(p.index(0), end, unroll)
		steps(end, length, 1)
	default:
		steps(p.index(0), end, unroll)
	}
	for c := 1; c < chains; c++ {
		for i := range count {
			sums[i] = p.add(sums[i], sums[c*count+i])
		}
	}
	sums = sums[:count]
	p.either(p.first, func() { p.keepTile(sums, rows, n, false) }, func() { p.keepTile(sums, rows, n, true) })
}

// columnsAt is vector v of the columns from n on at element from of K, row at of the panel.
func (p *product) columnsAt(at, from, n value, v int) value {
	if !p.copies() {
		return p.masked(p.direct, with(p.yAt, from, p.offset(n, v*lanes))...)
	}
	return p.load(p.panel, p.step(), at, p.index(int64(v*p.step())))
}

// keepTile stores sums of rows, or adds them to y. Masks are for the last panel alone:
// masked stores of AVX2 are so slow on Zen 4 that products of 16 channels took twice the time.
func (p *product) keepTile(sums, rows []value, n value, more bool) {
	keep := func(mask value) func() {
		return func() {
			for i := range sums {
				m := rows[i/p.vectors]
				at, v := with(p.yAt, m, p.offset(n, i%p.vectors*lanes)), sums[i]
				switch {
				case more && mask.none():
					v = p.add(v, p.load(p.y, lanes, at...))
				case more:
					v = p.add(v, p.loadMasked(mask, p.y, at...))
				}
				p.keep(p.ended(v, m, mask, at), mask, p.y, at...)
			}
		}
	}
	if p.whole.none() {
		keep(value{})()
		return
	}
	p.either(p.whole, keep(value{}), keep(p.columns))
}

// ended is what is stored at a place in y of the sums of row m: those of the last slice are
// ended.
func (p *product) ended(v, m, mask value, at []value) value {
	if p.last.none() {
		return v
	}
	ends, ended := p.ends, v
	if ends.Bias {
		ended = p.add(ended, p.splat(p.load(p.bias, 0, with(p.xAt, m)...), v.typ.lanes))
		ends.Bias = false
	}
	if p.along != nil && p.along.Addend {
		var more value
		if mask.none() {
			more = p.load(p.addend, lanes, at...)
		} else {
			more = p.loadMasked(mask, p.addend, at...)
		}
		ended = p.add(ended, more)
	}
	ended = ends.finish(p.builder, ended, value{})
	return p.def(v.typ, "arith.select %s, %s, %s : %s", p.last.name, ended.name, v.name, v.typ)
}

// step is the number of elements of the panel that go into a vector of sums.
func (p *product) step() int { return int(p.panel.sizes[1]) / p.form.vectors }

// factor is element from of row m of x, for each lane of a row of the panel.
func (p *product) factor(m, from value) value {
	if p.pairs {
		x := p.load(p.x, 2, m, p.mul(from, p.index(2)))
		return p.shuffle(x, x, slices.Repeat([]int{0, 1}, lanes)...)
	}
	x := p.splat(p.load(p.x, 0, with(p.xAt, m, from)...), lanes)
	if p.bytes {
		return p.bits(x, i8)
	}
	return x
}

// multiplyAdd is s and the products of a row of the panel with a factor.
func (p *product) multiplyAdd(w, x, s value) value {
	if p.pairs {
		return p.add(s, p.pairSums(w, x))
	}
	if p.bytes {
		return p.byteSums(x, w, s)
	}
	return p.fma(w, x, s)
}

// masked loads the columns that the panel has.
func (p *product) masked(from memory, at ...value) value {
	if p.columns.none() {
		return p.load(from, lanes, at...)
	}
	return p.loadMasked(p.columns, from, at...)
}

// with returns indices with a prefix.
func with(prefix []value, at ...value) []value { return slices.Concat(prefix, at) }
